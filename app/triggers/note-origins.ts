import { NOTHING_SEEN, originNews, originSeen, originSeenAtFirst } from "../domain/flow/triggers.ts";
import type { Services, Tables } from "../ports.ts";
import { readOriginWithin } from "../readings/read-origin-facts.ts";
import { isOfProduction, LOOK, noteEvents, triggersInUse } from "./note-events.ts";

type Needs = Pick<Services, "clock" | "random" | "log"> & { settings: Pick<Services["settings"], "verificationWords"> };

/**
 * Compares origins with what was last seen of them, and notes an event for each news. Called in the transaction that changes something of
 * them, as its last step. It costs one row where no workflow of the shop uses a trigger. What goes wrong with one origin is logged, and keeps
 * back neither a run nor another origin's news: where the store failed, the transaction fails by itself.
 */
export async function noteOrigins(
  services: Needs,
  tables: Tables,
  { shop, locationIds }: { shop: string; locationIds: readonly string[] },
): Promise<void> {
  if (locationIds.length === 0 || !(await isUsedBy(tables, shop)) || !(await isOfProduction(tables, shop))) return;
  for (const locationId of locationIds) {
    try {
      await noteOrigin(services, tables, { shop, locationId });
    } catch (error) {
      services.log.error({ shop, locationId, error }, "news of an origin were not noted for Flow");
    }
  }
}

export async function isUsedBy(tables: Pick<Tables, "shops">, shop: string): Promise<boolean> {
  const known = await tables.shops.find({ shop });
  return known !== null && triggersInUse(known).length > 0;
}

async function noteOrigin(services: Needs, tables: Tables, own: { shop: string; locationId: string }): Promise<void> {
  const origin = await readOriginWithin({ ...services, store: tables }, own);
  if (!origin) return void (await tables.flowOrigins.delete(own));
  const known = await tables.flowOrigins.find(own);
  // The present facts of origins that were there before a workflow was turned on are no news.
  if (!known && (await isFirstLook(tables, own.shop)))
    return void (await tables.flowOrigins.insert({ ...own, seen: originSeenAtFirst(origin) }));
  const after = originSeen(origin);
  if (!after) return;
  const before = known?.seen ?? NOTHING_SEEN;
  if (known && isSame(before, after)) return;
  // First, for what was written down as seen is told never more.
  await noteEvents(services, tables, { ...own, news: originNews(origin, { before, after }) });
  if (known) await tables.flowOrigins.update(own, { seen: after });
  else await tables.flowOrigins.insert({ ...own, seen: after });
}

/** Whether the look at all origins that began with the first workflow has still to come to some. */
async function isFirstLook({ workItems }: Pick<Tables, "workItems">, shop: string): Promise<boolean> {
  return (await workItems.count({ shop, kind: "flow", key: LOOK, observedGeneration: 0 })) > 0;
}

export function isSame<T>(a: T, b: T): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
