import { environmentOf } from "../domain/closed-reason.ts";
import { legacyIdOf } from "../domain/location-id.ts";
import type { ActivityRecord } from "../domain/records.ts";
import { dayBeginsMs, dayEndsMs } from "../domain/zone-days.ts";
import type { Services, Where } from "../ports.ts";
import { knownShop } from "../readings/known-shop.ts";
import { MOST_LINES } from "../views/report.ts";
import type { ReportView } from "../views/report.ts";
import { KEPT_DAYS, placed } from "./read-activity.ts";
import { dayOf } from "./zoned-day.ts";

/** How long a report goes back where nobody says, in days. */
const USUAL_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

export interface ReportQuery {
  from: string | null;
  to: string | null;
}

/**
 * A report on one origin, of the activity log alone: what was noted of the location, and what was noted of its templates, such as carriers'
 * answers. Null when the shop has no such location.
 */
export async function readReport(
  { store, clock }: Pick<Services, "store" | "clock">,
  { shop, locationId, query }: { shop: string; locationId: string; query: ReportQuery },
): Promise<ReportView | null> {
  const known = await knownShop({ store }, { shop });
  const location = await store.locations.find({ shop, locationId });
  if (!known || !location) return null;
  const { timeZone } = known.shop;
  const nowMs = clock.nowMs();
  const to = query.to ?? dayOf(nowMs, timeZone);
  const from = query.from ?? dayOf(nowMs - USUAL_DAYS * DAY_MS, timeZone);
  const [gte, lt] = [dayBeginsMs(from, timeZone), dayEndsMs(to, timeZone)];
  if (gte === null || lt === null)
    return readReport({ store, clock }, { shop, locationId, query: { from: null, to: null } });
  const environment = environmentOf(known.connection);
  const within = { shop, environment, atMs: { gte, lt } };
  const own = await readLines(store, { ...within, locationId });
  const links = await store.links.list({ shop, environment, locationId });
  const templateIds = [...new Set([...own.rows, ...links].flatMap(({ templateId }) => templateId ?? []))];
  const ofTemplates =
    templateIds.length > 0
      ? await readLines(store, { ...within, locationId: null, templateId: { in: templateIds } })
      : { rows: [], total: 0 };
  const rows = [...own.rows, ...ofTemplates.rows]
    .toSorted((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1))
    .slice(-MOST_LINES);
  return {
    shop,
    legacyId: legacyIdOf(locationId),
    name: location.name,
    from,
    to,
    timeZone,
    templateIds,
    // It is for others to read, to whom nobody is "you".
    entries: await placed({ store }, { known, rows, locations: [location] }),
    total: own.total + ofTemplates.total,
    days: KEPT_DAYS,
    madeAtMs: nowMs,
  };
}

async function readLines(
  store: Services["store"],
  where: Where<ActivityRecord>,
): Promise<{ rows: ActivityRecord[]; total: number }> {
  const rows = await store.activity.list(where, { orderBy: { atMs: "desc", id: "desc" }, limit: MOST_LINES });
  return { rows, total: rows.length < MOST_LINES ? rows.length : await store.activity.count(where) };
}
