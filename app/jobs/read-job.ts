import { keepsFailing } from "../domain/failing.ts";
import { legacyIdOf } from "../domain/location-id.ts";
import type { JobItemRecord, JobRecord, WorkItem } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import type { JobView } from "../views/job.ts";

/** How long a job that has ended is still shown without being asked for by name, in milliseconds. */
const SHOWN_AFTER_END_MS = 5 * 60_000;
/** Failures told by name; the list of origins has the others. */
const FAILURES_SHOWN = 10;
/** A location's sync reads the template and writes it. */
const CALLS_PER_ITEM: Record<JobRecord["kind"], number> = { sync: 2, verify: 1 };

/**
 * The progress of a job, or of the shop's latest one, of a kind or of any, that is running or ended lately. Items end when their work item
 * has seen the generation they asked for; reading ends them, so that a job ends even if nobody watched. What a cancel came too late for
 * is waiting until it ends, too.
 */
export async function readJob(
  services: Pick<Services, "store" | "clock" | "shipping">,
  { shop, jobId, kind }: { shop: string; jobId?: string; kind?: JobRecord["kind"] },
): Promise<JobView | null> {
  const { store, shipping } = services;
  const job = jobId
    ? await store.jobs.find({ id: jobId, shop })
    : await latestJob(services, { shop, ...(kind && { kind }) });
  if (!job) return null;
  const items = await store.jobItems.list({ jobId: job.id, shop });
  const current =
    items.some(isWaiting) || job.state === "running" ? await endItems(services, { job, items }) : { job, items };
  const count = (state: JobItemRecord["state"]) => current.items.filter((item) => item.state === state).length;
  const waiting = count("waiting");
  const failed = current.items.filter((item) => item.state === "failed");
  const skipped = current.items.filter((item) => item.state === "skipped");
  const names = await namesOf(services, shop, failed.slice(0, FAILURES_SHOWN));
  return {
    id: job.id,
    kind: job.kind,
    state: current.job.state,
    total: current.items.length,
    done: count("done"),
    failed: failed.length,
    cancelled: count("cancelled"),
    skipped: skipped.length,
    skips: countedReasons(skipped),
    returned: current.items.filter((item) => item.state === "cancelled" && item.confirmed !== null).length,
    waiting,
    leftMs:
      waiting > 0 && current.job.state === "running"
        ? shipping.budget(shop).estimateMs(waiting * CALLS_PER_ITEM[job.kind])
        : null,
    failures: failed.slice(0, FAILURES_SHOWN).map((item) => ({
      locationId: item.locationId,
      legacyId: legacyIdOf(item.locationId),
      name: names.get(item.locationId) ?? legacyIdOf(item.locationId),
      reason: item.detail,
    })),
    createdAtMs: job.createdAtMs,
    endedAtMs: current.job.endedAtMs,
  };
}

function countedReasons(skipped: JobItemRecord[]): JobView["skips"] {
  const counts = new Map<string, number>();
  for (const { detail } of skipped) counts.set(detail ?? "", (counts.get(detail ?? "") ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([reason, count]) => ({ reason, count }));
}

async function latestJob(
  { store, clock }: Pick<Services, "store" | "clock">,
  of: Pick<JobRecord, "shop"> & Partial<Pick<JobRecord, "kind">>,
): Promise<JobRecord | null> {
  const [latest] = await store.jobs.list(of, { orderBy: { createdAtMs: "desc" }, limit: 1 });
  if (!latest) return null;
  const shown = latest.endedAtMs === null || latest.endedAtMs > clock.nowMs() - SHOWN_AFTER_END_MS;
  return shown ? latest : null;
}

async function endItems(
  { store, clock }: Pick<Services, "store" | "clock">,
  { job, items }: { job: JobRecord; items: JobItemRecord[] },
): Promise<{ job: JobRecord; items: JobItemRecord[] }> {
  const waiting = items.filter(isWaiting);
  const workItemIds = waiting.flatMap((item) => item.workItemId ?? []);
  const workItems = new Map(
    (await store.workItems.list({ shop: job.shop, id: { in: workItemIds } })).map((workItem) => [
      workItem.id,
      workItem,
    ]),
  );
  const ageMs = clock.nowMs() - job.createdAtMs;
  const ended = waiting.flatMap((item) => {
    const end = endOf(item, workItems.get(item.workItemId ?? "") ?? null, { ageMs, nowMs: clock.nowMs() });
    return end ? [{ ...item, ...end }] : [];
  });
  const ends = job.state === "running" && ended.length === waiting.length;
  if (ended.length === 0 && !ends) return { job, items };
  const endedAtMs = clock.nowMs();
  await store.transaction(job.shop, async (tables) => {
    for (const { jobId, locationId, state, detail } of ended)
      await tables.jobItems.update({ jobId, locationId, state: "waiting" }, { state, detail });
    if (ends) await tables.jobs.update({ id: job.id, state: "running" }, { state: "done", endedAtMs });
  });
  const endOfItem = new Map(ended.map((item) => [item.locationId, item]));
  return {
    job: ends ? { ...job, state: "done", endedAtMs } : job,
    items: items.map((item) => endOfItem.get(item.locationId) ?? item),
  };
}

const isWaiting = (item: JobItemRecord) => item.state === "waiting";

/** A job is asked for whole within this; an item nobody asked for by then was cut off by a crash, in milliseconds. */
const ASKED_WITHIN_MS = 60_000;

/** Null while the item still waits. What is blocked or keeps failing has failed as far as this job goes; its work item goes on. */
function endOf(
  item: JobItemRecord,
  workItem: WorkItem | null,
  { ageMs, nowMs }: { ageMs: number; nowMs: number },
): Pick<JobItemRecord, "state" | "detail"> | null {
  if (item.workItemId === null) return ageMs < ASKED_WITHIN_MS ? null : { state: "failed", detail: "interrupted" };
  if (!workItem) return { state: "failed", detail: "gone" };
  if (workItem.state !== "active") return { state: "failed", detail: workItem.reason?.code ?? workItem.state };
  if (workItem.observedGeneration >= item.generation) return { state: "done", detail: null };
  const fails = workItem.failures > 0 && keepsFailing(workItem, nowMs);
  return fails ? { state: "failed", detail: "parked" } : null;
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
