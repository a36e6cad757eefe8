import { legacyIdOf } from "../domain/location-id.ts";
import type { ActivityRecord, LocationRecord } from "../domain/records.ts";
import { dayBeginsMs, dayEndsMs } from "../domain/zone-days.ts";
import type { Condition, Services, Store, Where } from "../ports.ts";
import { knownLocations } from "../readings/known-rows.ts";
import { environmentOf } from "../domain/closed-reason.ts";
import { knownShop } from "../readings/known-shop.ts";
import type { KnownShop } from "../readings/known-shop.ts";
import { ACTIVITY_TOPICS } from "../views/activity.ts";
import type { ActivityEntryView, ActivityQuery, ActivityView } from "../views/activity.ts";

const PAGE_SIZE = 25;
export const KEPT_DAYS = 90;

/** Who did what, newest first, one page of what the filters leave. Null when the shop is unknown. */
export async function readActivity(
  { store, staffId = null }: Pick<Services, "store" | "staffId">,
  { shop, query }: { shop: string; query: ActivityQuery },
): Promise<ActivityView | null> {
  const known = await knownShop({ store }, { shop });
  if (!known) return null;
  const atMs = within(spanOf(query, known.shop.timeZone));
  const where: Where<ActivityRecord> = { ...whereOf(known, query), ...(atMs ? { atMs } : {}) };
  const [total, locations] = await Promise.all([store.activity.count(where), knownLocations(store, shop)]);
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const page = Math.min(Math.max(1, query.page), pages);
  const rows = await store.activity.list(where, {
    orderBy: { atMs: "desc", id: "desc" },
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
  });
  return {
    query: { ...query, page },
    entries: await placed({ store, staffId }, { known, rows, locations }),
    total,
    pages,
    days: KEPT_DAYS,
    locations: locations.map(({ locationId: id, name }) => ({ locationId: id, name })),
  };
}

/** What is left of the log by everything but the time. Each environment has its own. */
export function whereOf(
  { shop: { shop }, connection }: KnownShop,
  { actor, outcome, locationId, topic }: ActivityQuery,
): Where<ActivityRecord> {
  return {
    shop,
    environment: environmentOf(connection),
    ...(actor ? { actor } : {}),
    ...(outcome ? { outcome } : {}),
    ...(locationId ? { locationId } : {}),
    ...(topic ? { kind: { in: ACTIVITY_TOPICS[topic] } } : {}),
  };
}

/** From a moment on, until before another; null for no end. */
export interface Span {
  fromMs: number | null;
  toMs: number | null;
}

/** The days that a query asks for, as they are in the shop's time zone. */
export function spanOf({ from, to }: ActivityQuery, timeZone: string): Span {
  return {
    fromMs: from === null ? null : dayBeginsMs(from, timeZone),
    toMs: to === null ? null : dayEndsMs(to, timeZone),
  };
}

function within({ fromMs, toMs }: Span): Condition<number> | null {
  if (fromMs !== null && toMs !== null) return { gte: fromMs, lt: toMs };
  if (fromMs !== null) return { gte: fromMs };
  return toMs === null ? null : { lt: toMs };
}

/**
 * What was noted of a template alone is shown with the location that template stands for, or is to stand for once it has moved. A location
 * that has no page any more is named without its id.
 */
export async function placed(
  { store, staffId = null }: Pick<Services, "store" | "staffId">,
  { known, rows, locations }: { known: KnownShop; rows: ActivityRecord[]; locations: LocationRecord[] },
): Promise<ActivityEntryView[]> {
  const { shop } = known.shop;
  const templateIds = rows.flatMap((row) =>
    row.locationId === null && row.templateId !== null ? [row.templateId] : [],
  );
  const links = templateIds.length > 0 ? await store.links.list({ shop, templateId: { in: templateIds } }) : [];
  const locationOf = new Map<string | null, string>(links.map((link) => [link.templateId, link.locationId]));
  const others = templateIds.filter((templateId) => !locationOf.has(templateId));
  const moves = others.length > 0 ? await store.moves.list({ shop, templateId: { in: others } }) : [];
  for (const { templateId, locationId } of moves) locationOf.set(templateId, locationId);
  const names = new Map(locations.map((location) => [location.locationId, location.name]));
  const placeOf = ({ locationId, templateId }: ActivityRecord) =>
    locationId ?? (templateId && locationOf.get(templateId)) ?? null;
  const gone = await withoutPage(store, { known, locations, places: new Set(rows.map(placeOf)) });
  return rows.map((row) => {
    const { shop: _shop, locationId: _locationId, ...entry } = row;
    const place = placeOf(row);
    const locationName = entry.locationName ?? (place && names.get(place)) ?? null;
    return {
      ...entry,
      locationName,
      legacyId: place && !gone.has(place) ? legacyIdOf(place) : null,
      isYours: entry.staffId !== null && entry.staffId === staffId,
    };
  });
}

/** Of some places those that Shopify no longer has and that are linked to no address: their page shows nothing, so nothing links to it. */
async function withoutPage(
  { links }: Pick<Store, "links">,
  {
    known: { shop, connection },
    locations,
    places,
  }: { known: KnownShop; locations: readonly LocationRecord[]; places: ReadonlySet<string | null> },
): Promise<Set<string>> {
  const deleted = locations.filter(({ locationId, deletedAtMs }) => deletedAtMs !== null && places.has(locationId));
  const gone = new Set(deleted.map(({ locationId }) => locationId));
  if (gone.size === 0 || !connection) return gone;
  const own = { shop: shop.shop, connectionId: connection.id, locationId: { in: [...gone] } };
  for (const { locationId } of await links.list(own)) gone.delete(locationId);
  return gone;
}
