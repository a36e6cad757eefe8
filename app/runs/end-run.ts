import { NEVER_MS, ownBackoffMs } from "../domain/backoff.ts";
import { AppError, isAppError } from "../domain/errors.ts";
import type { FaultKind } from "../domain/errors.ts";
import { closedReason, isClosedReason } from "../domain/closed-reason.ts";
import type { WorkItemReason, WorkItem } from "../domain/records.ts";
import type { ConnectionRef, Tables } from "../ports.ts";
import { countDoneOver, isTimeAfterTime } from "./done-over.ts";
import { requestWork } from "./request-work.ts";
import { failsByItself, isItsOwn } from "./blame.ts";
import { isOpen, noteFailure } from "./breaker-state.ts";
import { refOf, waitsBehind } from "./circuit-breaker.ts";
import { afterOwnFailure, wakeParked } from "./own-failure.ts";
import { blocked, commitFenced, reasonOf } from "./run.ts";
import type { Run, RunEnd } from "./run.ts";

/** Shopify does not let us read the shop, and no repetition of this run changes that. */
const NO_ACCESS: readonly FaultKind[] = ["shopify_refused", "shopify_frozen", "shopify_session"];

/** How long a run rests that another one overtook. Without a rest, two that overtake each other would do so without end. */
const REDO_MS = 250;

/** A change by hand whose end was unclear lets whoever waits for its template go first: it may fail so for ever. */
const GIVES_WAY_MS = 2_000;

type Ending = Exclude<RunEnd, { kind: "erased" }> | { kind: "released" } | { kind: "redo"; error: AppError };

/** What follows from a run's end, whatever the run did, in the transaction that writes it. */
export type Ended = (run: Run, tables: Tables) => Promise<void>;

/** Writes a run's end: what was seen, when it is due again, why it stopped. A newer generation makes it due at once. */
export async function endRun(run: Run, ending: Ending, ended: Ended): Promise<void> {
  const { services, item } = run;
  const chance = services.random.next();
  // One that was interrupted, or waits, came to nothing either.
  if (ending.kind !== "released" && ending.kind !== "waits")
    countDoneOver(services.clock, item, ending.kind === "redo");
  const failures = await commitFenced(run, async (tables) => {
    const nowMs = services.clock.nowMs();
    const current = await tables.workItems.find({ id: item.id });
    if (!current) return null;
    const pendingWrite = await tables.pendingWrites.find({ workItemId: item.id });
    const givesWayMs = item.kind === "template" ? GIVES_WAY_MS : 0;
    const heldUntilMs = pendingWrite ? pendingWrite.quarantineUntilMs + givesWayMs : 0;
    const behind =
      ending.kind === "waits" && ending.behind ? await tables.connections.find({ id: ending.behind }) : null;
    const isOver = ending.kind === "waits" && (await ending.isOver?.(tables)) === true;
    const isWell = isOver || (behind !== null && !isOpen(behind));
    const hasOpened = ending.kind === "blocked" && isClosedReason(ending.reason) && (await opensSince(run, tables));
    const asked = current.generation > item.generation;
    const overAgain = ending.kind === "redo" && isTimeAfterTime(services.clock, item, { asked });
    const after = afterRun({ run, current, ending, chance, nowMs, isWell, hasOpened, overAgain });
    const dueAtMs =
      after.state === "active" && after.dueAtMs !== NEVER_MS ? Math.max(after.dueAtMs, heldUntilMs) : after.dueAtMs;
    const free = { leaseOwner: null, leaseUntilMs: null, updatedAtMs: nowMs };
    await tables.workItems.update({ id: item.id, fence: item.fence }, { ...after, dueAtMs, ...free });
    if (run.answered) await wakeParked(run, tables, after);
    if (ending.kind === "done") await ending.alongside?.(tables);
    if (ending.kind === "blocked" && !isClosedReason(ending.reason)) await failJobItems(run, tables, ending.reason);
    if (isRefusedByShopify(ending)) await suspectUninstall(run, tables);
    await ended(run, tables);
    return overAgain ? after.failures : null;
  });
  if (ending.kind === "redo" && failures !== null) tellDoneOver(run, { error: ending.error, failures });
}

/**
 * What a job asked for up to this run has failed as far as the job goes. Said at once: whoever asks for the work item again, before anybody
 * looks at the job, makes it look as if it had gone through. What a closed connection stops goes on once that is open again.
 */
