import { AppError } from "../domain/errors.ts";
import { chunksOf } from "../domain/chunks.ts";
import type { JobItemRecord, JobRecord, LocationRecord } from "../domain/records.ts";
import { skipReason } from "../domain/plan/skip-reason.ts";
import type { SkipReason } from "../domain/plan/skip-reason.ts";
import type { Services, Tables } from "../ports.ts";
import { readJob } from "./read-job.ts";
import { requestWork } from "../runs/request-work.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { skipItems } from "../sync/leave-location.ts";
import { wantCarriers } from "../verification/request-verification.ts";

export type JobStart =
  | { kind: "started"; jobId: string; count: number; skipped: number }
  /** One at a time: this one still runs. */
  | { kind: "busy"; jobId: string; of: JobRecord["kind"] }
  /** None of the locations can do this now. */
  | { kind: "nothing"; skipped: number };

export interface JobRequest {
  shop: string;
  kind: JobRecord["kind"];
  /** Of a verification; null asks the shop's own. */
  carriers: string[] | null;
  locationIds: string[];
  /** Of a sync: what the account holds is read anew as well. */
  lookThere?: boolean;
  /** Of a sync: what Review asked for already, by location. Nothing else is requested, and a sync that runs takes it in. */
  asked?: Review;
}

/** What Review asked for before its job is stored. */
export interface Review {
  sinceMs: number;
  rows: ReadonlyMap<string, Asked>;
}

/** What a job asked of a work item. */
export type Asked = Pick<JobItemRecord, "workItemId" | "since" | "generation" | "confirmed">;

/** How many items one transaction asks for, so that nobody waits for the database longer than a page should. */
const CHUNK = 50;

/**
 * Starts the sync or the verification of many origins. Each becomes a work item's generation and a row, so the job goes on when the
 * page is left and after a restart. Locations of another shop are passed over; for a verification those without a template are skipped.
 */
export async function startJob(services: Services, request: JobRequest): Promise<JobStart> {
  const { shop, kind } = request;
  const { store, clock, random } = services;
  const carriers = request.carriers ?? (await store.shops.find({ shop }))?.policies.carriers ?? [];
  const running = await store.jobs.find({ shop, state: "running" });
  // Reading a job ends it when all its items have ended: a job that ended while nobody looked must not stop this one.
  const latest = running && (await readJob(services, { shop, jobId: running.id }));
  if (latest?.state === "running" && !(request.asked && latest.kind === "sync"))
    return { kind: "busy", jobId: latest.id, of: latest.kind };
  const { able, unable } = await ableTo(services, request);
  const skipped = request.locationIds.length - able.length;
  if (able.length === 0 || (kind === "verify" && carriers.length === 0)) return { kind: "nothing", skipped };
  const job: JobRecord = {
    id: random.id(),
    shop,
    kind,
    carriers,
    state: "running",
    createdAtMs: clock.nowMs(),
    endedAtMs: null,
  };
  const other = await store.transaction(shop, async (tables) => {
    const faster = await tables.jobs.find({ shop, state: "running" });
    if (faster && request.asked && faster.kind === "sync") {
      await joinJob(tables, faster, request.asked.rows);
      await skipLeft(services, tables, { shop, asked: request.asked });
    }
    if (faster) return faster;
    if (!(await tables.jobs.insert(job)))
      throw new AppError({ kind: "internal", message: "the shop has a running job already" });
    for (const { locationId } of able)
      await tables.jobItems.insert({ ...waitingItem(job, locationId), ...request.asked?.rows.get(locationId) });
    if (request.asked) await skipLeft(services, tables, { shop, asked: request.asked });
    const detail = String(able.length);
    await recordActivity(services, tables, { shop, actor: "owner", kind: `job_${kind}`, outcome: "noted", detail });
    for (const location of unable) await skip(services, tables, { job, location });
    return null;
  });
  if (other) return { kind: "busy", jobId: other.id, of: other.kind };
  const unasked = request.asked ? [] : able;
  for (const chunk of chunksOf(unasked, CHUNK))
    await store.transaction(shop, async (tables) => {
      for (const each of chunk) await askFor(services, tables, { job, each });
    });
  if (request.lookThere) await lookThere(services, shop);
  services.wake();
  return { kind: "started", jobId: job.id, count: able.length, skipped };
}

