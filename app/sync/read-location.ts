import { addressText } from "../domain/address/text.ts";
import { FAULTS } from "../domain/errors.ts";
import type { FaultKind } from "../domain/errors.ts";
import type { PostalFacts } from "../domain/mexico/postal-codes.ts";
import { postalCodeOf } from "../domain/mexico/read-location.ts";
import type { LocationRecord, WorkItemReason } from "../domain/records.ts";
import type { Services, ShopifyLocation, Tables } from "../ports.ts";
import { forgetAbsentLocation, noteAbsentLocation } from "../book/believe-absence.ts";
import { commit, reasonOf } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { forgetRefusal } from "../shop/forget-refusal.ts";
import { recordActivity } from "../activity/record-activity.ts";

/**
 * Reads the location anew and keeps it; once a generation: a run that only waited for the service has read it already, and
 * whatever changed since has requested the work item again. One that left, or is not shown, is read each time: it may be back, unheard. So
 * is one whose work item fails by itself, which may be at it for hours. Gives how the run ends where Shopify does not show the location and
 * that is not believed yet; null otherwise.
 */
export async function readLocation(run: Run, locationId: string): Promise<RunEnd | null> {
  const { services, item } = run;
  if (stoppedAtService(item.reason) && item.failures === 0) {
    const known = await services.store.locations.find({ shop: item.shop, locationId });
    if (known?.isActive && known.deletedAtMs === null && known.absentSinceMs === null) return null;
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
    if (!found) return departed(services, tables, { shop, before, askedAtMs });
    await keepLocation(services, tables, { shop, found, before, listed });
    return null;
  });
  // Another process must not believe an absence that this one has seen ended.
  const untilMs = await kept.catch(async (error: unknown) => {
    if (found) await services.store.locations.update({ shop, locationId }, { absentSinceMs: null });
    throw error;
  });
  return untilMs === null ? null : { kind: "waits", untilMs, reason: reasonOf(run, "location_unconfirmed") };
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
  const shown = { deletedAtMs: null, absentSinceMs: null, readAtMs: services.clock.nowMs() };
  const record: LocationRecord = { ...found, shop, postal, ...shown };
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
export function locationMoved(before: LocationRecord | undefined, found: ShopifyLocation): boolean {
  if (!before || before.deletedAtMs !== null) return true;
  return FACTS.some((fact) => JSON.stringify(before[fact]) !== JSON.stringify(found[fact]));
}

/**
 * Shopify does not show it. Gives when to ask again where that is not to be believed yet: what a rule does then cannot be undone. A location
 * never known needs no remembering.
 */
async function departed(
  services: Services,
  tables: Tables,
  { shop, before, askedAtMs }: { shop: string; before: LocationRecord | null; askedAtMs: number },
): Promise<number | null> {
  if (!before || before.deletedAtMs !== null) return null;
  const { locationId } = before;
  const { believed, untilMs } = await noteAbsentLocation(services, tables, { shop, locationId, askedAtMs });
  if (!believed) return untilMs;
  const nowMs = services.clock.nowMs();
  await tables.locations.update({ shop, locationId }, { deletedAtMs: nowMs, readAtMs: nowMs });
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
