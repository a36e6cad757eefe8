import { NEVER_MS } from "../domain/backoff.ts";
import { planOrigin } from "../domain/plan.ts";
import type { JobItemRecord, JobRecord, TargetRecord } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { readPlanFacts } from "./read-plan-facts.ts";
import { recordActivity } from "./record-activity.ts";

/**
 * Stops what a job has not begun. An origin goes untouched only if the job's is the one generation its target has not seen and
 * nobody runs it: a change that somebody else asked for is never taken back with it.
 */
export async function cancelJob(
  services: Services,
  { shop, jobId }: { shop: string; jobId: string },
): Promise<"cancelled" | "not_found"> {
  return services.store.transaction(async (tables) => {
    const job = await tables.jobs.find({ id: jobId, shop });
    if (!job) return "not_found";
    if (job.state !== "running") return "cancelled";
    const items = await tables.jobItems.list({ jobId, shop, state: "waiting" });
    const halt = job.kind === "verify" ? unask(tables, job) : await unsend(services, tables, { shop, items });
    for (const item of items) {
      await halt(item);
      await tables.jobItems.update({ jobId, locationId: item.locationId, state: "waiting" }, { state: "cancelled" });
    }
    await tables.jobs.update(
      { id: jobId, state: "running" },
      { state: "cancelled", endedAtMs: services.clock.nowMs() },
    );
    const detail = String(items.length);
    await recordActivity(services, tables, { shop, actor: "owner", kind: "job_cancelled", outcome: "done", detail });
    return "cancelled";
  });
}

type Halt = (item: JobItemRecord) => Promise<void>;

/** The target of an item that only the job asked for and nobody has begun; `patch` stops it. False when it is none. */
async function stopUnbegun(
  tables: Tables,
  { shop, targetId, generation }: JobItemRecord,
  patch: Partial<TargetRecord>,
): Promise<boolean> {
  if (targetId === null) return false;
  const unbegun = { wanted: generation, seen: generation - 1, leaseOwner: null, failures: 0 };
  return (await tables.targets.update({ id: targetId, shop, ...unbegun }, patch)) > 0;
}

/** An origin in step has nothing to do; one that is not stays wanted, for the next change or the next look at everything. */
async function unsend(
  services: Services,
  tables: Tables,
  { shop, items }: { shop: string; items: JobItemRecord[] },
): Promise<Halt> {
  const locationIds = items.map(({ locationId }) => locationId);
  const facts = (await readPlanFacts(tables, { shop, nowMs: services.clock.nowMs(), locationIds })) ?? [];
  const steps = new Map(facts.map((each) => [each.location.locationId, planOrigin(each).step]));
  return async (item) => {
    const step = steps.get(item.locationId);
    // A run that sends nothing may say again what holds the origin up.
    if (step === "blocked") return;
    const inStep = step === undefined || step === "leave" || step === "settle";
    await stopUnbegun(tables, item, { dueAtMs: NEVER_MS, ...(inStep ? { seen: item.generation } : {}) });
  };
}

/** What was wanted and not asked is forgotten; what the account shows of it comes back with the next look. */
function unask(tables: Tables, { shop, carriers }: JobRecord): Halt {
  return async (item) => {
    if (!(await stopUnbegun(tables, item, { seen: item.generation }))) return;
    const { locationId } = item;
    const connection = await tables.connections.find({ shop, current: true });
    const link = connection && (await tables.links.find({ shop, connectionId: connection.id, locationId }));
    if (!link) return;
    const { connectionId, templateId } = link;
    await tables.verifications.delete({ shop, connectionId, templateId, carrier: { in: carriers }, outcome: "wanted" });
  };
}
