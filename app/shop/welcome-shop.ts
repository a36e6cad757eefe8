import { newShop } from "../domain/new-records.ts";
import { shutReason } from "../domain/shop-access.ts";
import type { Services, Tables } from "../ports.ts";
import { knownShop } from "../readings/known-shop.ts";
import { openShop } from "./open-shop.ts";
import { requestWork } from "../runs/request-work.ts";
import { recordActivity } from "../activity/record-activity.ts";

/**
 * Before any page of a shop: of several requests that come together Shopify's package has only one wait for the welcome, and after
 * a session that outlived an uninstall or an erasure it exchanges no token, so nobody welcomed the shop.
 */
export async function ensureWelcomed(services: Services, { shop }: { shop: string }): Promise<void> {
  const known = await knownShop(services, { shop });
  if (!known || known.shop.uninstalledAtMs !== null) await welcomeShop(services, { shop });
}

/**
 * After a new session was stored, perhaps twice at once. Shopify gives one only where the app is installed, so whatever was noted
 * against that is forgotten. A shop that is known, installed and open is left as it is.
 */
export async function welcomeShop(services: Services, { shop }: { shop: string }): Promise<void> {
  const { store } = services;
  const known = await store.shops.find({ shop });
  if (known && known.uninstalledAtMs === null && shutReason(known) !== null) {
    await store.transaction(shop, (tables) => openShop(services, tables, { shop }));
    services.wake();
  }
  if (known && known.uninstalledAtMs === null && known.reconciledAtMs !== null) return;
  const details = await detailsOf(services, shop);
  const requested = await store.transaction(shop, async (tables) => {
    const before = await tables.shops.find({ shop });
    const { email = null, ...told } = details ?? {};
    const back = before?.uninstalledAtMs != null;
    const installedAtMs = services.clock.nowMs();
    const made = !before && (await tables.shops.insert(newShop({ ...UNTOLD, ...told, shop, email, installedAtMs })));
    if (before) await tables.shops.update({ shop }, { ...told, uninstalledAtMs: null });
    if (made || back) await noteArrival(services, tables, { shop, back });
    // What waited while the shop left is due now, like what is to be looked at.
    if (back) return openShop(services, tables, { shop }).then(() => true);
    const coming = await tables.workItems.find({ shop, kind: "reconcile", key: "shop" });
    if (coming && coming.generation > coming.observedGeneration) return false;
    await requestWork(services, tables, { shop, kind: "reconcile", key: "shop" });
    return true;
  });
  if (requested) services.wake();
}

const UNTOLD = { timeZone: "America/Mexico_City" };

async function detailsOf({ shopify, log }: Services, shop: string) {
  try {
    return await shopify.shopDetails(shop);
  } catch (error) {
    log.warn({ shop, error }, "Shopify did not tell the shop's time zone; it is asked again at the next sign-in");
    return null;
  }
}

function noteArrival(services: Services, tables: Tables, { shop, back }: { shop: string; back: boolean }) {
  const kind = back ? "reinstalled" : "installed";
  return recordActivity(services, tables, { shop, actor: "shopify", kind, outcome: "done" });
}
