import { locationIdOf } from "../domain/location-id.ts";
import type { Services, Tables } from "../ports.ts";
import { raiseTarget } from "./raise-target.ts";
import { recordActivity } from "./record-activity.ts";

export interface Webhook {
  shop: string;
  /** As Shopify's header says it (`locations/update`) or as the enum does (`LOCATIONS_UPDATE`). */
  topic: string;
  webhookId: string;
  payload: unknown;
}

/** One change of a location is told by two webhooks or more: one run answers them. */
const TOGETHER_MS = 500;
const BACK_AGAIN_MS = 60_000;

/**
 * A webhook says only "look again". Its receipt and what it wants are one transaction; a failure is thrown, so that Shopify comes
 * again. There is no customer data to give or erase; `shop/redact` erases all there is of the shop.
 */
export async function receiveWebhook(
  services: Services,
  webhook: Webhook,
): Promise<"accepted" | "duplicate" | "unknown_shop"> {
  const { store, clock } = services;
  const { shop, webhookId } = webhook;
  const topic = spelled(webhook.topic);
  // Shopify repeats itself a lot; only a first delivery is worth a write.
  const known = await store.receipts.find({ shop, webhookId });
  if (known && topic !== "shop/redact") return "duplicate";
  const received = await store.transaction(async (tables) => {
    if (!(await tables.shops.find({ shop }))) return "unknown_shop";
    if (!(await tables.receipts.insert({ shop, webhookId, topic, receivedAtMs: clock.nowMs() }))) return "duplicate";
    await act(services, tables, { ...webhook, topic });
    return "accepted";
  });
  if (received === "unknown_shop") return received;
  // Outside the receipt's transaction, and on a repeated delivery too: it cannot be done half, and it takes the receipt with it.
  if (topic === "shop/redact") {
    for (const { id } of await store.connections.list({ shop })) services.shipping.forget(id);
    await store.eraseShop(shop);
  } else if (received === "accepted") services.wake();
  return received;
}

/** `LOCATIONS_UPDATE` and `locations/update` are one; only the first underscore stands for the slash. */
function spelled(topic: string): string {
  const lower = topic.toLowerCase();
  return lower.includes("/") ? lower : lower.replace("_", "/");
}

async function act(services: Services, tables: Tables, { shop, topic, payload }: Webhook): Promise<void> {
  if (topic.startsWith("locations/")) {
    const key = locationIn(payload);
    const dueAtMs = services.clock.nowMs() + TOGETHER_MS;
    if (key) await raiseTarget(services, tables, { shop, kind: "location", key, dueAtMs });
    else services.log.warn({ shop, topic }, "a location webhook names no location");
    return;
  }
  switch (topic) {
    case "app/uninstalled":
      await raiseTarget(services, tables, { shop, kind: "uninstall", key: "shop" });
      // Should the shop be back already: Shopify said nothing while it was gone. One that is gone is known as that by then.
      await raiseTarget(services, tables, {
        shop,
        kind: "reconcile",
        key: "shop",
        dueAtMs: services.clock.nowMs() + BACK_AGAIN_MS,
      });
      return;
    case "app/scopes_update":
      await recordActivity(services, tables, { shop, actor: "shopify", kind: "scopes_changed", outcome: "noted" });
      await raiseTarget(services, tables, { shop, kind: "reconcile", key: "shop" });
      return;
    case "customers/data_request":
    case "customers/redact":
      services.log.info({ shop, topic }, "no customer data is kept");
      await recordActivity(services, tables, {
        shop,
        actor: "shopify",
        kind: topic.replace("/", "_"),
        outcome: "noted",
      });
      return;
  }
}

/** `delete` carries only the number. */
function locationIn(payload: unknown): string | null {
  if (typeof payload !== "object" || payload === null || !("id" in payload)) return null;
  return locationIdOf(String(payload.id).split("/").at(-1));
}
