import type { Tables } from "../ports.ts";
import type { Run } from "../runs/run.ts";
import { isLatest } from "../book/number-readings.ts";
import type { PlanFacts } from "./read-plan-facts.ts";

/**
 * Whether what a plan was made from is as it was: nobody asked for another look, the owner said nothing new, the link is the same, and
 * nobody read the template since. Asked in the transaction that announces the write.
 */
export function planStillHolds(
  { item }: Pick<Run, "item">,
  { shop, connection, location, details, link, template }: PlanFacts,
): (tables: Tables) => Promise<boolean> {
  return async (tables) => {
    if ((await tables.workItems.count({ id: item.id, generation: item.generation })) === 0) return false;
    const key = { shop: shop.shop, locationId: location.locationId };
    const said = await tables.details.find(key);
    const settings = await tables.shops.find({ shop: shop.shop });
    if ((said?.revision ?? null) !== (details?.revision ?? null)) return false;
    if (settings?.revision !== shop.revision) return false;
    const linked = await tables.links.find({ ...key, connectionId: connection!.id });
    if ((linked?.id ?? null) !== (link?.id ?? null)) return false;
    return !link || !template || isLatest(tables, template);
  };
}
