import { NEVER_MS } from "../../../app/domain/backoff.ts";
import type { StoredChange } from "../../fakes/memory-store.ts";
import type { Timeline } from "./timeline.ts";

/** Tells how a run of a work item ended, and what requested it. */
export function tellRun(timeline: Timeline, { table, before, after }: StoredChange, nowMs: number): void {
  if (table !== "workItems" || !after) return;
  const { kind, key, generation, observedGeneration, state, failures, reason, dueAtMs } = after;
  const name = `${kind} ${key.slice(-40)}`;
  if (before?.leaseOwner && !after.leaseOwner)
    timeline.tell("app", () => {
      const due = dueAtMs >= NEVER_MS ? "due never" : `due in ${Math.round((dueAtMs - nowMs) / 1_000)} s`;
      const why = reason ? ` (${reason.code}: ${reason.message?.slice(0, 60)})` : "";
      return `   ${name} ends: seen ${observedGeneration} of ${generation}, ${state}, failures ${failures}, ${due}${why}`;
    });
  else if (generation > (before?.generation ?? 0))
    timeline.tell("app", () => `   ${name} is wanted for the ${generation}th time`);
}
