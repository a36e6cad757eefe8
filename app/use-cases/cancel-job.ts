import type { Services, Tables } from "../ports.ts";
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
    for (const { locationId, targetId, generation } of items) {
      if (targetId !== null) {
        const untouched = {
          id: targetId,
          shop,
          wanted: generation,
          seen: generation - 1,
          leaseOwner: null,
          failures: 0,
        };
        const stopped = await tables.targets.update(untouched, { seen: generation });
        if (stopped > 0 && job.kind === "verify") await unask(tables, { shop, locationId, carriers: job.carriers });
      }
      await tables.jobItems.update({ jobId, locationId, state: "waiting" }, { state: "cancelled" });
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

/** What was wanted and not asked is forgotten; what the account shows of it comes back with the next look. */
async function unask(
  tables: Tables,
  { shop, locationId, carriers }: { shop: string; locationId: string; carriers: string[] },
): Promise<void> {
  const connection = await tables.connections.find({ shop, current: true });
  const link = connection && (await tables.links.find({ shop, connectionId: connection.id, locationId }));
  if (!link) return;
  const { connectionId, templateId } = link;
  await tables.verifications.delete({ shop, connectionId, templateId, carrier: { in: carriers }, outcome: "wanted" });
}
