import { legacyIdOf } from "../domain/location-id.ts";
import { exclusionOf } from "../domain/origin-state.ts";
import { moveNews } from "../domain/plan/move-news.ts";
import type { ShopRecord } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { readJob } from "../jobs/read-job.ts";
import { summaryOfConnection } from "../views/connection-summary.ts";
import { originStatuses } from "../readings/origin-status.ts";
import type { OriginStatus } from "../readings/origin-status.ts";
import { readOriginFacts } from "../readings/read-origin-facts.ts";
import type { OriginRowView, OriginsQuery, OriginsView } from "../views/origins.ts";
import { ORIGIN_TABS } from "../views/origins.ts";
import { addressLine, matches, missingFields, placeLine, sorted, tabOf } from "./filter-origins.ts";
import { isDisconnected } from "../domain/closed-reason.ts";
import { wholeLookAtMs } from "../readings/whole-look.ts";

/** Rows on a page of the list. */
const PAGE_SIZE = 25;

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
    rows: found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((one) => rowOf(one, known.shop)),
    counts: countTabs(candidates),
    toReview: candidates.filter(({ state }) => state === "to_review" || state === "incomplete").length,
    total: found.length,
    pages,
    carriers: known.shop.policies.carriers,
    job: await readJob(services, { shop }),
    connection: summaryOfConnection(known.connection),
    reconciledAtMs: isDisconnected(known.connection)
      ? known.shop.reconciledAtMs
      : wholeLookAtMs(known.shop, known.connection),
    nowMs: known.nowMs,
    timeZone: known.shop.timeZone,
  };
}

/** The origins of a filter, all pages of them, in the filter's order. Null when the shop is unknown. */
export async function findOrigins(
  services: Services,
  { shop, query }: { shop: string; query: OriginsQuery },
): Promise<{ shop: ShopRecord; origins: OriginStatus[] } | null> {
  const known = await readOriginFacts(services, { shop });
  if (!known) return null;
  const candidates = await originStatuses(services, known.origins);
  const origins = sorted(
    candidates.filter((candidate) => matches(candidate, query)),
    query,
  );
  return { shop: known.shop, origins };
}

/** Every location of a filter, all pages: what "select all" means. */
export async function findOriginIds(
  services: Services,
  asked: { shop: string; query: OriginsQuery },
): Promise<string[]> {
  const found = await findOrigins(services, asked);
  return (found?.origins ?? []).map(({ origin }) => origin.location.locationId);
}

function countTabs(candidates: OriginStatus[]): OriginsView["counts"] {
  const counts = Object.fromEntries(ORIGIN_TABS.map((tab) => [tab, 0])) as OriginsView["counts"];
  for (const candidate of candidates) counts[tabOf(candidate)] += 1;
  counts.all = candidates.length;
  return counts;
}

function rowOf({ origin, state, outlook, standings }: OriginStatus, { policies, timeZone }: ShopRecord): OriginRowView {
  return {
    locationId: origin.location.locationId,
    legacyId: legacyIdOf(origin.location.locationId),
    name: origin.location.name,
    address: addressLine(origin),
    place: placeLine(origin),

    isDefault: origin.location.locationId === policies.defaultLocationId,
    state,
    outlook,
    abroad: exclusionOf(origin) === "abroad",
    missing: missingFields(origin),
    standings,
    move: moveNews({ ...origin, timeZone }),
    syncedAtMs: origin.link?.syncedAtMs ?? null,
  };
}
