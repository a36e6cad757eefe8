import { MANY_FAILURES } from "../domain/backoff.ts";
import { isAppError } from "../domain/errors.ts";
import type { AppError, FaultKind } from "../domain/errors.ts";
import type { WorkItem } from "../domain/records.ts";
import type { ConnectionRef, Probe } from "../ports.ts";
import { isOpen, noteSuccess, optionsOf } from "./breaker-state.ts";
import type { Run } from "./run.ts";

/**
 * Whose failure it is that a call got no answer, a 5xx or no access: the connection's, or the work item's own. It is the work item's own
 * once the service has answered anything else since.
 */

/** Failures that a token clears up: a service that gives one is there. A token does not clear up that the service refuses us. */
const NOT_THERE: readonly FaultKind[] = [
  "transport",
  "timeout",
  "server_error",
  "rate_limited",
  "unreadable",
  "unexpected_status",
];

/** Failures that are answers of the service all the same: a connection that gets one is not refused. */
const NOT_REFUSED: readonly FaultKind[] = ["server_error", "unreadable", "unexpected_status"];

/** Failures that end a run whatever the service would have answered to another call. */
const ENDS_RUN: readonly FaultKind[] = ["cancelled", "superseded", "not_connected", "invalid_client"];

/** Whether a work item is known to fail by itself: its failures open no breaker for as long as other calls are answered. */
export function failsByItself({ failingSinceMs }: WorkItem): boolean {
  return failingSinceMs !== null;
}

/**
 * Whether what a run has just met is its work item's own. Asks the service for something else where nothing tells yet; `isFinal`: and where
 * only what it answered before does, for a work item that is given up comes again by nothing.
 */
export async function isItsOwn(
  run: Run,
  ref: ConnectionRef,
  error: AppError,
  { isFinal = false }: { isFinal?: boolean } = {},
): Promise<boolean> {
  if (run.suspected) return false;
  if (error.isAlone || (run.cleared && !isFinal)) return true;
  run.suspected = !(await isCleared(run, ref, { kind: error.kind, isFinal }));
  return !run.suspected;
}

async function isCleared(
  run: Run,
  ref: ConnectionRef,
  { kind, isFinal }: { kind: FaultKind; isFinal: boolean },
): Promise<boolean> {
  const { services, item } = run;
  const connection = await services.store.connections.find({ id: ref.id, version: ref.version });
  if (!connection) return false;
  const nowMs = services.clock.nowMs();
  const known = failsByItself(item);
  const { lastSuccessAtMs } = connection;
  const since = known && lastSuccessAtMs !== null && lastSuccessAtMs > failedAtMs(item) && lastSuccessAtMs <= nowMs;
  if (!isFinal && item.failures >= MANY_FAILURES && (since || (known && run.answered))) return true;
  // While the breaker is open the probe asks.
  if (isOpen(connection)) return false;
  // That the token is taken for a reading does not mean that the service refuses this one write alone.
  const ask: Probe[] = isFinal ? ["list"] : ["list", "none"];
  const fault = await askService(run, ref, { met: [kind], ask: known ? [...ask, "token"] : ask });
  if (fault !== null || !isFinal) return fault === null;
  // While the question was on its way another run met the same everywhere: the answer to it may be the first after that.
  const answered = await services.store.connections.find({ id: ref.id, version: ref.version });
  return answered?.lastFaultAtMs === connection.lastFaultAtMs;
}

/** A new request may forget the reason of the last failure, not that there was one. */
function failedAtMs({ failures, reason, failingSinceMs }: WorkItem): number {
  return failures > 0 && reason ? reason.atMs : (failingSinceMs ?? 0);
}

/**
 * Asks the service something cheap that is about no template. Null when it answers, which closes the breaker; else what the list met.
 * `met`: what the answer is to clear up; `ask`: the list first.
 */
export async function askService(
  run: Run,
  ref: ConnectionRef,
  { met, ask }: { met: FaultKind[]; ask: readonly Probe[] },
): Promise<AppError | null> {
  const account = run.services.shipping.account(ref);
  const faults: AppError[] = [];
  // Where the service asked for a pause, the question is the first to go after it: those before it may be refused alone, too.
  const options = met.includes("rate_limited")
    ? { ...optionsOf(run), priority: "interactive" as const }
    : optionsOf(run);
  for (const what of ask) {
    if (what === "none" && !isRefused(faults[0])) continue;
    if (what === "token" && !isClearedByToken(met, faults)) break;
    try {
      await account.probe(what, options);
      await noteSuccess(run, ref);
      return null;
    } catch (error) {
      if (!isAppError(error) || ENDS_RUN.includes(error.kind)) throw error;
      faults.push(error);
    }
  }
  return faults[0]!;
}

/** The list may be refused alone: something else tells. */
function isRefused(list: AppError | undefined): boolean {
  return list !== undefined && !NOT_THERE.includes(list.kind);
}

/** An earlier refusal does not mean that the service refuses everything, once it answers the list, even with an error. */
function isClearedByToken(met: FaultKind[], [list]: AppError[]): boolean {
  if (list && NOT_REFUSED.includes(list.kind)) return true;
  return [...met, ...(list ? [list.kind] : [])].every((kind) => NOT_THERE.includes(kind));
}

/** Whether neither the list, which got no answer, nor a token tells whether those who were refused still are: only they can find out. */
export function saysNothing(met: FaultKind[], { kind }: AppError): boolean {
  return NOT_THERE.includes(kind) && !NOT_REFUSED.includes(kind) && met.some((each) => !NOT_THERE.includes(each));
}
