import { isAppError } from "../domain/errors.ts";
import { momentOf } from "../domain/moment.ts";
import type { WorkItemKind } from "../domain/records.ts";
import type { ClaimedWorkItem, Services } from "../ports.ts";
import { giveBackProbe } from "./circuit-breaker.ts";
import { holdLease } from "./claim.ts";
import { endOfFault, endRun } from "./end-run.ts";
import type { Ended } from "./end-run.ts";
import { requestLookAgain } from "./look-again.ts";
import { clockMoved, priorityOf } from "./run.ts";
import type { Run, RunEnd } from "./run.ts";
import { passShopGate } from "./shop-gate.ts";

/** What a run does, by the kind of its work item. */
export type WorkByKind = Record<WorkItemKind, (run: Run) => Promise<RunEnd>>;

/**
 * Makes `Services.runWorkItem`. The table of work is handed in, so that what every run shares does not import what each kind does. A run
 * never rejects: what cannot be written down is left to the lease's end.
 */
export function createRunWorkItem(work: WorkByKind, ended: Ended): Services["runWorkItem"] {
  return (services, claimed) => runWorkItem({ work, ended }, services, claimed);
}

async function runWorkItem(
  { work, ended }: { work: WorkByKind; ended: Ended },
  services: Services,
  claimed: ClaimedWorkItem,
): Promise<void> {
  const { item, priority, signal } = claimed;
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  const run: Run = {
    services,
    item,
    priority: priority ?? priorityOf(item.kind),
    signal: stopping.signal,
    began: { ...momentOf(services.clock), nowMs: services.clock.nowMs() },
    over: null,
    probing: false,
    probe: null,
    answered: false,
    sentAt: null,
    listCalls: 0,
    lookedAt: [],
    suspected: false,
    cleared: false,
  };
  const release = holdLease(run, stop);
  try {
    const ending = await workOrRefuse(work, run).catch((error: unknown) => endOfFault(run, error));
    if (ending.kind !== "erased") await endRun(run, ending, ended);
    await giveBackProbe(run);
    // The next run may have to wait before it asks again.
    if (ending.kind === "redo" && clockMoved(run) !== null) await requestLookAgain(run);
  } catch (error) {
    services.log.warn({ shop: item.shop, workItemId: item.id, kind: item.kind, error }, "a run's end was not written");
    if (isAppError(error) && error.kind === "superseded") await requestLookAgain(run);
  } finally {
    release();
    signal?.removeEventListener("abort", stop);
  }
}

async function workOrRefuse(work: WorkByKind, run: Run): Promise<RunEnd> {
  return (await passShopGate(run)) ?? (await work[run.item.kind](run));
}
