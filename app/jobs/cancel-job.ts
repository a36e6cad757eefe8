import { NEVER_MS } from "../domain/backoff.ts";
import { chunksOf } from "../domain/chunks.ts";
import { planOrigin } from "../domain/plan/plan.ts";
import type { JobItemRecord, JobRecord, WorkItem } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { readPlanFacts } from "../sync/read-plan-facts.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { withdrawConfirmation } from "../origins/withdraw-confirmation.ts";
import { syncs } from "./job-kinds.ts";

/** How many items one transaction cancels, so that nobody waits for the database longer than a page should. */
const CHUNK = 10;
/** How many items that nobody asked for yet one statement cancels. */
const UNASKED_AT_ONCE = 500;

/**
 * Stops what a job has not begun, and nothing that somebody else asked for: an item is cancelled only if nothing is done for it any
 * more. What cannot be stopped goes on, and the job shows it as under way until it ends. What Review confirmed together with the job
 * waits for the owner's word again.
 */
export async function cancelJob(
  services: Services,
  { shop, jobId }: { shop: string; jobId: string },
): Promise<"cancelled" | "not_found"> {
  const { store, clock } = services;
  const job = await store.jobs.find({ id: jobId, shop });
  if (!job) return "not_found";
  // From here on nobody asks for more of it.
  const ended = { state: "cancelled", endedAtMs: clock.nowMs() } as const;
  const isFirst = (await store.jobs.update({ id: jobId, shop, state: "running" }, ended)) > 0;
  const stopped = await stopRest(services, job).catch(async (error: unknown) => {
    // It goes on, so it is shown as running, with its button.
    const goesOn = { state: "running", endedAtMs: null } as const;
    if (isFirst) await store.jobs.update({ id: jobId, shop, ...ended }, goesOn).catch(() => undefined);
    throw error;
  });
  const detail = String(stopped);
  if (isFirst || stopped > 0)
    await store.transaction(shop, (tables) =>
      recordActivity(services, tables, { shop, actor: "owner", kind: "job_cancelled", outcome: "done", detail }),
    );
  services.wake();
  return "cancelled";
}

/**
 * Ends what a crash in the middle of a cancel left, for nobody would press the button of a cancelled job. One that is not cancelled for
 * so long may be in the middle of it, in another process.
 */
export async function finishCancels(services: Services, { forMs }: { forMs: number }): Promise<void> {
  const { store, log, clock } = services;
  const endedAtMs = { lte: clock.nowMs() - forMs };
  const left = await store.jobs.list({ state: "cancelled", ...(forMs > 0 && { endedAtMs }) });
  for (const { id: jobId, shop } of left) {
    if ((await store.jobItems.count({ jobId, shop, state: "waiting" })) === 0) continue;
    await cancelJob(services, { shop, jobId }).catch((error: unknown) =>
      log.error({ shop, jobId, error }, "a cancel that was cut off could not be ended"),
    );
  }
}

async function stopRest(services: Services, job: JobRecord): Promise<number> {
  const { store } = services;
  let stopped = 0;
  const { id: jobId, shop } = job;
  const waiting = { jobId, shop, state: "waiting" } as const;
  // Most of a job that is stopped early: nothing was asked for them, and one statement is enough.
  for (;;) {
    const unasked = await store.jobItems.list(
      { ...waiting, workItemId: null },
      { orderBy: { locationId: "asc" }, limit: UNASKED_AT_ONCE },
    );
    if (unasked.length === 0) break;
    const locationId = { in: unasked.map((item) => item.locationId) };
    stopped += await store.jobItems.update(
      { ...waiting, workItemId: null, locationId },
      { state: "cancelled", stated: null },
    );
  }
  const items = await store.jobItems.list(waiting);
  const isInStep = syncs(job) ? await inStep(services, { shop, items }) : () => true;
  for (const chunk of chunksOf(items, CHUNK))
    stopped += await store.transaction(shop, (tables) => stopItems(services, tables, { job, items: chunk, isInStep }));
  return stopped;
}

