import { restsUntilMs } from "./backoff.ts";
import { closedReason } from "./closed-reason.ts";
import { keepsFailing, waitsLong } from "./failing.ts";
import type { AddressField, ComposedOrigin, ProblemCode } from "./address/address.ts";
import { carrierStandings, isAwaited, isFinished, isVerdict } from "./verification/carrier-standing.ts";
import type { CarrierStanding } from "./verification/carrier-standing.ts";
import type { Meaning } from "./verification/verification.ts";
import type {
  ConnectionRecord,
  DetailsRecord,
  LinkRecord,
  LocationRecord,
  Policies,
  WorkItem,
  VerificationRecord,
} from "./records.ts";

/** The state of one origin as its owner sees it. The first that holds is shown; states in which a person must act come first. */
export const ORIGIN_STATES = [
  "not_included",
  "paused",
  "to_review",
  "incomplete",
  "changing",
  "conflict",
  "missing_there",
  "refused_by_service",
  "refused_by_carrier",
  "drift",
  "parked",
  "waiting",
  "verifying",
  "ready",
] as const;

export type OriginState = (typeof ORIGIN_STATES)[number];

/** Why a location is not an origin. The first three are set in Shopify; the others are the owner's own choice. */
export type ExclusionReason = "deleted" | "inactive" | "fulfillment_service" | "not_online" | "by_hand" | "excluded";

export interface OriginFacts {
  location: LocationRecord;
  details: DetailsRecord | null;
  policies: Policies;
  composed: ComposedOrigin;
  link: LinkRecord | null;
  /** The location's work item. */
  item: WorkItem | null;
  /** The verifications of the linked template. */
  verifications: VerificationRecord[];
  connection: Pick<ConnectionRecord, "state" | "backoffUntilMs" | "clientSecret"> | null;
  /** `canonicalAddress` of the template as last seen; null without one. */
  addressKey: string | null;
  /** Something that no run has seen so far would change the template or the link (`lookAhead` in behind.ts). */
  behind: boolean;
  meantKey: string | null;
  /** What each status of a carrier means (`Settings.verificationWords`). */
  words: Record<string, Meaning>;
  nowMs: number;
}

/** Null when the location is an origin. */
export function exclusionOf(facts: Pick<OriginFacts, "location" | "details" | "policies">): ExclusionReason | null {
  const { location, details, policies } = facts;
  if (location.deletedAtMs !== null) return "deleted";
  if (!location.isActive) return "inactive";
  if (details?.inclusion === "never") return "excluded";
  if (details?.inclusion === "always") return null;
  if (location.isFulfillmentService) return "fulfillment_service";
  if (policies.locations === "by_hand") return "by_hand";
  if (policies.locations === "online" && !location.fulfillsOnlineOrders) return "not_online";
  return null;
}

/** Whether the owner can make this location an origin with a button. */
export function canInclude(reason: ExclusionReason): boolean {
  return reason !== "deleted" && reason !== "inactive";
}

export function originState(facts: OriginFacts): OriginState {
  const { details, policies, composed, link, item } = facts;
  if (exclusionOf(facts) !== null) return "not_included";
  if (details?.paused || !policies.syncOn) return "paused";
  if (!details || details.confirmedAtMs === null || needsChoiceOfTemplate(item)) return "to_review";
  if (composed.attributes === null) return "incomplete";
  const fails = item !== null && keepsFailing(item, facts.nowMs);
  // A failing or long waiting work item is shown as such while its next attempt runs. After a new request, which sets its count of failures
  // to none, it is shown as changing.
  const isNoNews = item !== null && ((fails && item.failures > 0) || waitsLong(item, facts.nowMs));
  if (isUnderWay(facts) && !isNoNews) return "changing";
  if (link?.differences.some((difference) => difference.kind === "conflict")) return "conflict";
  if (link && link.missingSinceMs !== null) return "missing_there";
  if (isBlockedBy(item, "refused_by_service")) return "refused_by_service";
  const standings = carrierStandings(facts).filter((standing) => standing.chosen);
  if (standings.some((standing) => standing.outcome === "refused" && !standing.stale)) return "refused_by_carrier";
  if (link && link.differences.length > 0) return "drift";
  if (fails) return "parked";
  if (!link || isHeld(facts) || isPending(item) || isStopped(item)) return "waiting";
  // A run will come: what was saved for the whole shop reaches each location with the next reconcile.
  if (facts.behind || item?.state === "blocked") return "changing";
  return standings.every(isFinished) ? "ready" : "verifying";
}

/** A run of the location's work item is due or running and nothing delays it. A page that shows such an origin polls. */
export function isUnderWay(facts: Pick<OriginFacts, "item" | "connection" | "nowMs">): boolean {
  const { item, connection, nowMs } = facts;
  if (!item || !isPending(item) || item.state !== "active") return false;
  if (item.leaseUntilMs !== null && item.leaseUntilMs > nowMs) return true;
  return item.dueAtMs <= nowMs && connection?.state === "active" && !isBackedOff(connection, nowMs);
}

