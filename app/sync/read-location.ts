import { addressText } from "../domain/address/text.ts";
import { FAULTS } from "../domain/errors.ts";
import type { FaultKind } from "../domain/errors.ts";
import type { PostalFacts } from "../domain/mexico/postal-codes.ts";
import { askAgainAtMs, awaitedSinceMs, isBehind } from "../domain/plan/location-age.ts";
import { postalCodeOf } from "../domain/mexico/read-location.ts";
import type { LocationRecord, WorkItem, WorkItemReason } from "../domain/records.ts";
import type { Services, ShopifyLocation, Tables } from "../ports.ts";
import { forgetAbsentLocation, noteAbsentLocation } from "../book/believe-absence.ts";
import { holdPlace } from "../moves/hold-place.ts";
import { commit, reasonOf } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { forgetRefusal } from "../shop/forget-refusal.ts";
import { recordActivity } from "../activity/record-activity.ts";

/**
 * Reads the location anew and keeps it; once a generation: a run that only waited for the service has read it already, and
 * whatever changed since has requested the work item again. One that left, or is not shown, is read each time: it may be back, unheard. So
 * is one whose work item fails by itself, which may be at it for hours, and one of which Shopify has told more than it has shown. Gives how
 * the run ends where Shopify does not show the location and that is not believed yet, or shows an older state of it; null otherwise.
 */
export async function readLocation(run: Run, locationId: string): Promise<RunEnd | null> {
  const { services, item } = run;
  if (stoppedAtService(item.reason) && item.failures === 0) {
    const known = await services.store.locations.find({ shop: item.shop, locationId });
    const isRead = known !== null && known.absentSinceMs === null && known.behindSinceMs === null;
    if (isRead && known.isActive && known.deletedAtMs === null) return null;
  }
  return readLocationAnew(run, locationId);
}

/** The same, whenever it was read before. */
export async function readLocationAnew(run: Run, locationId: string): Promise<RunEnd | null> {
  const { services, item } = run;
  const { shop } = item;
  const askedAtMs = services.clock.monotonicMs();
  const found = await services.shopify.location(shop, locationId);
  // At once: an answer that is not kept has shown it all the same.
  if (found) forgetAbsentLocation(services.clock, { shop, locationId });
  const listed = found ? await listedFor(services, [found]) : NOTHING_LISTED;
  const kept = commit(run, async (tables) => {
    await forgetRefusal(tables, { shop });
    const before = await tables.locations.find({ shop, locationId });
    if (!before && !found) return awaitFirst(services, item);
    if (!found) return departed(services, tables, { shop, before, askedAtMs });
    const awaited = before && isBehind(before, found) ? await awaitNewer(services, tables, before) : null;
    if (awaited) return awaited;
    await keepLocation(services, tables, { shop, found, before, listed });
    return null;
  });
  // Another process must not believe an absence that this one has seen ended.
  const doubt = await kept.catch(async (error: unknown) => {
    if (found) await services.store.locations.update({ shop, locationId }, { absentSinceMs: null });
    throw error;
  });
  if (!doubt) return null;
  const { code, untilMs, sinceMs } = doubt;
  return {
    kind: "waits",
    untilMs,
    reason: { ...reasonOf(run, code), ...(sinceMs !== undefined && { atMs: sinceMs }) },
  };
}

/** Why an answer of Shopify's is not believed yet, and when to ask again. `sinceMs`: since when, where nothing but the reason remembers it. */
interface Doubt {
  code: "location_unconfirmed" | "location_behind";
  untilMs: number;
  sinceMs?: number;
}

/**
 * Shopify showed an older state of the location than it has told of. Nothing of that is kept, but that it is there; null where a newer one
 * has been awaited for so long that the older one is believed.
 */
export async function awaitNewer(
  { clock }: Pick<Services, "clock">,
  tables: Pick<Tables, "locations">,
  before: LocationRecord,
): Promise<Doubt | null> {
  const nowMs = clock.nowMs();
  const sinceMs = awaitedSinceMs(before, nowMs);
  if (sinceMs === null) return null;
  const { shop, locationId } = before;
  await tables.locations.update({ shop, locationId }, { behindSinceMs: sinceMs, absentSinceMs: null });
  return { code: "location_behind", untilMs: askAgainAtMs(sinceMs, nowMs) };
}

/** What a run asked of the service, and waits to ask again. */
const ASKED_AGAIN: readonly WorkItemReason["code"][] = ["absence_unconfirmed", "book_unconfirmed"];

/** Whether a run got as far as the service, and nothing came of it: what comes before it need not be done again. */
export function stoppedAtService(reason: WorkItemReason | null): boolean {
  if (reason === null) return false;
  return (
    ASKED_AGAIN.includes(reason.code) || (reason.code in FAULTS && FAULTS[reason.code as FaultKind].connectionWide)
  );
}

