import { FAULTS } from "../domain/errors.ts";
import type { FaultKind } from "../domain/errors.ts";
import type { LocationRecord, WorkItemReason } from "../domain/records.ts";
import type { Services, ShopifyLocation, Tables } from "../ports.ts";
import { commit } from "../runs/run.ts";
import type { Run } from "../runs/run.ts";
import { forgetRefusal } from "../shop/forget-refusal.ts";
import { recordActivity } from "../activity/record-activity.ts";

/**
 * Reads the location anew and keeps it; once a generation: a run that only waited for the service has read it already, and
 * whatever changed since has requested the work item again. One that left is read each time: it may be back, unheard. So is one whose work
 * item fails by itself, which may be at it for hours.
 */
export async function readLocation(run: Run, locationId: string): Promise<void> {
  const { services, item } = run;
  if (stoppedAtService(item.reason) && item.failures === 0) {
    const known = await services.store.locations.find({ shop: item.shop, locationId });
    if (known?.isActive && known.deletedAtMs === null) return;
  }
  await readLocationAnew(run, locationId);
}

/** The same, whenever it was read before. */
export async function readLocationAnew(run: Run, locationId: string): Promise<void> {
  const { services, item } = run;
  const { shop } = item;
  const found = await services.shopify.location(shop, locationId);
  await commit(run, async (tables) => {
    await forgetRefusal(tables, { shop });
    if (found) await keepLocation(services, tables, { shop, found });
    else await departed(services, tables, { shop, locationId });
  });
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

export async function keepLocation(
  services: Services,
  tables: Tables,
  { shop, found }: { shop: string; found: ShopifyLocation },
): Promise<void> {
  const record: LocationRecord = { ...found, shop, deletedAtMs: null, readAtMs: services.clock.nowMs() };
  const known = await tables.locations.update({ shop, locationId: found.locationId }, record);
  if (known === 0) await tables.locations.insert(record);
}

const FACTS = ["name", "isActive", "isFulfillmentService", "fulfillsOnlineOrders", "address"] as const;

/** Whether something we look at has changed; one that came back has. */
export function locationMoved(before: LocationRecord | undefined, found: ShopifyLocation): boolean {
  if (!before || before.deletedAtMs !== null) return true;
  return FACTS.some((fact) => JSON.stringify(before[fact]) !== JSON.stringify(found[fact]));
}

/** Shopify has it no more; a location never known needs no remembering. */
async function departed(
  services: Services,
  tables: Tables,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<void> {
  const nowMs = services.clock.nowMs();
  const before = await tables.locations.find({ shop, locationId });
  if (!before || before.deletedAtMs !== null) return;
  await tables.locations.update({ shop, locationId }, { deletedAtMs: nowMs, readAtMs: nowMs });
  await recordActivity(services, tables, {
    shop,
    actor: "shopify",
    kind: "location_deleted",
    outcome: "noted",
    locationId,
    locationName: before.name,
  });
}