async function failJobItems(
  { item: { id: workItemId, shop, generation } }: Run,
  { jobItems }: Pick<Tables, "jobItems">,
  { code }: WorkItemReason,
): Promise<void> {
  const waiting = { shop, workItemId, generation: { lte: generation }, state: "waiting" } as const;
  await jobItems.update(waiting, { state: "failed", detail: code });
}

/**
 * Whether the shop's connection is open now, and was closed, or another one, for this run: what opened it requested those again that had
 * stopped by then, and not this one. Over the same version the next run would stop for the same reason.
 */
async function opensSince({ item, over }: Run, tables: Pick<Tables, "connections" | "shops">): Promise<boolean> {
  const { shop } = item;
  if ((await tables.shops.count({ shop, uninstalledAtMs: null })) === 0) return false;
  const connection = await tables.connections.find({ shop, current: true });
  if (!connection || closedReason(connection) !== null) return false;
  return over?.id !== connection.id || over.version !== connection.version;
}

/** Reasons that only a run gives which could read Shopify and the template: an older failure to read them is over. */
const CAME_FURTHER: readonly WorkItemReason["code"][] = ["absence_unconfirmed", "book_unconfirmed", "book_unreadable"];

type After = Pick<WorkItem, "observedGeneration" | "dueAtMs" | "failures" | "state" | "reason"> & Partial<WorkItem>;

interface End {
  run: Run;
  current: WorkItem;
  ending: Ending;
  chance: number;
  nowMs: number;
  /** The run was to wait for the connection, which is well again. */
  isWell: boolean;
  /** The run met a closed connection, which is open now. */
  hasOpened: boolean;
  /** The run is to be done over, as those before it were. */
  overAgain: boolean;
}

function afterRun(end: End): After {
  const { run, current, ending, nowMs, chance, isWell, hasOpened, overAgain } = end;
  const generation = run.item.generation;
  const requestedAgain = current.generation > generation;
  const { observedGeneration, failures } = current;
  const same = { observedGeneration, failures, state: "active", reason: current.reason } as const;
  const cameThrough = { failures: 0, failingSinceMs: null };
  const served = { observedGeneration: generation, pendingSinceMs: requestedAgain ? nowMs : null };
  switch (ending.kind) {
    case "done": {
      const dueAtMs = requestedAgain ? nowMs : (ending.againAtMs ?? NEVER_MS);
      return { ...served, ...cameThrough, state: "active", reason: null, dueAtMs };
    }
    case "blocked":
      if (requestedAgain) return { ...same, ...served, dueAtMs: nowMs };
      if (hasOpened) return { ...same, dueAtMs: nowMs };
      return { ...served, ...cameThrough, state: "blocked", reason: ending.reason, dueAtMs: NEVER_MS };
    case "waits": {
      // Charged while this run was on its way: the connection is well, what this work item met was its own.
      if (failures > run.item.failures) return { ...same, dueAtMs: nowMs + ownBackoffMs(failures, chance) };
      // What was said meanwhile may end the wait; should it not, the next run gives the reason.
      if (isWell || requestedAgain) return { ...same, dueAtMs: nowMs };
      // What it fails of by itself is what there is to tell, not what it waits for in between; unless it came past that, or Shopify, which
      // did not answer, does by now.
      const { code } = ending.reason;
      const isNews = NO_ACCESS.includes(code as FaultKind) || CAME_FURTHER.includes(code);
      const answersNow = code === "location_behind" && current.reason?.code === "shopify_unavailable";
      const failsOf = failures > 0 && !isNews && !answersNow ? current.reason : null;
      return { ...same, reason: failsOf ?? ending.reason, dueAtMs: ending.untilMs };
    }
    case "released":
      return { ...same, dueAtMs: nowMs };
    case "redo":
      return overAgain ? afterFailure(end, reasonOf(run, "done_over")) : { ...same, dueAtMs: nowMs + REDO_MS };
    case "failed": {
      const { error, metAtMs = nowMs } = ending;
      const { kind, requestId, operation, serviceMessage: message } = error;
      const reason = { ...reasonOf(run, kind, { message, requestId, operation }), atMs: metAtMs };
      // Shopify may have told of what mends the reading of it; what the service fails at goes on whatever is asked for.
      if (requestedAgain && !error.traits.atService)
        return { ...same, reason, failingSinceMs: current.failingSinceMs ?? nowMs, dueAtMs: nowMs };
      return afterFailure(end, reason);
    }
  }
}

