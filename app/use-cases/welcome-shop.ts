import { NO_CONTACT } from "../domain/new-records.ts";
import { DEFAULT_POLICIES } from "../domain/records.ts";
import type { ShopRecord } from "../domain/records.ts";
import type { Services, ShopifyShop } from "../ports.ts";
import { knownShop } from "./known-shop.ts";
import { raiseTarget } from "./raise-target.ts";
import { recordActivity } from "./record-activity.ts";

/**
 * Before any page of a shop: of several requests that come together Shopify's package has only one wait for the welcome, and after
 * a session that outlived an uninstall or an erasure it exchanges no token, so nobody welcomed the shop.
 */
export async function ensureWelcomed(services: Services, { shop }: { shop: string }): Promise<void> {
  const known = await knownShop(services, { shop });
  if (!known || known.shop.uninstalledAtMs !== null) await welcomeShop(services, { shop });
}

/** After each sign-in, perhaps twice at once: a shop that is known and installed is left as it is. */
export async function welcomeShop(services: Services, { shop }: { shop: string }): Promise<void> {
  const { store, shopify } = services;
  const known = await store.shops.find({ shop });
  if (known && known.uninstalledAtMs === null && known.reconciledAtMs !== null) return;
  const details = await shopify.shopDetails(shop).catch((error: unknown) => {
    services.log.warn({ shop, error }, "Shopify did not tell the shop's name; it is asked again at the next sign-in");
    return null;
  });
  const raised = await store.transaction(async (tables) => {
    const before = await tables.shops.find({ shop });
    const made = !before && (await tables.shops.insert(newShop({ shop, details, nowMs: services.clock.nowMs() })));
    const named = details ? { displayName: details.name, timeZone: details.timeZone } : {};
    const back = before?.uninstalledAtMs != null;
    if (before) await tables.shops.update({ shop }, { ...named, uninstalledAtMs: null });
    if (made || back) {
      await recordActivity(services, tables, {
        shop,
        actor: "shopify",
        kind: back ? "reinstalled" : "installed",
        outcome: "done",
      });
    }
    const coming = await tables.targets.find({ shop, kind: "reconcile", key: "shop" });
    if (!back && coming && coming.wanted > coming.seen) return false;
    await raiseTarget(services, tables, { shop, kind: "reconcile", key: "shop" });
    return true;
  });
  if (raised) services.wake();
}

function newShop({ shop, details, nowMs }: { shop: string; details: ShopifyShop | null; nowMs: number }): ShopRecord {
  return {
    shop,
    displayName: details?.name ?? null,
    timeZone: details?.timeZone ?? "America/Mexico_City",
    language: null,
    policies: DEFAULT_POLICIES,
    contact: { ...NO_CONTACT, email: details?.email ?? null },
    revision: 0,
    guideDismissedAtMs: null,
    reconciledAtMs: null,
    installedAtMs: nowMs,
    uninstalledAtMs: null,
  };
}
