import { shopifyLines } from "../domain/address/lines.ts";
import { legacyIdOf } from "../domain/location-id.ts";
import { withoutMarker } from "../domain/marker.ts";
import type { OriginState } from "../domain/origin-state.ts";
import { ORIGIN_STATES, readinessOf } from "../domain/origin-state.ts";
import { holdsWords } from "../domain/search-text.ts";
import type { Services } from "../ports.ts";
import { readJob } from "../jobs/read-job.ts";
import { summaryOfConnection } from "../views/connection-summary.ts";
import { originStatuses } from "../readings/origin-status.ts";
import type { OriginStatus } from "../readings/origin-status.ts";
import type { OriginRecords } from "../readings/read-origin-facts.ts";
import { readOriginFacts } from "../readings/read-origin-facts.ts";
import type { OriginRowView, OriginTab, OriginsQuery, OriginsView } from "../views/origins.ts";
import { ORIGIN_TABS } from "../views/origins.ts";

/** Rows on a page of the list. */
const PAGE_SIZE = 25;

/** Which tab a state belongs to, beside `all`. */
const TAB_OF: Record<OriginState, Exclude<OriginTab, "all">> = {
  not_included: "not_included",
  paused: "not_included",
  to_review: "needs_you",
  incomplete: "needs_you",
  conflict: "needs_you",
  missing_there: "needs_you",
  refused_by_service: "needs_you",
  refused_by_carrier: "needs_you",
  drift: "needs_you",
  parked: "needs_you",
  changing: "under_way",
  waiting: "under_way",
  verifying: "under_way",
  ready: "ready",
};

/** The list of origins: filtered, sorted, one page of it. Null when the shop is unknown. */
export async function readOrigins(
  services: Services,
  { shop, query }: { shop: string; query: OriginsQuery },
): Promise<OriginsView | null> {
  const known = await readOriginFacts(services, { shop });
  if (!known) return null;
  const candidates = await originStatuses(services, known.origins);
  const found = sorted(
    candidates.filter((candidate) => matches(candidate, query)),
    query,
  );
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const page = Math.min(Math.max(1, query.page), pages);
  return {
    query: { ...query, page },
    rows: found
      .slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
      .map((one) => rowOf(one, known.shop.policies.defaultLocationId)),
    counts: countTabs(candidates),
    toReview: candidates.filter(({ state }) => state === "to_review" || state === "incomplete").length,
    total: found.length,
    pages,
    carriers: known.shop.policies.carriers,
    job: await readJob(services, { shop }),
    connection: summaryOfConnection(known.connection),
    reconciledAtMs: known.shop.reconciledAtMs,
    nowMs: known.nowMs,
    timeZone: known.shop.timeZone,
  };
}

/** Every location of a filter, all pages: what "select all" means. */
export async function findOriginIds(
  services: Services,
  { shop, query }: { shop: string; query: OriginsQuery },
): Promise<string[]> {
  const known = await readOriginFacts(services, { shop });
  return (await originStatuses(services, known?.origins ?? []))
    .filter((candidate) => matches(candidate, query))
    .map(({ origin }) => origin.location.locationId);
}

function matches({ origin, state }: OriginStatus, { tab, state: only, search }: OriginsQuery): boolean {
  if (tab !== "all" && TAB_OF[state] !== tab) return false;
  if (only !== null && state !== only) return false;
  return (
    search.trim() === "" ||
    holdsWords([origin.location.name, addressLine(origin), aliasOf(origin) ?? ""].join(" "), search)
  );
}

/** They come by name, which is also the order among equals. */
function sorted(candidates: OriginStatus[], { sort, descending }: OriginsQuery): OriginStatus[] {
  if (sort === "name") return descending ? candidates.toReversed() : candidates;
  const rank = ({ state, origin }: OriginStatus): number =>
    sort === "state" ? ORIGIN_STATES.indexOf(state) : (origin.link?.syncedAtMs ?? 0);
  return candidates.toSorted((a, b) => (descending ? rank(b) - rank(a) : rank(a) - rank(b)));
}

function countTabs(candidates: OriginStatus[]): OriginsView["counts"] {
  const counts = Object.fromEntries(ORIGIN_TABS.map((tab) => [tab, 0])) as OriginsView["counts"];
  for (const { state } of candidates) counts[TAB_OF[state]] += 1;
  counts.all = candidates.length;
  return counts;
}

function rowOf({ origin, state, standings }: OriginStatus, defaultLocationId: string | null): OriginRowView {
  return {
    locationId: origin.location.locationId,
    legacyId: legacyIdOf(origin.location.locationId),
    name: origin.location.name,
    address: addressLine(origin),
    aliasName: shownAlias(origin),
    isDefault: origin.location.locationId === defaultLocationId,
    state,
    missing: readinessOf(origin).filter((item) => item.code === "field").length,
    standings,
    syncedAtMs: origin.link?.syncedAtMs ?? null,
  };
}

function aliasOf(origin: OriginRecords): string | null {
  return origin.template?.template.alias_name ?? origin.link?.answered?.alias_name ?? null;
}

/** The alias of an origin's template without our code, by which only we need to find it again. */
export function shownAlias(origin: OriginRecords): string | null {
  const alias = aliasOf(origin);
  return alias === null ? null : withoutMarker(alias);
}

function addressLine(origin: OriginRecords): string {
  return shopifyLines(origin.location.address).join(", ");
}
