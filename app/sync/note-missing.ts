import { refOf } from "../runs/circuit-breaker.ts";
import { commit } from "../runs/run.ts";
import type { Run } from "../runs/run.ts";
import { awaitSecondSighting } from "../book/confirm-absence.ts";
import { dropLink } from "./delete-template.ts";
import { forgetMissing } from "../book/mark-unlisted.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import { recordActivity } from "../activity/record-activity.ts";
import type { Step } from "./sync-step.ts";

export interface NotFoundThere {
  requestId: string;
  /** Of a write that became unclear before: it goes once the absence is believed. */
  unclear?: string;
}

/**
 * The linked template was not found. Once that is believed, somebody deleted it there: the owner chooses, make again or unlink, and the
 * next plan says so.
 */
export async function noteMissing(
  run: Run,
  { link, location, connection }: PlanFacts,
  { requestId, unclear }: NotFoundThere,
): Promise<Step> {
  const { services } = run;
  const { shop, connectionId, templateId } = link!;
  const end = await awaitSecondSighting(run, { ref: refOf(connection!), templateId, requestId });
  if (end) return { end };
  if (link!.unclear?.operation === "delete") {
    await dropLink(run, { link, location }, { kind: "template_deleted", requestId });
    return { reading: null };
  }
  await commit(run, async (tables) => {
    if (unclear !== undefined) await tables.pendingWrites.delete({ id: unclear });
    await forgetMissing(tables, { shop, connectionId, templateId });
    await tables.links.update({ id: link!.id }, { unclear: null });
    const nowMs = services.clock.nowMs();
    const news = await tables.links.update(
      { id: link!.id, missingSinceMs: null },
      { missingSinceMs: nowMs, checkedAtMs: nowMs },
    );
    if (news === 0) return;
    await recordActivity(services, tables, {
      shop,
      actor: "service",
      kind: "template_missing",
      outcome: "waiting",
      locationId: location.locationId,
      locationName: location.name,
      templateId,
      requestId,
    });
  });
  return { reading: null };
}