async function stopItems(
  services: Services,
  tables: Tables,
  { job, items, isInStep }: { job: JobRecord; items: JobItemRecord[]; isInStep: InStep },
): Promise<number> {
  let stopped = 0;
  for (const item of items) {
    const { jobId, shop, locationId } = item;
    // It may have been asked for since it was listed.
    const now = await tables.jobItems.find({ jobId, shop, locationId, state: "waiting" });
    if (!now || !(await stop(services, tables, { job, item: now, isInStep }))) continue;
    stopped += await tables.jobItems.update({ jobId, shop, locationId, state: "waiting" }, { state: "cancelled" });
  }
  return stopped;
}

async function stop(
  services: Services,
  tables: Tables,
  { job, item, isInStep }: { job: JobRecord; item: JobItemRecord; isInStep: InStep },
): Promise<boolean> {
  if (item.workItemId === null) return true;
  if (job.kind === "verify") return unask(tables, { job, item });
  if (item.confirmed) return withdrawConfirmation(services, tables, { item, said: item.confirmed });
  const inStepNow = isInStep(item.locationId);
  // A run that sends nothing may say again what holds the origin up.
  if (inStepNow === null) return false;
  // One that is not in step stays wanted, for the next change or the next look at everything; what it waited for wakes it no more.
  return stopUnbegun(tables, item, {
    dueAtMs: NEVER_MS,
    reason: null,
    pendingSinceMs: null,
    ...(inStepNow ? { observedGeneration: item.generation } : {}),
  });
}

/** Stops a work item that only the job asked for and nobody has begun; false, and nothing changed, when it is none. */
async function stopUnbegun(
  tables: Tables,
  { shop, workItemId, since, generation }: JobItemRecord,
  patch: Partial<WorkItem>,
): Promise<boolean> {
  if ((await tables.pendingWrites.count({ shop, workItemId: workItemId! })) > 0) return false;
  const unbegun = { generation, observedGeneration: since, leaseOwner: null, failures: 0 };
  return (await tables.workItems.update({ id: workItemId!, shop, ...unbegun }, patch)) > 0;
}

/** Whether a location's template is as it shall be; null where something else holds it up. */
type InStep = (locationId: string) => boolean | null;

/** Read once for all of a job, before any of it is stopped: whatever changes after that has another generation, and is not stopped. */
async function inStep(services: Services, { shop, items }: { shop: string; items: JobItemRecord[] }): Promise<InStep> {
  const locationIds = items.map(({ locationId }) => locationId);
  const facts = (await readPlanFacts(services, { shop, locationIds })) ?? [];
  const steps = new Map(facts.map((each) => [each.location.locationId, planOrigin(each).step]));
  return (locationId) => {
    const step = steps.get(locationId);
    return step === "blocked" ? null : step === undefined || step === "leave" || step === "record";
  };
}

/** What was wanted and not asked is forgotten; what the account shows of it comes back with the next look. */
async function unask(tables: Tables, { job, item }: { job: JobRecord; item: JobItemRecord }): Promise<boolean> {
  if (!(await stopUnbegun(tables, item, { observedGeneration: item.generation, pendingSinceMs: null }))) return false;
  const { shop, carriers } = job;
  const connection = await tables.connections.find({ shop, current: true });
  const key = connection && { shop, connectionId: connection.id };
  const link = key && (await tables.links.find({ ...key, locationId: item.locationId }));
  if (!link) return true;
  const wanted = { ...key, templateId: link.templateId, carrier: { in: carriers }, question: "wanted" } as const;
  await tables.verifications.delete({ ...wanted, outcome: "wanted" });
  // What the carrier said before the question stands.
  await tables.verifications.update(wanted, { question: null, questionKey: null });
  return true;
}
