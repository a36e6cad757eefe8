import { isNewerTold, toldChangeMs } from "../domain/plan/location-age.ts";
import { locationIdOf } from "../domain/location-id.ts";
import type { Services, Tables, Transaction } from "../ports.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { actOrPutOff, rowsOf, TOGETHER_MS } from "./act-on-told.ts";
import type { Told } from "./act-on-told.ts";
import { shopInBody } from "./webhook-shop.ts";

export interface Webhook {
  shop: string;
  /** As Shopify's header says it (`locations/update`) or as the enum does (`LOCATIONS_UPDATE`). */
  topic: string;
  webhookId: string;
  payload: unknown;
}

/**
 * Shopify's ids have 36 characters. The header is not signed, so whoever captured a body may send it with any: of a longer one the beginning
 * is kept, because each receipt is stored for weeks, in an index that takes no long text on PostgreSQL.
 */
const LONGEST_ID = 255;

/**
 * A webhook says only "look again", and how new the state is that is to be seen. Its receipt and what it wants are one transaction; a
 * failure is thrown, so that Shopify comes again. Webhooks about the same that come too soon are put off together. There is no customer data
 * to give or erase. What is about the whole shop acts on the shop that the signed body names.
 */
export async function receiveWebhook(
  services: Services,
  webhook: Webhook,
): Promise<"accepted" | "duplicate" | "unknown_shop" | "another_shop"> {
  const { store, clock } = services;
  const { shop } = webhook;
  const webhookId = webhook.webhookId.slice(0, LONGEST_ID);
  const topic = spelled(webhook.topic);
  if (!isForShop({ shop, topic, payload: webhook.payload })) {
    services.log.warn({ shop, topic, webhookId }, "the body of a webhook names another shop than its header, or none");
    return "another_shop";
  }
  const told = toldIn(topic, webhook.payload);
  const work = async (tables: Transaction) => {
    // The receipt comes first: one statement tells a new delivery, and few are not.
    if (!(await tables.receipts.insert({ shop, webhookId, receivedAtMs: clock.nowMs() })))
      return (await tables.shops.find({ shop })) ? "duplicate" : "unknown_shop";
    await act(services, tables, { ...webhook, topic, told });
    return "accepted";
  };
  // Those of locations come in floods, and need few rows.
  const received =
    told?.what === "location" && store.together
      ? await store.together(shop, { rows: { ...rowsOf(told), receipts: [{ webhookId }] }, work })
      : await store.transaction(shop, work);
  // What Shopify tells of a location is due only when its other webhooks about the same have come.
  if (received === "accepted") services.wake(topic.startsWith("locations/") ? TOGETHER_MS : 0);
  return received;
}

/** Shopify's bodies of these always name the shop. One that does not is another topic's, or a step of a workflow, signed as well. */
const NAMES_ITS_SHOP = new Set(["shop/redact", "customers/data_request", "customers/redact"]);

function isForShop({ shop, topic, payload }: Pick<Webhook, "shop" | "topic" | "payload">): boolean {
  const named = shopInBody(topic, payload);
  return named === null ? !NAMES_ITS_SHOP.has(topic) : named === shop.toLowerCase();
}

/** `LOCATIONS_UPDATE` and `locations/update` are one; only the first underscore stands for the slash. */
function spelled(topic: string): string {
  const lower = topic.toLowerCase();
  return lower.includes("/") ? lower : lower.replace("_", "/");
}

interface Asked extends Webhook {
  told: Told | null;
}

async function act(services: Services, tables: Tables, { shop, topic, payload, told }: Asked): Promise<void> {
  if (told?.what === "location") await noteNewer(services, tables, { shop, locationId: told.locationId, payload });
  if (told) return actOrPutOff(services, tables, { shop, told });
  if (topic.startsWith("locations/")) {
    services.log.warn({ shop, topic }, "a location webhook names no location");
    return;
  }
  if (topic !== "customers/data_request" && topic !== "customers/redact") return;
  services.log.info({ shop, topic }, "no customer data is kept");
  await recordActivity(services, tables, {
    shop,
    actor: "shopify",
    kind: topic.replace("/", "_"),
    outcome: "noted",
  });
}

/**
 * Shopify's answers may be behind its webhooks: no answer is believed for a while that is older than what this one tells of. A captured body
 * can be sent again, and says nothing newer then.
 */
async function noteNewer(
  { clock }: Pick<Services, "clock">,
  tables: Pick<Tables, "locations">,
  { shop, locationId, payload }: { shop: string; locationId: string; payload: unknown },
): Promise<void> {
  const nowMs = clock.nowMs();
  const shopifyToldMs = toldChangeMs(payload, nowMs);
  if (shopifyToldMs === null) return;
  const known = await tables.locations.find({ shop, locationId });
  if (known && isNewerTold(known, shopifyToldMs))
    await tables.locations.update({ shop, locationId }, { shopifyToldMs, behindSinceMs: nowMs });
}

/** What a webhook is about; null where it asks for nothing. */
function toldIn(topic: string, payload: unknown): Told | null {
  if (topic.startsWith("locations/")) {
    const locationId = locationIn(payload);
    return locationId === null ? null : { what: "location", locationId };
  }
  switch (topic) {
    case "app/uninstalled":
      // A body that names no shop may be of another topic: whether the shop has left is asked, and nothing is believed.
      return { what: shopInBody(topic, payload) === null ? "standing" : "uninstall" };
    case "shop/redact":
      return { what: "redact" };
    case "app/scopes_update":
      return { what: "scopes" };
    default:
      return null;
  }
}

/** `delete` carries only the number. */
function locationIn(payload: unknown): string | null {
  if (typeof payload !== "object" || payload === null || !("id" in payload)) return null;
  const { id } = payload;
  return typeof id === "number" || typeof id === "string" ? locationIdOf(String(id).split("/").at(-1)) : null;
}
