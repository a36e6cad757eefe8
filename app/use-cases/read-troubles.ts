import { NEVER_MS } from "../domain/backoff.ts";
import { FAULTS } from "../domain/errors.ts";
import type { FaultKind } from "../domain/errors.ts";
import { keepsFailing, longestFailing } from "../domain/failing.ts";
import { legacyIdOf } from "../domain/location-id.ts";
import type { TargetKind, TargetRecord } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { failureOf, isHeld } from "./failure-of.ts";
import type { OriginRecords, ShopOrigins } from "./read-origin-facts.ts";
import type { Trouble, TroubleView } from "./views/home.ts";
import { TROUBLES } from "./views/home.ts";
import { verificationKey } from "./want-verification.ts";

/** Names shown of each trouble. */
const NAMED = 3;

/** Locations are told as origins; whether the shop is gone concerns its operator, not an owner who reads this. */
const TOLD: readonly TargetKind[] = ["reconcile", "verification", "template"];

/** The shop's work beside its origins' own that keeps failing, by what it means to the owner. */
export async function readTroubles(
  { store }: Pick<Services, "store">,
  { shop: { shop }, connection, origins, nowMs }: ShopOrigins,
): Promise<TroubleView[]> {
  const failing = await store.targets.list({ shop, kind: { in: TOLD }, failingSinceMs: { gt: 0 } });
  const ofConnection = (target: TargetRecord) =>
    target.kind !== "verification" || (connection !== null && target.key.startsWith(`${connection.id}:`));
  const waiting = await store.targets.list({ shop, kind: "template", state: "active", dueAtMs: { lt: NEVER_MS } });
  const told = Map.groupBy(
    [
      ...failing.filter((target) => !isHeld(target) && keepsFailing(target, nowMs) && ofConnection(target)),
      ...waiting.filter(isHeld),
    ],
    troubleOf,
  );
  return TROUBLES.flatMap((trouble) => {
    const targets = told.get(trouble);
    if (!targets) return [];
    const failure = failureOf(longestFailing(targets));
    return [{ trouble, count: targets.length, failure, origins: namesOf(targets, origins) }];
  });
}

function namesOf(targets: TargetRecord[], origins: OriginRecords[]): TroubleView["origins"] {
  const keys = new Set(targets.map(({ key }) => key));
  const concerned = origins.filter(({ link }) => link && keys.has(verificationKey(link.connectionId, link.templateId)));
  return concerned
    .slice(0, NAMED)
    .map(({ location }) => ({ legacyId: legacyIdOf(location.locationId), name: location.name }));
}

function troubleOf(target: TargetRecord): Trouble {
  const { kind, reason } = target;
  if (isHeld(target)) return "held";
  if (kind === "verification" || kind === "template") return kind;
  if (reason === null) return "look";
  if (FAULTS[reason.code as FaultKind]?.atService) return "book";
  return reason.code.startsWith("shopify_") ? "locations" : "look";
}
