import { NEVER_MS, ownBackoffMs, PARK_AFTER_FAILURES } from "../domain/backoff.ts";
import { AppError, isAppError } from "../domain/errors.ts";
import type { FaultKind } from "../domain/errors.ts";
import type { TargetKind, TargetRecord } from "../domain/records.ts";
import type { ConnectionRef } from "../ports.ts";
import { raiseTarget } from "../use-cases/raise-target.ts";
import { noteFailure, refOf } from "./connection-gate.ts";
import { blocked, commitFenced, reasonOf } from "./run.ts";
import type { Run, RunEnd } from "./run.ts";

/** Nobody would press a button for these. */
const NEVER_PARKED: readonly TargetKind[] = ["reconcile", "uninstall", "redact"];

/** Shopify does not let us read the shop, and no repetition of this run changes that. */
const NO_ACCESS: readonly FaultKind[] = ["shopify_refused", "shopify_frozen", "shopify_session"];

/** Work that was overtaken begins again after this; a loop of it would otherwise spin. */
const REDO_MS = 250;

type Ending =
  Exclude<RunEnd, { kind: "erased" }> | { kind: "released" } | { kind: "redo" } | { kind: "failed"; error: AppError };

/** Writes a run's end: what was seen, when it is due again, why it stopped. A newer generation makes it due at once. */
export async function endRun(run: Run, ending: Ending): Promise<void> {
  const { services, target } = run;
  const chance = services.random.next();
  await commitFenced(run, async (tables) => {
    const nowMs = services.clock.nowMs();
    const current = await tables.targets.find({ id: target.id });
    if (!current) return;
    const intent = await tables.intents.find({ targetId: target.id });
    const heldUntilMs = intent ? intent.quarantineUntilMs : 0;
    const after = afterRun({ run, current, ending, chance, nowMs });
    const dueAtMs =
      after.state === "active" && after.dueAtMs !== NEVER_MS ? Math.max(after.dueAtMs, heldUntilMs) : after.dueAtMs;
    const free = { leaseOwner: null, leaseUntilMs: null, updatedAtMs: nowMs };
    await tables.targets.update({ id: target.id, fence: target.fence }, { ...after, dueAtMs, ...free });
  });
}

type After = Pick<TargetRecord, "seen" | "dueAtMs" | "failures" | "state" | "reason">;

function afterRun(input: { run: Run; current: TargetRecord; ending: Ending; chance: number; nowMs: number }): After {
  const { run, current, ending, chance, nowMs } = input;
  const generation = run.target.wanted;
  const raised = current.wanted > generation;
  const same = { seen: current.seen, failures: current.failures, state: "active", reason: current.reason } as const;
  switch (ending.kind) {
    case "done":
      return {
        seen: generation,
        failures: 0,
        state: "active",
        reason: null,
        dueAtMs: raised ? nowMs : (ending.againAtMs ?? NEVER_MS),
      };
    case "blocked":
      if (raised) return { ...same, seen: generation, dueAtMs: nowMs };
      return { seen: generation, failures: 0, state: "blocked", reason: ending.reason, dueAtMs: NEVER_MS };
    case "waits":
      return { ...same, reason: raised ? null : ending.reason, dueAtMs: ending.untilMs };
    case "released":
      return { ...same, dueAtMs: nowMs };
    case "redo":
      return { ...same, dueAtMs: nowMs + REDO_MS };
    case "failed": {
      if (raised) return { ...same, dueAtMs: nowMs };
      const failures = current.failures + 1;
      const { kind, requestId, serviceMessage, message } = ending.error;
      const reason = reasonOf(run, kind, { message: serviceMessage ?? message, requestId });
      if (failures >= PARK_AFTER_FAILURES && !NEVER_PARKED.includes(current.kind)) {
        return { seen: current.seen, failures, state: "parked", reason, dueAtMs: NEVER_MS };
      }
      return { seen: current.seen, failures, state: "active", reason, dueAtMs: nowMs + ownBackoffMs(failures, chance) };
    }
  }
}

/** Whose failure it was, and what follows from that. */
export async function endOfFault(run: Run, thrown: unknown): Promise<Ending> {
  const error = isAppError(thrown)
    ? thrown
    : new AppError({
        kind: "internal",
        message: thrown instanceof Error ? thrown.message : "something was thrown",
        cause: thrown,
      });
  const said = { message: error.serviceMessage ?? error.message, requestId: error.requestId };
  if (error.kind === "cancelled") return { kind: "released" };
  if (error.kind === "superseded") return { kind: "redo" };
  if (error.kind === "not_connected") return blocked(run, "not_connected", said);
  if (NO_ACCESS.includes(error.kind)) {
    await suspectUninstall(run);
    // A frozen shop thaws, and one that left may be back, without a word; what stopped meanwhile is found by looking at everything.
    return run.target.kind === "reconcile" ? { kind: "failed", error } : blocked(run, error.kind, said);
  }
  if (!error.traits.connectionWide) return { kind: "failed", error };
  if (error.kind === "invalid_client") return blocked(run, error.kind, said);
  const over = run.over ?? (await currentConnection(run));
  if (!over) return blocked(run, "not_connected", said);
  return {
    kind: "waits",
    untilMs: await noteFailure(run, over, error),
    reason: reasonOf(run, error.kind, said),
  };
}

async function currentConnection({ services, target }: Run): Promise<ConnectionRef | null> {
  const current = await services.store.connections.find({ shop: target.shop, current: true });
  return current && refOf(current);
}

/** Shopify refuses the shop's token: perhaps the shop is gone. */
async function suspectUninstall({ services, target }: Run): Promise<void> {
  if (target.kind === "uninstall") return;
  await services.store.transaction((tables) =>
    raiseTarget(services, tables, { shop: target.shop, kind: "uninstall", key: "shop" }),
  );
}