/** After one more failure of the work item's own. What a person said during the run has forgotten those before. */
function afterFailure({ run, current, chance, nowMs }: End, reason: WorkItemReason): After {
  const { item } = run;
  const { observedGeneration } = current;
  const calls = Math.max(1, run.listCalls);
  const before = { ...current, failures: Math.min(current.failures, item.failures) };
  const isAskedAgain = current.generation > item.generation;
  return { observedGeneration, ...afterOwnFailure(before, { reason, chance, nowMs, calls, isAskedAgain }) };
}

/** How many such failures are one for the operator: as many as the owner is told of. */
const OPERATOR_TOLD_AT = 5;

/** Why nothing gets through is in the database or in the app: its owner can only wait. */
function tellDoneOver({ services, item }: Run, { error, failures }: { error: AppError; failures: number }): void {
  const { shop, id: workItemId, kind, key } = item;
  const said = { shop, workItemId, kind, key, failures, error };
  if (failures === OPERATOR_TOLD_AT)
    services.log.error({ alarm: "done_over", ...said }, "work is done over, time after time, and nothing gets through");
  else services.log.warn(said, "work is done over again");
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
  const { serviceMessage: message, requestId } = error;
  const said = { message, requestId };
  if (error.kind === "internal") logDefect(run, error);
  if (error.kind === "cancelled") return { kind: "released" };
  if (error.kind === "superseded") return { kind: "redo", error };
  if (error.kind === "not_connected") return stopped(run, "not_connected", said);
  if (NO_ACCESS.includes(error.kind)) {
    // A frozen shop thaws, and one that left may be back, without a word; what stopped meanwhile is found by looking at everything.
    // What is known to fail by itself does so until it has come through: Shopify may let us in, and refuse this alone.
    const isCounted = run.item.kind === "reconcile" || failsByItself(run.item);
    return isCounted ? { kind: "failed", error } : blocked(run, error.kind, said);
  }
  if (!error.traits.connectionWide) return { kind: "failed", error };
  if (error.kind === "invalid_client") return stopped(run, error.kind, said);
  const over = run.over ?? (await currentConnection(run));
  if (!over) return blocked(run, "not_connected", said);
  const metAtMs = run.services.clock.nowMs();
  try {
    if (await isItsOwn(run, over, error)) return { kind: "failed", error, metAtMs };
  } catch (met) {
    // What ended the question ends the run.
    return endOfFault(run, met);
  }
  const opened = await noteFailure(run, over, error);
  return opened ? waitsBehind(run, opened.connection, opened.untilMs) : { kind: "redo", error };
}

/** What stopped it is said of the connection as it is now, if no gate had one. */
async function stopped(
  run: Run,
  code: "not_connected" | "invalid_client",
  said: Partial<WorkItemReason>,
): Promise<Ending> {
  run.over ??= await currentConnection(run);
  return blocked(run, code, said);
}

/** A defect of ours: its message goes to the log, for an owner is told the service's words only. */
function logDefect({ services, item }: Run, error: AppError): void {
  const { shop, id: workItemId, kind, key } = item;
  services.log.error({ shop, workItemId, kind, key, error }, "a run met a defect");
}

async function currentConnection({ services, item }: Run): Promise<ConnectionRef | null> {
  const current = await services.store.connections.find({ shop: item.shop, current: true });
  return current && refOf(current);
}

function isRefusedByShopify(ending: Ending): boolean {
  if (ending.kind === "failed") return NO_ACCESS.includes(ending.error.kind);
  return ending.kind === "blocked" && NO_ACCESS.includes(ending.reason.code as FaultKind);
}

/**
 * Shopify refuses the shop's token: perhaps the shop is gone. In one with the run's end: an answer that lets us in wakes what had stopped
 * by then, and may come before the run has ended.
 */
async function suspectUninstall({ services, item }: Run, tables: Pick<Tables, "workItems">): Promise<void> {
  if (item.kind !== "uninstall")
    await requestWork(services, tables, { shop: item.shop, kind: "uninstall", key: "shop" });
}
