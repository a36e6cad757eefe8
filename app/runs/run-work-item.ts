import { momentOf } from "../domain/moment.ts";
import type { TargetKind } from "../domain/records.ts";
import type { ClaimedTarget, Services } from "../ports.ts";
import { holdLease } from "./claim.ts";
import { endOfFault, endRun } from "./end-run.ts";
import { priorityOf } from "./run.ts";
import type { Run, RunEnd } from "./run.ts";
import { passShopGate } from "./shop-gate.ts";

/** What a run does, by the kind of its target. */
export type WorkByKind = Record<TargetKind, (run: Run) => Promise<RunEnd>>;

/**
 * Makes `Services.runTarget`. The table of work is handed in, so that what every run shares does not import what each kind does. A run
 * never rejects: what cannot be written down is left to the lease's end.
 */
export function createRunTarget(work: WorkByKind): Services["runTarget"] {
  return (services, claimed) => runTarget(work, services, claimed);
}

async function runTarget(work: WorkByKind, services: Services, claimed: ClaimedTarget): Promise<void> {
  const { target, priority, signal } = claimed;
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  const run: Run = {
    services,
    target,
    priority: priority ?? priorityOf(target.kind),
    signal: stopping.signal,
    began: { ...momentOf(services.clock), nowMs: services.clock.nowMs() },
    over: null,
    probing: false,
    answered: false,
    suspected: false,
  };
  const release = holdLease(run, stop);
  try {
    const ending = await workOrRefuse(work, run).catch((error: unknown) => endOfFault(run, error));
    if (ending.kind !== "erased") await endRun(run, ending);
  } catch (error) {
    services.log.warn(
      { shop: target.shop, targetId: target.id, kind: target.kind, error },
      "a run's end was not written",
    );
  } finally {
    release();
    signal?.removeEventListener("abort", stop);
  }
}

async function workOrRefuse(work: WorkByKind, run: Run): Promise<RunEnd> {
  return (await passShopGate(run)) ?? (await work[run.target.kind](run));
}
