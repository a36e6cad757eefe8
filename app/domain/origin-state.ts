import { restsUntilMs } from "./backoff.ts";
import { closedReason, isClosedReason } from "./closed-reason.ts";
import { keepsFailing, waitsLong } from "./failing.ts";
import { isAbroad } from "./address/is-abroad.ts";
import type { ComposedOrigin } from "./address/address.ts";
import { carrierStandings, isAwaited, isFinished } from "./verification/carrier-standing.ts";
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
  "unverified",
  "waiting",
  "verifying",
  "ready",
] as const;

export type OriginState = (typeof ORIGIN_STATES)[number];

/**
 * Why a location is not an origin. The first four come from Shopify; the others are the owner's own choice. `abroad`: the shipping service
 * states its fields for Mexico only.
 */
export type ExclusionReason =
  "deleted" | "inactive" | "abroad" | "fulfillment_service" | "not_online" | "by_hand" | "excluded";

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
  /**
   * Something that no run has seen so far would change the template or the link (`lookAhead` in behind.ts), or may: Shopify has told of a
   * change that is still to be read.
   */
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
  if (isAbroad(location.address)) return "abroad";
  if (details?.inclusion === "never") return "excluded";
  if (details?.inclusion === "always") return null;
  if (location.isFulfillmentService) return "fulfillment_service";
  if (policies.locations === "by_hand") return "by_hand";
  if (policies.locations === "online" && !location.fulfillsOnlineOrders) return "not_online";
  return null;
}

/** Whether the owner can make this location an origin with a button. */
export function canInclude(reason: ExclusionReason): boolean {
  return reason !== "deleted" && reason !== "inactive" && reason !== "abroad";
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
  if (!link || isHeld(facts) || isPending(item) || isStopped(facts)) return "waiting";
  const open = standings.filter((standing) => !isFinished(standing));
  // Each page says at its top what the owner has to do, and nothing is to be done to this origin's address.
  if (isLockedOut(facts.connection)) return open.length === 0 ? "ready" : "waiting";
  // A run will come: what was saved for the whole shop reaches each location with the next reconcile.
  if (facts.behind || item?.state === "blocked") return "changing";
  if (open.length === 0) return "ready";
  return open.every(isAwaited) ? "verifying" : "unverified";
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
  const waits = isPending(facts.item) || facts.behind;
  if (isLockedOut(connection)) return waits;
  if (connection === null || closedReason(connection) !== null) return true;
  return waits && isBackedOff(connection, nowMs);
}

/**
 * The service refuses our credentials, or we cannot read them any more. The account itself is as it was, so only what is to be changed in it
 * waits. Where no account is connected, or perhaps another one, nothing is known of it.
 */
export function isLockedOut(connection: OriginFacts["connection"]): boolean {
  const reason = closedReason(connection);
  return reason === "invalid_client" || reason === "secret_unreadable";
}

/** Reasons of a stopped run that the owner, or another run, has removed since. Only the next run can clear the reason. */
const MENDED: readonly unknown[] = ["incomplete", "unconfirmed", "conflict", "missing_there"];

/** The last run was kept from its work, for example because Shopify lets nobody in. */
export function wasStopped(item: WorkItem | null): boolean {
  return item?.state === "blocked" && !MENDED.includes(item.reason?.code);
}

/** Nothing known before a stopped run may be shown as in order, unless only our credentials stopped it and it had nothing to save. */
export function isStopped({ item, connection, behind }: OriginFacts): boolean {
  return wasStopped(item) && (behind || !(isLockedOut(connection) && isClosedReason(item!.reason)));
}

function isBackedOff(connection: Pick<ConnectionRecord, "backoffUntilMs">, nowMs: number): boolean {
  return restsUntilMs(connection.backoffUntilMs, nowMs) !== null;
}

function isBlockedBy(item: WorkItem | null, code: string): boolean {
  return item?.state === "blocked" && item.reason?.code === code;
}

export function needsChoiceOfTemplate(item: WorkItem | null): boolean {
  return isBlockedBy(item, "adoption_choice") || isBlockedBy(item, "template_taken");
}
