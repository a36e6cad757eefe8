import { skipReason } from "../domain/plan/skip-reason.ts";
import type { SkipReason } from "../domain/plan/skip-reason.ts";
import type { LocationRecord } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { recordActivity } from "../activity/record-activity.ts";
import type { PlanFacts } from "./read-plan-facts.ts";

/** A location that is not used, or is paused: nothing is done. A job that asked for it is told that it was skipped, and why. */
export function leaveLocation(run: Run, facts: Pick<PlanFacts, "location" | "details" | "policies">): RunEnd {
  const why = skipReason(facts);
  if (why === null) return { kind: "done" };
  const { id: workItemId, generation } = run.item;
  const skipped = { workItemId, generation, location: facts.location, why };
  return { kind: "done", alongside: (tables) => skipItems(run.services, tables, skipped) };
}

/** The items of jobs that wait for a run up to this generation are told as skipped, with the reason. In the caller's transaction. */
export async function skipItems(
  services: Pick<Services, "clock" | "random">,
  tables: Pick<Tables, "jobItems" | "activity" | "connections">,
  skipped: {
    workItemId: string;
    generation: number;
    location: Pick<LocationRecord, "shop" | "locationId" | "name">;
    why: SkipReason;
  },
): Promise<void> {
  const { workItemId, generation, location, why } = skipped;
  const { shop, locationId, name: locationName } = location;
  const waiting = { shop, workItemId, generation: { lte: generation }, state: "waiting" } as const;
  if ((await tables.jobItems.update(waiting, { state: "skipped", detail: why })) === 0) return;
  const noted = { actor: "sync", kind: "sync_skipped", outcome: "noted", detail: why } as const;
  await recordActivity(services, tables, { shop, locationId, locationName, ...noted });
}
