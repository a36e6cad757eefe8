import { momentOf } from "../domain/moment.ts";
import type { TargetKind, TargetRecord } from "../domain/records.ts";
import type { Priority, Services } from "../ports.ts";
import { holdLease } from "../worker/claim.ts";
import { endOfFault, endRun } from "../worker/end-run.ts";
import { priorityOf } from "../worker/run.ts";
import type { Run, RunEnd } from "../worker/run.ts";
import { passShopGate } from "../worker/shop-gate.ts";
import { confirmUninstall } from "./confirm-uninstall.ts";
import { followVerification } from "./follow-verification.ts";
import { reconcileShop } from "./reconcile-shop.ts";
import { redactShop } from "./redact-shop.ts";
import { syncDraft } from "./sync-draft.ts";
import { syncLocation } from "./sync-location.ts";

const WORK: Record<TargetKind, (run: Run) => Promise<RunEnd>> = {
  location: syncLocation,
  template: syncDraft,
  verification: followVerification,
  reconcile: reconcileShop,
  uninstall: confirmUninstall,
  redact: redactShop,
};

/** Runs a claimed target to its end, under its lease. Never rejects: what cannot be written down is left to the lease's end. */
export async function runTarget(
  services: Services,
  { target, priority, signal }: { target: TargetRecord; priority?: Priority; signal?: AbortSignal },
): Promise<void> {
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
    const ending = await work(run).catch((error: unknown) => endOfFault(run, error));
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

async function work(run: Run): Promise<RunEnd> {
  return (await passShopGate(run)) ?? (await WORK[run.target.kind](run));
}
