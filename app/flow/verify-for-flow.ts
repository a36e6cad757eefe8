import { fold } from "../domain/address/fold.ts";
import { closedReason } from "../domain/closed-reason.ts";
import { locationIdOf } from "../domain/location-id.ts";
import type { LocationRecord } from "../domain/records.ts";
import { recordActivity } from "../activity/record-activity.ts";
import type { Services, Store, Tables } from "../ports.ts";
import { wantCarriers } from "../verification/request-verification.ts";

export interface FlowRequest {
  shop: string;
  /** One run of the action. Flow repeats its request with the same one. */
  actionRunId: string;
  /** A location's id, or its name as Shopify has it, whatever its capitals and accents. */
  origin: string;
}

export type FlowOutcome =
  /** The carriers are being asked, now or since an earlier request of this run. */
  | { kind: "asked" }
  /** Nothing was asked, and asking again changes nothing. */
  | { kind: "refused"; why: FlowRefusal };

export type FlowRefusal =
  | "unknown_shop"
  | "unknown_origin"
  /** Several locations have the name. */
  | "ambiguous"
  /** The account has no address of it yet. */
  | "not_saved"
  | "no_carriers"
  /** The owner has to connect first, or again. */
  | "not_connected"
  /** The shop works with its test account, and workflows are about production's. */
  | "test_account";

/** Requests of one run, however many and however close together, are one: the receipt and the question are one transaction. */
const receiptOf = (actionRunId: string): string => `flow ${actionRunId}`;

/** Has the shop's carriers asked about one origin. Whoever is being asked already is not asked again. */
export async function verifyForFlow(services: Services, request: FlowRequest): Promise<FlowOutcome> {
  const { store } = services;
  const { shop, actionRunId } = request;
  const own = { shop, webhookId: receiptOf(actionRunId) };
  if (await store.receipts.find(own)) return { kind: "asked" };
  if (!(await isInstalled(store, shop))) return { kind: "refused", why: "unknown_shop" };
  // A name is looked for among thousands, for which no other shop's writes may wait.
  const [locationId, ...others] = await locationsNamed(store, request);
  if (locationId === undefined) return { kind: "refused", why: "unknown_origin" };
  if (others.length > 0) return { kind: "refused", why: "ambiguous" };
  const outcome = await store.transaction(shop, async (tables): Promise<FlowOutcome> => {
    if (await tables.receipts.find(own)) return { kind: "asked" };
    const found = await findTemplate(tables, { shop, locationId });
    if ("why" in found) return { kind: "refused", why: found.why };
    const { location, templateId, carriers } = found;
    await tables.receipts.insert({ ...own, receivedAtMs: services.clock.nowMs() });
    await wantCarriers(services, tables, { shop, templateId, carriers });
    await recordActivity(services, tables, {
      shop,
      actor: "shopify",
      kind: "flow_verify",
      outcome: "noted",
      locationId: location.locationId,
      locationName: location.name,
      templateId,
    });
    return { kind: "asked" };
  });
  if (outcome.kind === "asked") services.wake();
  return outcome;
}

type Found = { location: LocationRecord; templateId: string; carriers: string[] } | { why: FlowRefusal };

async function isInstalled({ shops }: Pick<Store, "shops">, shop: string): Promise<boolean> {
  return (await shops.count({ shop, uninstalledAtMs: null })) > 0;
}

async function findTemplate(
  tables: Tables,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<Found> {
  const known = await tables.shops.find({ shop, uninstalledAtMs: null });
  if (!known) return { why: "unknown_shop" };
  const location = await tables.locations.find({ shop, locationId, deletedAtMs: null });
  if (!location) return { why: "unknown_origin" };
  const connection = await tables.connections.find({ shop, current: true });
  if (!connection || closedReason(connection) !== null) return { why: "not_connected" };
  if (connection.environment === "test") return { why: "test_account" };
  const link = await tables.links.find({ shop, connectionId: connection.id, locationId, missingSinceMs: null });
  if (!link) return { why: "not_saved" };
  const { carriers } = known.policies;
  return carriers.length > 0 ? { location, templateId: link.templateId, carriers } : { why: "no_carriers" };
}

/** An id is one location's. A name may be a number, too, so it is looked for where no location has that id. */
async function locationsNamed(
  { locations }: Pick<Store, "locations">,
  { shop, origin }: Pick<FlowRequest, "shop" | "origin">,
): Promise<string[]> {
  const locationId = locationIdOf(origin.trim().replace("gid://shopify/Location/", ""));
  if (locationId && (await locations.count({ shop, locationId, deletedAtMs: null })) > 0) return [locationId];
  const name = fold(origin);
  if (name === "") return [];
  const all = await locations.list({ shop, deletedAtMs: null });
  return all.filter((location) => fold(location.name) === name).map((location) => location.locationId);
}
