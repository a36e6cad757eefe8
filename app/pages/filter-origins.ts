import { shopifyLines } from "../domain/address/lines.ts";
import { keepsFailing, waitsLong } from "../domain/failing.ts";
import { legacyIdOf } from "../domain/location-id.ts";
import { withoutMarker } from "../domain/marker.ts";
import { ORIGIN_STATES } from "../domain/origin-state.ts";
import type { OriginState } from "../domain/origin-state.ts";
import { holdsWords } from "../domain/search-text.ts";
import { answerOf, CARRIER_ANSWERS } from "../domain/verification/carrier-standing.ts";
import type { OriginStatus } from "../readings/origin-status.ts";
import type { OriginRecords } from "../readings/read-origin-facts.ts";
import type { OriginProblem, OriginTab, OriginsQuery } from "../views/origins.ts";

/** Which origins a list's query leaves, and in which order. An origin's state is in no column, so both happen after the reading. */

/** Which tab an origin belongs to, beside `all`. */
export function tabOf({ state, outlook }: OriginStatus): Exclude<OriginTab, "all"> {
  if (state === "not_included" || state === "paused") return "not_included";
  return TAB_OF[outlook.attention];
}

const TAB_OF = { yours: "needs_you", itself: "under_way", none: "ready" } as const;

export function matches(candidate: OriginStatus, query: OriginsQuery): boolean {
  const { origin, state, standings } = candidate;
  const { tab, state: only, carrier, problem, locations, search } = query;
  if (tab !== "all" && tabOf(candidate) !== tab) return false;
  if (only !== null && state !== only) return false;
  if (locations !== null && !locations.includes(legacyIdOf(origin.location.locationId))) return false;
  if (problem !== null && !hasProblem(candidate, problem)) return false;
  if (carrier !== null) {
    const standing = standings.find((one) => one.carrier === carrier.carrier);
    if (!isUsed(state) || !standing || answerOf(standing) !== carrier.answer) return false;
  }
  return (
    search.trim() === "" ||
    holdsWords([origin.location.name, addressLine(origin), aliasOf(origin) ?? ""].join(" "), search)
  );
}

/** What each state has a problem with; `unsaved` only where it waits for its owner. */
const PROBLEM_OF: Partial<Record<OriginState, Exclude<OriginProblem, "any">>> = {
  to_review: "details",
  incomplete: "details",
  refused_by_service: "refused",
  conflict: "changed",
  missing_there: "changed",
  drift: "changed",
  parked: "unsaved",
  waiting: "unsaved",
};

function hasProblem({ origin, state, outlook, standings }: OriginStatus, asked: OriginProblem): boolean {
  const { item, nowMs } = origin;
  const found = new Set<OriginProblem>();
  // Of a location that left, too: its template may be one that cannot be deleted.
  if (item !== null && (keepsFailing(item, nowMs) || waitsLong(item, nowMs))) found.add("unsaved");
  if (!isUsed(state)) return asked === "any" ? found.size > 0 : found.has(asked);
  const ofState = outlook.attention === "yours" ? PROBLEM_OF[state] : undefined;
  // What is merely to be looked at waits for its owner's word alone.
  const lacks = origin.composed.problems.some(({ severity, code }) => severity === "error" && code !== "unconfirmed");
  if (ofState && (ofState !== "details" || lacks)) found.add(ofState);
  // Beside the state: the first problem alone is an origin's state.
  const answers = standings.filter(({ chosen }) => chosen).map(answerOf);
  if (answers.includes("refused")) found.add("refused");
  if (answers.includes("inconclusive") || answers.includes("no_answer")) found.add("inconclusive");
  return asked === "any" ? ofState !== undefined || found.size > 0 : found.has(asked);
}

/** How many fields are empty that must not be. */
export function missingFields({ composed }: OriginRecords): number {
  return composed.problems.filter(({ code, severity }) => code === "missing" && severity === "error").length;
}

const isUsed = (state: OriginState): boolean => state !== "not_included" && state !== "paused";

/** They come by name, which is also the order among equals. */
export function sorted(candidates: OriginStatus[], { sort, descending }: OriginsQuery): OriginStatus[] {
  if (sort === "name") return descending ? candidates.toReversed() : candidates;
  const rank = RANKS[sort];
  return candidates.toSorted((a, b) => (descending ? rank(b) - rank(a) : rank(a) - rank(b)));
}

const ATTENTION = { yours: 0, itself: 1, none: 2 } as const;

/** The lowest comes first. */
const RANKS: Record<Exclude<OriginsQuery["sort"], "name">, (status: OriginStatus) => number> = {
  state: (status) => {
    const turn = isUsed(status.state) ? ATTENTION[status.outlook.attention] : 3;
    return turn * ORIGIN_STATES.length + ORIGIN_STATES.indexOf(status.state);
  },
  carriers: ({ state, standings }) => {
    if (!isUsed(state)) return CARRIER_ANSWERS.length;
    const answers = standings.filter(({ chosen }) => chosen).map(answerOf);
    const worst = WORST_FIRST.findIndex((answer) => answers.includes(answer));
    return worst === -1 ? WORST_FIRST.length : worst;
  },
  synced: ({ origin }) => origin.link?.syncedAtMs ?? 0,
};

const WORST_FIRST = ["refused", "inconclusive", "no_answer", "not_asked", "waiting", "accepted"] as const;

function aliasOf(origin: OriginRecords): string | null {
  return origin.template?.template.alias_name ?? origin.link?.answered?.alias_name ?? null;
}

/** The alias of an origin's template without our code, by which only we need to find it again. */
export function shownAlias(origin: OriginRecords): string | null {
  const alias = aliasOf(origin);
  return alias === null ? null : withoutMarker(alias);
}

/** Where it is, as a list tells one location from another: the town and the state, once where they have one name. */
export function placeLine({ location: { address } }: OriginRecords): string {
  return [...new Set([address.city, address.province].filter(Boolean))].join(", ");
}

/** Shopify's text of the address, in one line. */
export function addressLine(origin: OriginRecords): string {
  return shopifyLines(origin.location.address).join(", ");
}
