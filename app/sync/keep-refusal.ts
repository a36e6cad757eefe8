import type { ServiceProblem } from "../domain/errors.ts";
import { blocked, commit } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import { recordActivity } from "../activity/record-activity.ts";

/** Keeps that the service refused what we sent: pages show its words beside the fields, and the next change tries again. */
export async function keepRefusal(
  run: Run,
  { facts, problem, pendingWriteId }: { facts: PlanFacts; problem: ServiceProblem; pendingWriteId: string },
): Promise<RunEnd> {
  const { location, link } = facts;
  const message = problem.message ?? problem.serviceMessage;
  await commit(run, async (tables) => {
    await tables.pendingWrites.delete({ id: pendingWriteId });
    await recordActivity(run.services, tables, {
      shop: run.item.shop,
      actor: "service",
      kind: "template_refused",
      outcome: "failed",
      locationId: location.locationId,
      locationName: location.name,
      templateId: link?.templateId ?? null,
      fields: Object.entries(problem.fields).map(([field, messages]) => ({
        field,
        from: null,
        to: messages.join("; "),
      })),
      requestId: problem.requestId,
      detail: message,
    });
  });
  return blocked(run, "refused_by_service", { message, fields: problem.fields, requestId: problem.requestId });
}
