import { FAULTS } from "../domain/errors.ts";
import type { FaultKind } from "../domain/errors.ts";
import { keepsFailing, longestFailing, waitsLong } from "../domain/failing.ts";
import { legacyIdOf } from "../domain/location-id.ts";
import { originState, wasStopped } from "../domain/origin-state.ts";
import type { WorkItemKind, WorkItem } from "../domain/records.ts";
import { REASON_PLACES } from "../domain/reason-places.ts";
import type { Services } from "../ports.ts";
import { failureOf, isHeld } from "../views/failure-of.ts";
import type { OriginRecords, ShopOrigins } from "../readings/read-origin-facts.ts";
import type { Trouble, TroubleView } from "../views/home.ts";
import type { ShopHealth } from "../views/shell.ts";
import { TROUBLES } from "../views/home.ts";
import { verificationKey } from "../domain/verification/verification-key.ts";

/** How many names are shown of each trouble. */
const NAMED = 3;

/** Locations that fail are told as origins; whether the shop is gone concerns its operator, not an owner who reads this. */
const BESIDE_ORIGINS: readonly WorkItemKind[] = ["reconcile", "verification", "template", "flow", "job", "move"];

/** States of a connection in which every page already says what all work waits for. */
const ALL_WAITS: readonly ShopHealth[] = ["shut", "none", "invalid", "unreadable", "unconfirmed"];

/**
 * The shop's work that does not come through, by what it means to the owner: what fails beside the origins' own, and whatever has waited
 * for long, or was stopped by what is over. Whatever the reason, it is here or among the needs.
 */
export async function readTroubles(
  { store }: Pick<Services, "store">,
  { shop: { shop }, connection, origins, nowMs }: ShopOrigins,
  health: ShopHealth,
): Promise<TroubleView[]> {
  const ofConnection = (item: WorkItem) =>
    item.kind !== "verification" || (connection !== null && item.key.startsWith(`${connection.id}:`));
  const isQuiet = ALL_WAITS.includes(health);
  // What stopped them is over, for no banner says it any more.
  const isLeft = (item: WorkItem) => !isQuiet && wasStopped(item);
  const standsLong = (item: WorkItem) =>
    !isQuiet && waitsLong(item, nowMs) && !(health === "failing" && hasHeardNothing(item, connection));
  const isTold = (item: WorkItem) => isHeld(item) || keepsFailing(item, nowMs) || standsLong(item) || isLeft(item);
  const others = await listOthers(store, shop);
  const left = origins.filter(({ item }) => item !== null && !keepsFailing(item, nowMs));
  const told = Map.groupBy(
    [
      ...others.filter((item) => ofConnection(item) && isTold(item)),
      ...left.flatMap((origin) => {
        const item = origin.item!;
        return standsLong(item) || (isLeft(item) && originState(origin) === "waiting") ? [item] : [];
      }),
    ],
    (item) => troubleOf(item, nowMs),
  );
  return TROUBLES.flatMap((trouble) => {
    const workItems = told.get(trouble);
    if (!workItems) return [];
    const longest = longestFailing(workItems);
    const [of] = namesOf([longest], origins);
    const named = namesOf(workItems, origins);
    return [{ trouble, count: workItems.length, failure: failureOf(longest), of: of?.name ?? null, origins: named }];
  });
}

/** Whether the service has answered nothing since it began to wait, as the banner of the connection says on every page. */
function hasHeardNothing({ reason, pendingSinceMs }: WorkItem, connection: ShopOrigins["connection"]): boolean {
  const { lastSuccessAtMs = null } = connection ?? {};
  return REASON_PLACES[reason!.code] === "fails" && (lastSuccessAtMs === null || lastSuccessAtMs <= pendingSinceMs!);
}

/** What may have to be told: what fails, is pending or was stopped, each once. */
async function listOthers({ workItems }: Pick<Services["store"], "workItems">, shop: string): Promise<WorkItem[]> {
  const of = { shop, kind: { in: BESIDE_ORIGINS } };
  const found = await Promise.all([
    workItems.list({ ...of, failingSinceMs: { gt: 0 } }),
    workItems.list({ ...of, pendingSinceMs: { gt: 0 } }),
    workItems.list({ ...of, state: "blocked" }),
  ]);
  return [...new Map(found.flat().map((item) => [item.id, item])).values()];
}

function namesOf(workItems: WorkItem[], origins: OriginRecords[]): TroubleView["origins"] {
  const keys = new Set(workItems.map(({ key }) => key));
  const concerned = origins.filter(
    ({ location, link }) =>
      keys.has(location.locationId) || (link && keys.has(verificationKey(link.connectionId, link.templateId))),
  );
  return concerned
    .slice(0, NAMED)
    .map(({ location }) => ({ legacyId: legacyIdOf(location.locationId), name: location.name }));
}

function troubleOf(item: WorkItem, nowMs: number): Trouble {
  const { kind, reason } = item;
  if (kind === "verification" || kind === "flow" || kind === "job") return kind;
  if (kind === "location" || kind === "move") return "waiting";
  if (kind === "template") return isHeld(item) ? "held" : keepsFailing(item, nowMs) ? "template" : "waiting";
  if (reason === null) return "look";
  if (FAULTS[reason.code as FaultKind]?.atService) return "book";
  return reason.code.startsWith("shopify_") ? "locations" : "look";
}
