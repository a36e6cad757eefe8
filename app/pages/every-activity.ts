import type { ActivityRecord, LocationRecord } from "../domain/records.ts";
import type { Condition, Services, Where } from "../ports.ts";
import { knownLocations } from "../readings/known-rows.ts";
import { knownShop } from "../readings/known-shop.ts";
import type { ActivityEntryView, ActivityQuery } from "../views/activity.ts";
import { placed, spanOf, whereOf } from "./read-activity.ts";
import type { Span } from "./read-activity.ts";

/** How many lines are held at a time. With more, what is collected while they are held outlives it, and waits for a collection of everything. */
const AT_A_TIME = 100;

export interface WholeActivity {
  timeZone: string;
  locations: readonly Pick<LocationRecord, "locationId" | "name">[];
  /** Newest first, some at a time; lines that are written meanwhile are left out. */
  some: AsyncGenerator<ActivityEntryView[]>;
}

/**
 * All of the log that a query leaves, however long it is, in bounded memory. It is read from a place in it and not by numbers of pages: each
 * part goes on right after the last line of the part before, so no part takes longer than the first, and a line that is written meanwhile
 * moves none into another part. Null when the shop is unknown.
 */
export async function everyActivity(
  services: Pick<Services, "store" | "staffId">,
  { shop, query }: { shop: string; query: ActivityQuery },
): Promise<WholeActivity | null> {
  const { store } = services;
  const known = await knownShop(services, { shop });
  if (!known) return null;
  const { timeZone } = known.shop;
  const locations = await knownLocations(store, shop);
  const span = spanOf(query, timeZone);
  const where = whereOf(known, query);
  const some = async function* (): AsyncGenerator<ActivityEntryView[]> {
    for await (const rows of parts(services, { where, ...span }))
      yield await placed(services, { known, rows, locations });
  };
  return { timeZone, locations, some: some() };
}

async function* parts(
  { store }: Pick<Services, "store">,
  { where, fromMs, toMs }: Span & { where: Where<ActivityRecord> },
): AsyncGenerator<ActivityRecord[]> {
  const newestFirst = { orderBy: { atMs: "desc", id: "desc" }, limit: AT_A_TIME } as const;
  let before = toMs ?? Number.MAX_SAFE_INTEGER;
  for (;;) {
    const atMs: Condition<number> = fromMs === null ? { lt: before } : { gte: fromMs, lt: before };
    const rows = await store.activity.list({ ...where, atMs }, newestFirst);
    if (rows.length > 0) yield rows;
    if (rows.length < AT_A_TIME) return;
    let last = rows.at(-1)!;
    // Others of the same millisecond.
    for (;;) {
      const others = await store.activity.list({ ...where, atMs: last.atMs, id: { lt: last.id } }, newestFirst);
      if (others.length > 0) yield others;
      if (others.length < AT_A_TIME) break;
      last = others.at(-1)!;
    }
    before = last.atMs;
  }
}
