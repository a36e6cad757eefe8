import { AppError } from "../domain/errors.ts";
import { chunksOf } from "../domain/chunks.ts";
import type { JobRecord, LocationRecord, StatedDetails } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { readJob } from "./read-job.ts";
import { requestWork } from "../runs/request-work.ts";
import { beginNow } from "../runs/run-now.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { ITEMS_AT_ONCE, askItems, itemsAtOnce, skipVerification } from "./ask-items.ts";
import { cancelJob } from "./cancel-job.ts";
import { REVIEW_CONFIRMED } from "./job-kinds.ts";
import { joinFirst, joinRest, skipLeft, waitingItem } from "./join-job.ts";
import type { Able, Review } from "./join-job.ts";

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
  /** Of an import: what is to be written, by location. */
  stated?: ReadonlyMap<string, StatedDetails>;
}

/** A press with so few is asked for whole before it is answered. */
export const FEW = ITEMS_AT_ONCE;
/** What a job keeps of one origin: its row, and the line of *Activity* that tells what was done. */
const BYTES_AN_ORIGIN = 600;
/** How many items one transaction stores. */
const STORED_AT_ONCE = 100;
/** Items that Review asked for are looked at as they are stored. */
const REVIEWED_AT_ONCE = 10;
/** Where the process ends in the middle of a press, what it stored by then is asked for after this long, in milliseconds. */
const ASKED_WITHIN_MS = 60_000;

/** What a job for so many origins leaves in the database, in bytes; a few count as the form that asks for them. */
export function bytesOfJob(origins: number): number {
  return origins > FEW ? origins * BYTES_AN_ORIGIN : 0;
}

/**
 * Starts the sync, the verification, the pause, the resuming or the import of many origins. Each becomes a row, so the job goes on when the page is
 * left and after a restart: a work item of the job's own does what is to be done, some at a time (`run-job.ts`). Locations of another
 * shop are passed over; for a verification those without a template are skipped.
 */
export async function startJob(services: Services, request: JobRequest): Promise<JobStart> {
  const { shop, kind, asked, stated } = request;
  const { store, clock, random } = services;
  const carriers = request.carriers ?? (await store.shops.find({ shop }))?.policies.carriers ?? [];
  const running = await store.jobs.find({ shop, state: "running" });
  // Reading a job ends it when all its items have ended: a job that ended while nobody looked must not stop this one.
  const latest = running && (await readJob(services, { shop, jobId: running.id, whole: true }));
  if (latest?.state === "running" && !(asked && latest.kind === "sync"))
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
  const [first = [], ...rest] = chunksOf([...(asked?.rows ?? [])], REVIEWED_AT_ONCE);
  const isFew = able.length + unable.length <= FEW;
  const other = await store.transaction(shop, async (tables) => {
    const faster = await tables.jobs.find({ shop, state: "running" });
    if (faster?.kind === "sync" && asked) await joinFirst(services, tables, { job: faster, asked, some: first });
    if (faster) return faster;
    if (!(await tables.jobs.insert(job)))
      throw new AppError({ kind: "internal", message: "the shop has a running job already" });
    const detail = String(able.length);
    const told = { kind: asked ? REVIEW_CONFIRMED : `job_${kind}`, detail };
    await recordActivity(services, tables, { shop, actor: "owner", outcome: "noted", ...told });
    if (isFew) await storeItems(services, tables, { job, able, unable, asked, stated });
    else await requestWork(services, tables, { ...workOf(job), dueAtMs: clock.nowMs() + ASKED_WITHIN_MS });
    return null;
  });
  if (other) {
    if (asked && other.kind === "sync") await joinRest(services, { job: other, asked, rest });
    return { kind: "busy", jobId: other.id, of: other.kind };
  }
  if (!isFew) await storeMany(services, { job, able, unable, asked, stated });
  else if (!asked)
    for (const items of chunksOf(able, itemsAtOnce(job)))
      await store.transaction(shop, (tables) => askItems(services, tables, { job, items }));
  if (request.lookThere) await lookThere(services, shop);
  services.wake();
  return { kind: "started", jobId: job.id, count: able.length, skipped };
}

const workOf = ({ shop, id }: JobRecord) => ({ shop, kind: "job", key: id }) as const;

interface Items {
  job: JobRecord;
  able: readonly Able[];
  unable: readonly LocationRecord[];
  asked: Review | undefined;
  stated: JobRequest["stated"];
}

/** In the caller's transaction, of a few. */
async function storeItems(services: Services, tables: Tables, items: Items): Promise<void> {
  const { job, able, unable, asked, stated } = items;
  await tables.jobItems.insertAll(
    able.map(({ locationId }) => ({
      ...waitingItem(job, locationId),
      ...asked?.rows.get(locationId),
      stated: stated?.get(locationId) ?? null,
    })),
  );
  if (asked) await skipLeft(services, tables, { shop: job.shop, asked, only: able });
  for (const location of unable)
    await skipVerification(services, tables, { item: waitingItem(job, location.locationId), location });
}

/** Stores them some at a time, and then has them asked for. */
async function storeMany(services: Services, items: Items): Promise<void> {
  const { store } = services;
  const { job, able, unable, asked } = items;
  const { shop, id: jobId } = job;
  for (const some of chunksOf(able, asked ? REVIEWED_AT_ONCE : STORED_AT_ONCE))
    await store.transaction(shop, (tables) => storeItems(services, tables, { ...items, able: some, unable: [] }));
  for (const some of chunksOf(unable, ITEMS_AT_ONCE))
    await store.transaction(shop, (tables) => storeItems(services, tables, { ...items, able: [], unable: some }));
  const { workItemId } = await store.transaction(shop, (tables) => requestWork(services, tables, workOf(job)));
  // Now, and not behind the thousands of runs that an earlier job may have asked for.
  await beginNow(services, { shop, workItemId });
  // Its owner stopped it in between: nothing that was stored since is asked for.
  if ((await store.jobs.count({ id: jobId, shop, state: "cancelled" })) > 0) await cancelJob(services, { shop, jobId });
}

/** The reconcile reads the whole book in a few pages, where each origin's own run would take a call a template. */
async function lookThere(services: Services, shop: string): Promise<void> {
  await services.store.transaction(shop, (tables) =>
    requestWork(services, tables, { shop, kind: "reconcile", key: "shop" }),
  );
}

/** Which of the shop's locations the job can do something for, and which it cannot. */
async function ableTo(
  { store }: Services,
  { shop, kind, locationIds }: JobRequest,
): Promise<{ able: Able[]; unable: LocationRecord[] }> {
  const wanted = { shop, locationId: { in: [...new Set(locationIds)] } };
  const locations = await store.locations.list({ ...wanted, deletedAtMs: null });
  if (kind !== "verify") return { able: locations, unable: [] };
  const connection = await store.connections.find({ shop, current: true });
  const links = connection
    ? await store.links.list({ ...wanted, connectionId: connection.id, missingSinceMs: null })
    : [];
  const linked = new Set(links.map(({ locationId }) => locationId));
  return { able: links, unable: locations.filter(({ locationId }) => !linked.has(locationId)) };
}
