import { keepsFailing } from "../domain/failing.ts";
import type { JobItemRecord, JobRecord, WorkItem } from "../domain/records.ts";
import type { Services, Store } from "../ports.ts";

/** How many items are looked at in one go. */
const SLICE = 250;
/** How long one look at a job may take, in milliseconds: a page asks every other second how far a job of thousands is. */
const LOOK_MS = 100;
/** An item that nobody asked for within this was cut off by a crash, in milliseconds. */
const ASKED_WITHIN_MS = 60_000;

/** Up to which item the last look at a job came that was cut short: the next one goes on there, and the one after the end begins anew. */
const cursors = new WeakMap<Store, Map<string, string>>();

type Needs = Pick<Services, "store" | "clock">;

/**
 * Ends a job's items whose runs have ended, and the job with its last one. A look at a job of thousands is cut short, and the next one goes
 * on where it ended; `whole` looks at all. Resolves to the job as it is then.
 */
export async function endItems(
  { store, clock }: Needs,
  { job, whole }: { job: JobRecord; whole: boolean },
): Promise<JobRecord> {
  const { id: jobId, shop } = job;
  const asking = await isAsking(store, job);
  const ofStore = cursors.get(store) ?? new Map<string, string>();
  cursors.set(store, ofStore);
  const startedMs = clock.monotonicMs();
  let last = whole ? "" : (ofStore.get(jobId) ?? "");
  ofStore.delete(jobId);
  for (;;) {
    const waiting = { jobId, shop, state: "waiting", locationId: { gt: last } } as const;
    const items = await store.jobItems.list(waiting, { orderBy: { locationId: "asc" }, limit: SLICE });
    await endSome({ store, clock }, { job, items, asking });
    if (items.length < SLICE) break;
    last = items.at(-1)!.locationId;
    if (whole || clock.monotonicMs() - startedMs < LOOK_MS) continue;
    ofStore.set(jobId, last);
    break;
  }
  return asking ? job : endJob({ store, clock }, job);
}

/** Whether its work item has not asked for all of it yet. */
async function isAsking(store: Store, { id: key, shop }: JobRecord): Promise<boolean> {
  const item = await store.workItems.find({ shop, kind: "job", key });
  return item !== null && item.generation > item.observedGeneration;
}

async function endJob({ store, clock }: Needs, job: JobRecord): Promise<JobRecord> {
  const { id, shop, state } = job;
  if (state !== "running" || (await store.jobItems.count({ jobId: id, shop, state: "waiting" })) > 0) return job;
  const end = { state: "done", endedAtMs: clock.nowMs() } as const;
  return (await store.jobs.update({ id, shop, state: "running" }, end)) > 0 ? { ...job, ...end } : job;
}

async function endSome(
  { store, clock }: Needs,
  { job: { id: jobId, shop, createdAtMs }, items, asking }: { job: JobRecord; items: JobItemRecord[]; asking: boolean },
): Promise<void> {
  const nowMs = clock.nowMs();
  const ids = items.flatMap(({ workItemId }) => workItemId ?? []);
  const workItems = ids.length > 0 ? await store.workItems.list({ shop, id: { in: ids } }) : [];
  const workItemOf = new Map(workItems.map((workItem) => [workItem.id, workItem]));
  const isCutOff = !asking && nowMs - createdAtMs >= ASKED_WITHIN_MS;
  const ended = items.flatMap((item) => {
    const end = endOf(item, workItemOf.get(item.workItemId ?? "") ?? null, { isCutOff, nowMs });
    return end ? [{ ...end, locationId: item.locationId }] : [];
  });
  for (const alike of Map.groupBy(ended, ({ state, detail }) => `${state} ${detail}`).values()) {
    const { state, detail } = alike[0]!;
    const locationId = { in: alike.map((item) => item.locationId) };
    await store.jobItems.update({ jobId, shop, locationId, state: "waiting" }, { state, detail });
  }
}

/** Null while the item still waits. What is blocked or keeps failing has failed as far as this job goes; its work item goes on. */
function endOf(
  item: JobItemRecord,
  workItem: WorkItem | null,
  { isCutOff, nowMs }: { isCutOff: boolean; nowMs: number },
): Pick<JobItemRecord, "state" | "detail"> | null {
  if (item.workItemId === null) return isCutOff ? { state: "failed", detail: "interrupted" } : null;
  if (!workItem) return { state: "failed", detail: "gone" };
  if (workItem.state !== "active") return { state: "failed", detail: workItem.reason?.code ?? workItem.state };
  if (workItem.observedGeneration >= item.generation) return { state: "done", detail: null };
  const fails = workItem.failures > 0 && keepsFailing(workItem, nowMs);
  return fails ? { state: "failed", detail: "parked" } : null;
}
