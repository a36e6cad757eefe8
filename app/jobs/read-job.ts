import { legacyIdOf } from "../domain/location-id.ts";
import { keepsFailing } from "../domain/failing.ts";
import { SKIP_REASONS } from "../domain/plan/skip-reason.ts";
import type { JobItemRecord, JobRecord } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { failureOf } from "../views/failure-of.ts";
import type { JobView } from "../views/job.ts";
import { endItems } from "./end-items.ts";
import { REVIEW_CONFIRMED, syncs } from "./job-kinds.ts";

/** How long a job that has ended is still shown without being asked for by name, in milliseconds. */
const SHOWN_AFTER_END_MS = 5 * 60_000;
/** Failures told by name; the list of origins has the others. */
const FAILURES_SHOWN = 10;
/** A location's sync reads the template and writes it; to pause one asks the service nothing. */
const CALLS_PER_ITEM: Record<JobRecord["kind"], number> = { sync: 2, verify: 1, pause: 0, resume: 0, import: 2 };

/**
 * The progress of a job, or of the shop's latest one, of a kind or of any, that is running, or ended lately and is still how things are. Items end when their work item
 * has seen the generation they asked for; reading ends them, so that a job ends even if nobody watched. What a cancel came too late for
 * is waiting until it ends, too. `whole`: of a job of thousands too, all that has ended is told.
 */
export async function readJob(
  services: Pick<Services, "store" | "clock" | "shipping">,
  { shop, jobId, kind, whole = false }: { shop: string; jobId?: string; kind?: JobRecord["kind"]; whole?: boolean },
): Promise<JobView | null> {
  const { store, shipping, clock } = services;
  const before = jobId
    ? await store.jobs.find({ id: jobId, shop })
    : await latestJob(services, { shop, ...(kind && { kind }) });
  if (!before) return null;
  const of = { jobId: before.id, shop };
  const count = (state: JobItemRecord["state"]) => store.jobItems.count({ ...of, state });
  const isOpen = before.state === "running" || (await count("waiting")) > 0;
  const job = isOpen ? await endItems(services, { job: before, whole }) : before;
  // It ended with this look, which may be long after its first items did.
  const hasJustEnded = before.endedAtMs === null && job.endedAtMs !== null;
  if (!jobId && hasJustEnded && (await isOutdated(store, job))) return null;
  // Items end while they are counted, so what waits is the rest: no item is told twice, or not at all.
  const total = await store.jobItems.count(of);
  const [failed, skipped] = [await count("failed"), await count("skipped")];
  const [done, cancelled] = [await count("done"), await count("cancelled")];
  const waiting = Math.max(0, total - done - failed - cancelled - skipped);
  const byName = { orderBy: { locationId: "asc" }, limit: FAILURES_SHOWN } as const;
  const failures = failed > 0 ? await store.jobItems.list({ ...of, state: "failed" }, byName) : [];
  const names = await namesOf(services, shop, failures);
  const item = job.state === "running" ? await store.workItems.find({ shop, kind: "job", key: job.id }) : null;
  const calls = waiting * CALLS_PER_ITEM[job.kind];
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    total,
    done,
    failed,
    cancelled,
    skipped,
    skips: skipped > 0 ? await countReasons(services, { ...of, skipped }) : [],
    returned: cancelled > 0 && syncs(job) ? await countReturned(services, of) : 0,
    waiting,
    leftMs: calls > 0 && job.state === "running" ? shipping.budget(shop).estimateMs(calls) : null,
    failures: failures.map((item) => ({
      locationId: item.locationId,
      legacyId: legacyIdOf(item.locationId),
      name: names.get(item.locationId) ?? legacyIdOf(item.locationId),
      reason: item.detail,
    })),
    failure: item && keepsFailing(item, clock.nowMs()) ? failureOf(item) : null,
    createdAtMs: job.createdAtMs,
    endedAtMs: job.endedAtMs,
  };
}

