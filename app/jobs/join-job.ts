import { skipReason } from "../domain/plan/skip-reason.ts";
import type { JobItemRecord, JobRecord, LocationRecord } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { skipItems } from "../sync/leave-location.ts";
import type { Asked } from "./confirm-row.ts";
import { REVIEW_CONFIRMED } from "./job-kinds.ts";

/** A row as a job that has not asked for it keeps it, and how what Review confirms joins a sync that runs. */

/** What Review asked for before its job is stored. */
export interface Review {
  sinceMs: number;
  rows: ReadonlyMap<string, Asked>;
}

export type Able = Pick<LocationRecord, "locationId">;

/** `generation` 0 with no work item: not asked yet. */
export function waitingItem({ id, shop }: JobRecord, locationId: string): JobItemRecord {
  return {
    jobId: id,
    shop,
    locationId,
    workItemId: null,
    since: 0,
    generation: 0,
    confirmed: null,
    stated: null,
    state: "waiting",
    detail: null,
  };
}

type Joining = { job: JobRecord; asked: Review };
type Row = [locationId: string, asked: Asked];

/** The first rows; Review tells of the job from then on, and the line in *Activity* is how it knows. In the caller's transaction. */
export async function joinFirst(
  services: Services,
  tables: Tables,
  { job, asked, some }: Joining & { some: Row[] },
): Promise<void> {
  await joinSome(services, tables, { job, asked, some });
  const told = { shop: job.shop, kind: REVIEW_CONFIRMED };
  if ((await tables.activity.count({ ...told, atMs: { gte: job.createdAtMs } })) > 0) return;
  const detail = String(asked.rows.size);
  await recordActivity(services, tables, { ...told, actor: "owner", outcome: "noted", detail });
}

/** Review goes on while its first rows are synced: what it asks for meanwhile is the same job's. */
async function joinSome(
  services: Services,
  tables: Tables,
  { job, asked, some }: Joining & { some: Row[] },
): Promise<void> {
  const { shop } = job;
  for (const [locationId, what] of some) {
    const item = { ...waitingItem(job, locationId), ...what };
    if (await tables.jobItems.insert(item)) continue;
    const { jobId, workItemId, generation, confirmed, state, detail } = item;
    const again = { workItemId, generation, state, detail, ...(confirmed && { confirmed }) };
    await tables.jobItems.update({ jobId, shop, locationId }, again);
  }
  await skipLeft(services, tables, { shop, asked, only: some.map(([locationId]) => ({ locationId })) });
}

/** The rest of a long Review, unless the job ends in between. */
export async function joinRest(services: Services, { job, asked, rest }: Joining & { rest: Row[][] }): Promise<void> {
  const { id, shop } = job;
  for (const some of rest)
    await services.store.transaction(shop, async (tables) => {
      if ((await tables.jobs.count({ id, shop, state: "running" })) > 0)
        await joinSome(services, tables, { job, asked, some });
    });
}

/**
 * A row's run may have ended before the job knew of the row. One that had nothing to do for the location, because it is not used, or is
 * paused, did nothing for it: the row is skipped, and not done. One that compared or wrote before that was done.
 */
export async function skipLeft(
  services: Services,
  tables: Tables,
  { shop: name, asked: { sinceMs, rows }, only }: { shop: string; asked: Review; only: readonly Able[] },
): Promise<void> {
  const shop = await tables.shops.find({ shop: name });
  const connection = await tables.connections.find({ shop: name, current: true });
  if (!shop) return;
  for (const { locationId } of only) {
    const { workItemId, generation } = rows.get(locationId)!;
    const key = { shop: name, locationId };
    const ended = { id: workItemId!, shop: name, observedGeneration: { gte: generation } };
    const location = await tables.locations.find(key);
    if (!location || (await tables.workItems.count(ended)) === 0) continue;
    const why = skipReason({ location, details: await tables.details.find(key), policies: shop.policies });
    const link = connection && (await tables.links.find({ ...key, connectionId: connection.id }));
    if (why === null || (link?.checkedAtMs ?? -Infinity) >= sinceMs) continue;
    await skipItems(services, tables, { workItemId: workItemId!, generation, location, why });
  }
}