/** The work item was asked for something that no run has seen. Its run comes by itself, even if something delays it. */
export function isPending(item: WorkItem | null): boolean {
  return item !== null && item.generation > item.observedGeneration && item.state === "active";
}

function isHeld(facts: OriginFacts): boolean {
  const { connection, nowMs } = facts;
  if (connection === null || closedReason(connection) !== null) return true;
  return (isPending(facts.item) || facts.behind) && isBackedOff(connection, nowMs);
}

/** Reasons of a stopped run that the owner, or another run, has removed since. Only the next run can clear the reason. */
const MENDED: readonly unknown[] = ["incomplete", "unconfirmed", "conflict", "missing_there"];

/** The last run was kept from its work, for example because Shopify lets nobody in. Nothing known before it may be shown as in order. */
export function isStopped(item: WorkItem | null): boolean {
  return item?.state === "blocked" && !MENDED.includes(item.reason?.code);
}

function isBackedOff(connection: Pick<ConnectionRecord, "backoffUntilMs">, nowMs: number): boolean {
  return restsUntilMs(connection.backoffUntilMs, nowMs) !== null;
}

function isBlockedBy(item: WorkItem | null, code: string): boolean {
  return item?.state === "blocked" && item.reason?.code === code;
}

function needsChoiceOfTemplate(item: WorkItem | null): boolean {
  return isBlockedBy(item, "adoption_choice") || isBlockedBy(item, "template_taken");
}

const FAILS = { fails: true } as const;
const FOLLOWS = { follows: true } as const;
const GONE = { gone: true } as const;

/** The carrier's answer will come, and no earlier answer needs the owner meanwhile. */
function comesByItself(standing: CarrierStanding): boolean {
  return isAwaited(standing) && !isVerdict(standing);
}

export type ReadinessItem =
  | { code: "connection" | "included" | "confirmed" | "agreed"; met: boolean }
  /**
   * `fails`: we keep trying, and the owner need do nothing. `gone`: somebody deleted the template there, and the owner decides what
   * follows.
   */
  | { code: "saved_there"; met: boolean; follows?: true; fails?: true; gone?: true }
  | { code: "field"; met: boolean; field: AddressField; problem: ProblemCode }
  | {
      code: "carrier";
      met: boolean;
      follows?: true;
      carrier: string;
      outcome: CarrierStanding["outcome"];
      stale: boolean;
      status: string | null;
      meaning: CarrierStanding["meaning"];
      question?: NonNullable<CarrierStanding["question"]>;
    };

/**
 * What must hold before a label can leave from here, in the order in which a person would do it. An item with `follows` comes by itself
 * once the owner has done the others.
 */
export function readinessOf(facts: OriginFacts): ReadinessItem[] {
  const { details, composed, link, item } = facts;
  const errors = composed.problems.filter((problem) => problem.severity === "error");
  const differs = (link?.differences.length ?? 0) > 0;
  const fails = item !== null && keepsFailing(item, facts.nowMs);
  const connected = facts.connection?.state === "active";
  const gone = link?.missingSinceMs != null;
  // What a closed connection stopped goes on by itself once the connection is open again.
  const stuck = fails || (isStopped(item) && connected);
  const saved =
    link !== null &&
    link.syncedAtMs !== null &&
    !isPending(item) &&
    !facts.behind &&
    !stuck &&
    !gone &&
    !isStopped(item);
  return [
    { code: "connection", met: connected },
    { code: "included", met: exclusionOf(facts) === null && !details?.paused && facts.policies.syncOn },
    ...errors.map(({ field, code }) => ({ code: "field", met: false, field, problem: code }) as const),
    { code: "confirmed", met: details !== null && details.confirmedAtMs !== null && !needsChoiceOfTemplate(item) },
    {
      ...({ code: "saved_there", met: saved } as const),
      ...(saved || stuck || gone ? {} : FOLLOWS),
      ...(fails ? FAILS : {}),
      ...(gone ? GONE : {}),
    },
    ...(differs ? [{ code: "agreed", met: false } as const] : []),
    ...carrierStandings(facts)
      .filter((standing) => standing.chosen)
      .map(
        (standing) =>
          ({
            code: "carrier",
            met: isFinished(standing),
            carrier: standing.carrier,
            outcome: standing.outcome,
            stale: standing.stale,
            status: standing.status,
            meaning: standing.meaning,
            ...(standing.question ? { question: standing.question } : {}),
            ...(comesByItself(standing) || (facts.policies.verifyAfterChange && !saved && !stuck) ? FOLLOWS : {}),
          }) as const,
      ),
  ];
}
