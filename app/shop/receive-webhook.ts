import { locationIdOf } from "../domain/location-id.ts";
import type { Services, Tables } from "../ports.ts";
import { requestWork } from "../runs/request-work.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { shopInBody } from "./webhook-shop.ts";

export interface Webhook {
  shop: string;
  /** As Shopify's header says it (`locations/update`) or as the enum does (`LOCATIONS_UPDATE`). */
  topic: string;
  webhookId: string;
  payload: unknown;
}

/** One change of a location is told by two webhooks or more: one run answers them. */
const TOGETHER_MS = 500;

/**
 * A webhook says only "look again". Its receipt and what it wants are one transaction; a failure is thrown, so that Shopify comes
 * again. There is no customer data to give or erase. What is about the whole shop acts on the shop that the signed body names.
 */
export async function receiveWebhook(
  services: Services,
  webhook: Webhook,
): Promise<"accepted" | "duplicate" | "unknown_shop" | "another_shop"> {
  const { store, clock } = services;
  const { shop, webhookId } = webhook;
  const topic = spelled(webhook.topic);
  // Shopify repeats itself a lot; only a first delivery is worth a write.
  if (await store.receipts.find({ shop, webhookId })) return "duplicate";
  if (!isForShop({ shop, topic, payload: webhook.payload })) {
    services.log.warn({ shop, topic, webhookId }, "the body of a webhook names another shop than its header, or none");
    return "another_shop";
  }
  const received = await store.transaction(shop, async (tables) => {
    if (!(await tables.shops.find({ shop }))) return "unknown_shop";
    if (!(await tables.receipts.insert({ shop, webhookId, receivedAtMs: clock.nowMs() }))) return "duplicate";
    await act(services, tables, { ...webhook, topic });
    return "accepted";
  });
  if (received === "accepted") services.wake();
  return received;
}

function isForShop({ shop, topic, payload }: Pick<Webhook, "shop" | "topic" | "payload">): boolean {
  const named = shopInBody(topic, payload);
  return named === null ? topic !== "shop/redact" : named === shop.toLowerCase();
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
    // What fails by itself is tried at once, but once: Shopify may tell of one location every few seconds.
    if (key) await requestWork(services, tables, { shop, kind: "location", key, dueAtMs, unchanged: true });
    else services.log.warn({ shop, topic }, "a location webhook names no location");
    return;
  }
  switch (topic) {
    case "app/uninstalled":
      // A body that names no shop may be of another topic: whether the shop has left is asked, and nothing is believed.
      if (shopInBody(topic, payload) === null) {
        await requestWork(services, tables, { shop, kind: "uninstall", key: "shop" });
        return;
      }
      // From now on nothing is sent, until Shopify was asked. What it refused before confirms nothing that is told only now.
      await tables.shops.update(
        { shop, uninstalledAtMs: null, uninstallToldAtMs: null },
        { uninstallToldAtMs: services.clock.nowMs(), refusedAtMs: null },
      );
      await recordActivity(services, tables, { shop, actor: "shopify", kind: "uninstall_told", outcome: "noted" });
      await requestWork(services, tables, { shop, kind: "uninstall", key: "shop" });
      return;
    case "shop/redact":
      // The first word of its leaving, where the other was lost.
      await tables.shops.update({ shop, redactToldAtMs: null, uninstallToldAtMs: null }, { refusedAtMs: null });
      await tables.shops.update({ shop, redactToldAtMs: null }, { redactToldAtMs: services.clock.nowMs() });
      await requestWork(services, tables, { shop, kind: "redact", key: "shop" });
      return;
    case "app/scopes_update":
      await recordActivity(services, tables, { shop, actor: "shopify", kind: "scopes_changed", outcome: "noted" });
      await requestWork(services, tables, { shop, kind: "reconcile", key: "shop" });
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
  const { id } = payload;
  return typeof id === "number" || typeof id === "string" ? locationIdOf(String(id).split("/").at(-1)) : null;
}
