import type { Tables } from "../ports.ts";
import type { PlanFacts } from "./read-plan-facts.ts";

/**
 * Whether what a plan was made from is as it was: the owner said nothing new, the link is the same, and nobody read the template
 * since. Asked in the transaction that announces the write.
 */
export function planStillHolds({
  shop,
  connection,
  location,
  details,
  link,
  template,
}: PlanFacts): (tables: Tables) => Promise<boolean> {
  return async (tables) => {
    const key = { shop: shop.shop, locationId: location.locationId };
    const said = await tables.details.find(key);
    const settings = await tables.shops.find({ shop: shop.shop });
    if ((said?.revision ?? null) !== (details?.revision ?? null)) return false;
    if (settings?.revision !== shop.revision || settings.uninstalledAtMs !== null) return false;
    const linked = await tables.links.find({ ...key, connectionId: connection!.id });
    if ((linked?.id ?? null) !== (link?.id ?? null)) return false;
    if (!link || !template) return true;
    const { connectionId, templateId, readAtMs } = template;
    return (await tables.templates.count({ shop: shop.shop, connectionId, templateId, readAtMs })) === 1;
  };
}
