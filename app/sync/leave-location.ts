import { skipReason } from "../domain/plan/skip-reason.ts";
import type { Tables } from "../ports.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { recordActivity } from "../activity/record-activity.ts";
import type { PlanFacts } from "./read-plan-facts.ts";

/** A location that is not used, or is paused: nothing is done. A job that asked for it is told that it was skipped, and why. */
export function leaveLocation(run: Run, facts: Pick<PlanFacts, "location" | "details" | "policies">): RunEnd {
  const why = skipReason(facts);
  if (why === null) return { kind: "done" };
  return { kind: "done", alongside: (tables) => skipItems(run, tables, { facts, why }) };
}

async function skipItems(
  { services, item }: Run,
  tables: Pick<Tables, "jobItems" | "activity">,
  { facts: { location }, why }: { facts: Pick<PlanFacts, "location">; why: string },
): Promise<void> {
  const { shop, locationId, name: locationName } = location;
  const waiting = { shop, workItemId: item.id, generation: { lte: item.generation }, state: "waiting" } as const;
  if ((await tables.jobItems.update(waiting, { state: "skipped", detail: why })) === 0) return;
  const noted = { actor: "sync", kind: "sync_skipped", outcome: "noted", detail: why } as const;
  await recordActivity(services, tables, { shop, locationId, locationName, ...noted });
}