/** What the list of postal codes says of locations, by code. */
export type Listed = ReadonlyMap<string, PostalFacts>;

const NOTHING_LISTED: Listed = new Map();

/** What the list in use says of the codes of these locations. */
export async function listedFor({ store }: Pick<Services, "store">, found: ShopifyLocation[]): Promise<Listed> {
  const codes = found.flatMap(({ address }) => postalCodeOf(address) ?? []);
  return codes.length === 0 ? NOTHING_LISTED : store.postalCodes.findAll(codes);
}

/**
 * Keeps what Shopify told. An address that stays as it was keeps what the list of postal codes said when it came: importing another list
 * must change nothing that is confirmed, linked or in an account.
 */
export async function keepLocation(
  services: Services,
  tables: Tables,
  {
    shop,
    found,
    before,
    listed,
  }: { shop: string; found: ShopifyLocation; before: LocationRecord | null; listed: Listed },
): Promise<void> {
  const isSame = before !== null && addressText(before.address) === addressText(found.address);
  const postal = isSame ? before.postal : (listed.get(postalCodeOf(found.address) ?? "") ?? null);
  const doubts = { deletedAtMs: null, absentSinceMs: null, shopifyToldMs: null, behindSinceMs: null };
  const shown = { ...doubts, readAtMs: services.clock.nowMs() };
  const record: LocationRecord = { ...found, shop, postal, ...shown };
  if (before && !isSame) await holdPlace(services, tables, { before, address: found.address });
  const known = await tables.locations.update({ shop, locationId: found.locationId }, record);
  if (known === 0) await tables.locations.insert(record);
  if (before && before.isActive !== found.isActive) await recordSwitch(services, tables, record);
}

/** Whether a location ships is decided in Shopify, so its history says when that changed. */
async function recordSwitch(
  services: Services,
  tables: Tables,
  { shop, locationId, name, isActive }: LocationRecord,
): Promise<void> {
  await recordActivity(services, tables, {
    shop,
    actor: "shopify",
    kind: isActive ? "location_activated" : "location_deactivated",
    outcome: "noted",
    locationId,
    locationName: name,
  });
}

const FACTS = ["name", "isActive", "isFulfillmentService", "fulfillsOnlineOrders", "address"] as const;

/** Whether something we look at has changed; one that came back has. */
function locationMoved(before: LocationRecord, found: ShopifyLocation): boolean {
  if (before.deletedAtMs !== null) return true;
  return FACTS.some((fact) => JSON.stringify(before[fact]) !== JSON.stringify(found[fact]));
}

/** Whether a list tells something of the location that is to be kept, or not to be believed. */
export function isNews(before: LocationRecord | undefined, found: ShopifyLocation): boolean {
  return !before || before.shopifyAtMs !== found.shopifyAtMs || needsLook(before, found);
}

/** Whether its own run is to look. */
export function needsLook(before: LocationRecord, found: ShopifyLocation): boolean {
  return before.behindSinceMs !== null || isBehind(before, found) || locationMoved(before, found);
}

/**
 * Shopify has told of a location that it has never shown: its answers may be behind, and nothing but this work item remembers it. Null once it
 * has been asked for so long, since Shopify answers, that it is believed not to be there.
 */
function awaitFirst({ clock }: Pick<Services, "clock">, { pendingSinceMs, reason }: WorkItem): Doubt | null {
  if (pendingSinceMs === null) return null;
  const nowMs = clock.nowMs();
  const isFirst = reason === null || reason.code === "shopify_unavailable";
  const sinceMs = awaitedSinceMs({ behindSinceMs: isFirst ? null : reason.atMs }, nowMs);
  return sinceMs === null ? null : { code: "location_behind", untilMs: askAgainAtMs(sinceMs, nowMs), sinceMs };
}

/** Shopify does not show it. Gives when to ask again where that is not to be believed yet: what a rule does then cannot be undone. */
async function departed(
  services: Services,
  tables: Tables,
  { shop, before, askedAtMs }: { shop: string; before: LocationRecord | null; askedAtMs: number },
): Promise<Doubt | null> {
  if (!before || before.deletedAtMs !== null) return null;
  const { locationId } = before;
  const { believed, untilMs } = await noteAbsentLocation(services, tables, { shop, locationId, askedAtMs });
  if (!believed) return { code: "location_unconfirmed", untilMs };
  const nowMs = services.clock.nowMs();
  const gone = { deletedAtMs: nowMs, readAtMs: nowMs, shopifyToldMs: null, behindSinceMs: null };
  await tables.locations.update({ shop, locationId }, gone);
  await recordActivity(services, tables, {
    shop,
    actor: "shopify",
    kind: "location_deleted",
    outcome: "noted",
    locationId,
    locationName: before.name,
  });
  return null;
}