/** The reconcile reads the whole book in a few pages, where each origin's own run would take a call a template. */
async function lookThere(services: Services, shop: string): Promise<void> {
  await services.store.transaction(shop, (tables) =>
    requestWork(services, tables, { shop, kind: "reconcile", key: "shop" }),
  );
}

interface Able {
  locationId: string;
  templateId: string | null;
}

/** Which of the shop's locations the job can do something for, and which it cannot. */
async function ableTo(
  { store }: Services,
  { shop, kind, locationIds }: JobRequest,
): Promise<{ able: Able[]; unable: LocationRecord[] }> {
  const wanted = { shop, locationId: { in: [...new Set(locationIds)] } };
  const locations = await store.locations.list({ ...wanted, deletedAtMs: null });
  if (kind === "sync")
    return { able: locations.map(({ locationId }) => ({ locationId, templateId: null })), unable: [] };
  const connection = await store.connections.find({ shop, current: true });
  const links = connection
    ? await store.links.list({ ...wanted, connectionId: connection.id, missingSinceMs: null })
    : [];
  const linked = new Set(links.map(({ locationId }) => locationId));
  return {
    able: links.map(({ locationId, templateId }) => ({ locationId, templateId })),
    unable: locations.filter(({ locationId }) => !linked.has(locationId)),
  };
}

/** No carrier can be asked about a location that has no template. */
async function skip(
  services: Services,
  tables: Tables,
  { job, location: { locationId, name } }: { job: JobRecord; location: LocationRecord },
): Promise<void> {
  const detail = "no_template" satisfies SkipReason;
  await tables.jobItems.insert({ ...waitingItem(job, locationId), state: "skipped", detail });
  const noted = { actor: "owner", kind: "verify_skipped", outcome: "noted", detail } as const;
  await recordActivity(services, tables, { shop: job.shop, locationId, locationName: name, ...noted });
}

/** `generation` 0 with no work item: not asked yet. */
function waitingItem({ id, shop }: JobRecord, locationId: string): JobItemRecord {
  return {
    jobId: id,
    shop,
    locationId,
    workItemId: null,
    since: 0,
    generation: 0,
    confirmed: null,
    state: "waiting",
    detail: null,
  };
}

/** Asks for one item, unless the job was cancelled meanwhile. */
async function askFor(
  services: Services,
  tables: Tables,
  { job: { id: jobId, shop, kind, carriers }, each: { locationId, templateId } }: { job: JobRecord; each: Able },
): Promise<void> {
  const waiting = { jobId, shop, locationId, state: "waiting" } as const;
  if (!(await tables.jobItems.find(waiting))) return;
  if (kind === "verify") {
    const { workItemId, generation, isOwn } = await wantCarriers(services, tables, {
      shop,
      templateId: templateId!,
      carriers,
    });
    await tables.jobItems.update(waiting, { workItemId, since: isOwn ? generation - 1 : generation, generation });
    return;
  }
  const { workItemId, generation } = await requestWork(services, tables, { shop, kind: "location", key: locationId });
  await tables.jobItems.update(waiting, { workItemId, since: generation - 1, generation });
}

/** Review goes on while its first rows are synced: what it asks for meanwhile is the same job's. */
async function joinJob(tables: Tables, job: JobRecord, asked: ReadonlyMap<string, Asked>): Promise<void> {
  for (const [locationId, what] of asked) {
    const item = { ...waitingItem(job, locationId), ...what };
    if (await tables.jobItems.insert(item)) continue;
    const { jobId, shop, workItemId, generation, confirmed, state, detail } = item;
    const again = { workItemId, generation, state, detail, ...(confirmed && { confirmed }) };
    await tables.jobItems.update({ jobId, shop, locationId }, again);
  }
}

/**
 * A row's run may have ended before the job knew of the row. One that had nothing to do for the location, because it is not used, or is
 * paused, did nothing for it: the row is skipped, and not done. One that compared or wrote before that was done.
 */
async function skipLeft(
  services: Services,
  tables: Tables,
  { shop: name, asked: { sinceMs, rows } }: { shop: string; asked: Review },
): Promise<void> {
  const shop = await tables.shops.find({ shop: name });
  const connection = await tables.connections.find({ shop: name, current: true });
  if (!shop) return;
  for (const [locationId, { workItemId, generation }] of rows) {
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
