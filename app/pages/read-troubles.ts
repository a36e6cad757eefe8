import { FAULTS } from "../domain/errors.ts";
import type { FaultKind } from "../domain/errors.ts";
import { keepsFailing, longestFailing, waitsLong } from "../domain/failing.ts";
import { legacyIdOf } from "../domain/location-id.ts";
import { isStopped, originState } from "../domain/origin-state.ts";
import type { TargetKind, TargetRecord } from "../domain/records.ts";
import { TOLD } from "../domain/told.ts";
import type { Services } from "../ports.ts";
import { failureOf, isHeld } from "../views/failure-of.ts";
import type { OriginRecords, ShopOrigins } from "../readings/read-origin-facts.ts";
import type { Trouble, TroubleView } from "../views/home.ts";
import type { ShopHealth } from "../views/shell.ts";
import { TROUBLES } from "../views/home.ts";
import { verificationKey } from "../verification/want-verification.ts";

/** Names shown of each trouble. */
const NAMED = 3;

/** Locations that fail are told as origins; whether the shop is gone concerns its operator, not an owner who reads this. */
const BESIDE_ORIGINS: readonly TargetKind[] = ["reconcile", "verification", "template"];

/** What everything waits for then stands on every page. */
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
  const ofConnection = (target: TargetRecord) =>
    target.kind !== "verification" || (connection !== null && target.key.startsWith(`${connection.id}:`));
  const isQuiet = ALL_WAITS.includes(health);
  // What stopped them is over, for no banner says it any more.
  const isLeft = (target: TargetRecord) => !isQuiet && isStopped(target);
  const standsLong = (target: TargetRecord) =>
    !isQuiet && waitsLong(target, nowMs) && !(health === "failing" && hasHeardNothing(target, connection));
  const isTold = (target: TargetRecord) =>
    isHeld(target) || keepsFailing(target, nowMs) || standsLong(target) || isLeft(target);
  const others = await listOthers(store, shop);
  const left = origins.filter(({ target }) => target !== null && !keepsFailing(target, nowMs));
  const told = Map.groupBy(
    [
      ...others.filter((target) => ofConnection(target) && isTold(target)),
      ...left.flatMap((origin) => {
        const target = origin.target!;
        return standsLong(target) || (isLeft(target) && originState(origin) === "waiting") ? [target] : [];
      }),
    ],
    (target) => troubleOf(target, nowMs),
  );
  return TROUBLES.flatMap((trouble) => {
    const targets = told.get(trouble);
    if (!targets) return [];
    const failure = failureOf(longestFailing(targets));
    return [{ trouble, count: targets.length, failure, origins: namesOf(targets, origins) }];
  });
}

/** Whether the service has answered nothing since it began to wait, as the banner of the connection says on every page. */
function hasHeardNothing({ reason, pendingSinceMs }: TargetRecord, connection: ShopOrigins["connection"]): boolean {
  const { lastSuccessAtMs = null } = connection ?? {};
  return TOLD[reason!.code] === "fails" && (lastSuccessAtMs === null || lastSuccessAtMs <= pendingSinceMs!);
}

/** What may have to be told: what fails, is pending or was stopped, each once. */
async function listOthers({ targets }: Pick<Services["store"], "targets">, shop: string): Promise<TargetRecord[]> {
  const of = { shop, kind: { in: BESIDE_ORIGINS } };
  const found = await Promise.all([
    targets.list({ ...of, failingSinceMs: { gt: 0 } }),
    targets.list({ ...of, pendingSinceMs: { gt: 0 } }),
    targets.list({ ...of, state: "blocked" }),
  ]);
  return [...new Map(found.flat().map((target) => [target.id, target])).values()];
}

function namesOf(targets: TargetRecord[], origins: OriginRecords[]): TroubleView["origins"] {
  const keys = new Set(targets.map(({ key }) => key));
  const concerned = origins.filter(
    ({ location, link }) =>
      keys.has(location.locationId) || (link && keys.has(verificationKey(link.connectionId, link.templateId))),
  );
  return concerned
    .slice(0, NAMED)
    .map(({ location }) => ({ legacyId: legacyIdOf(location.locationId), name: location.name }));
}

function troubleOf(target: TargetRecord, nowMs: number): Trouble {
  const { kind, reason } = target;
  if (kind === "verification") return kind;
  if (kind === "location") return "waiting";
  if (kind === "template") return isHeld(target) ? "held" : keepsFailing(target, nowMs) ? "template" : "waiting";
  if (reason === null) return "look";
  if (FAULTS[reason.code as FaultKind]?.atService) return "book";
  return reason.code.startsWith("shopify_") ? "locations" : "look";
}