/** A sync that has ended is told where Review started it. Any other one is of other pages, and would read as if Review had done it. */
export async function readJobInReview(
  services: Pick<Services, "store" | "clock" | "shipping">,
  { shop }: { shop: string },
): Promise<JobView | null> {
  const job = await readJob(services, { shop, kind: "sync" });
  if (!job || job.state === "running" || job.waiting > 0) return job;
  // It is the latest one, so a confirmation since it began is its own.
  const confirmed = { shop, kind: REVIEW_CONFIRMED, atMs: { gte: job.createdAtMs } };
  return (await services.store.activity.count(confirmed)) > 0 ? job : null;
}

type Of = Pick<JobItemRecord, "jobId" | "shop">;

async function countReasons(
  { store }: Pick<Services, "store">,
  { jobId, shop, skipped }: Of & { skipped: number },
): Promise<JobView["skips"]> {
  const counts: JobView["skips"] = [];
  for (const reason of SKIP_REASONS) {
    const count = await store.jobItems.count({ jobId, shop, state: "skipped", detail: reason });
    if (count > 0) counts.push({ reason, count });
  }
  const others = skipped - counts.reduce((sum, { count }) => sum + count, 0);
  return others > 0 ? [{ reason: "", count: others }, ...counts] : counts;
}

/** Those that Review confirmed, and a cancel took back. */
async function countReturned({ store }: Pick<Services, "store">, of: Of): Promise<number> {
  const cancelled = await store.jobItems.list({ ...of, state: "cancelled" });
  return cancelled.filter(({ confirmed }) => confirmed !== null).length;
}

async function latestJob(
  { store, clock }: Pick<Services, "store" | "clock">,
  of: Pick<JobRecord, "shop"> & Partial<Pick<JobRecord, "kind">>,
): Promise<JobRecord | null> {
  const [latest] = await store.jobs.list(of, { orderBy: { createdAtMs: "desc" }, limit: 1 });
  if (!latest) return null;
  const { endedAtMs } = latest;
  if (endedAtMs === null) return latest;
  if (endedAtMs <= clock.nowMs() - SHOWN_AFTER_END_MS) return null;
  const isOfBefore = await isOfAccountBefore(store, { ...latest, endedAtMs });
  return isOfBefore || (await isOutdated(store, latest)) ? null : latest;
}

/** After these another account may be in use. */
const OTHER_ACCOUNT = ["environment_switched", "connected", "account_other"] as const;

/** Whether what the job did may be in an account that is not in use any more: pages would tell it of the one in use. */
async function isOfAccountBefore(
  store: Services["store"],
  { shop, endedAtMs }: { shop: string; endedAtMs: number },
): Promise<boolean> {
  return (await store.activity.count({ shop, kind: { in: OTHER_ACCOUNT }, atMs: { gte: endedAtMs } })) > 0;
}

/**
 * Whether something that the job synced is to be saved again since, or cannot be: what the job did is no longer how it is. The time of the
 * job's end says nothing of an item's: the job ends with its last item, and only when somebody looks.
 */
async function isOutdated(store: Services["store"], job: JobRecord): Promise<boolean> {
  // What failed is told in any case.
  if (!syncs(job) || (await store.jobItems.count({ jobId: job.id, shop: job.shop, state: "failed" })) > 0) return false;
  const { id: jobId, shop, createdAtMs: begunMs } = job;
  const ofLocations = { shop, kind: "location" } as const;
  const later = [
    ...(await store.workItems.list({ ...ofLocations, state: { not: "active" }, updatedAtMs: { gt: begunMs } })),
    ...(await store.workItems.list({ ...ofLocations, pendingSinceMs: { gt: begunMs } })),
  ];
  if (later.length === 0) return false;
  const locationId = { in: later.map(({ key }) => key) };
  return (await store.jobItems.count({ jobId, shop, state: "done", locationId })) > 0;
}

async function namesOf(
  { store }: Pick<Services, "store">,
  shop: string,
  items: JobItemRecord[],
): Promise<Map<string, string>> {
  if (items.length === 0) return new Map();
  const locations = await store.locations.list({ shop, locationId: { in: items.map((item) => item.locationId) } });
  return new Map(locations.map((location) => [location.locationId, location.name]));
}
