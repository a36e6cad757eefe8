import { connectionBackoffMs, MANY_FAILURES, NEVER_MS, restsUntilMs, WAITING_LONGEST_MS } from "../domain/backoff.ts";
import type { AppError } from "../domain/errors.ts";
import { CLOSED_BREAKER } from "../domain/new-records.ts";
import type { ConnectionRecord, Suspect } from "../domain/records.ts";
import { atMostAgoMs, momentOf } from "../domain/moment.ts";
import type { CallOptions, ConnectionRef, Services, Tables } from "../ports.ts";
import { afterOwnFailure } from "./own-failure.ts";
import type { Run } from "./run.ts";

/**
 * The circuit breaker of a connection, in its row. A failure that may be the connection's opens it: nobody calls for 5 to 60 s. Who
 * met one is remembered as a suspect. The first answer to anybody closes it, wakes whoever waited, and charges the other suspects:
 * the connection is well, so what they met was their own. It may have been the service's all the same, so they go again at once until they
 * have failed many times.
 */

/** How long after an answer was written down the next one is not. An answer that was not written down costs one call more. */
const SUCCESS_NOTED_MS = 5_000;

/** How many suspects a connection remembers in a long outage; the newest are kept. */
export const MOST_SUSPECTS = 20;

export function isOpen({ failures, backoffUntilMs, suspects }: ConnectionRecord): boolean {
  return failures > 0 || backoffUntilMs !== null || suspects.length > 0;
}

/**
 * An answer comes at most 10 s after its request left, or is none. One that is read later was answered before the process was stopped, and
 * the service may have begun to fail since.
 */
const ANSWERED_WITHIN_MS = 15_000;

/** The options of a call that note when it left. */
export function optionsOf(run: Run): CallOptions {
  const { priority, signal, services } = run;
  const sending = () => {
    run.sentAt = momentOf(services.clock);
  };
  return { priority, signal, sending };
}

/** The service answered a run. */
export async function noteSuccess(run: Run, ref: ConnectionRef): Promise<void> {
  const { services, sentAt } = run;
  const { store, clock, wake } = services;
  if (sentAt && atMostAgoMs(clock, sentAt) > ANSWERED_WITHIN_MS) return;
  run.answered = true;
  run.probing = false;
  const key = { id: ref.id, version: ref.version };
  const known = await store.connections.find(key);
  if (!known || (!isOpen(known) && isJustNow(known.lastSuccessAtMs, clock.nowMs()))) return;
  const closed = await store.transaction(ref.shop, async (tables) => {
    const nowMs = clock.nowMs();
    const connection = await tables.connections.find(key);
    if (!connection) return false;
    await tables.connections.update(key, { ...CLOSED_BREAKER, lastSuccessAtMs: nowMs });
    if (!isOpen(connection)) return false;
    const waiting = { shop: ref.shop, state: "active", leaseUntilMs: null, failures: 0 } as const;
    await tables.workItems.update({ ...waiting, dueAtMs: { lte: nowMs + WAITING_LONGEST_MS } }, { dueAtMs: nowMs });
    const others = connection.suspects.filter(({ targetId }) => targetId !== run.item.id);
    for (const suspect of others) await charge(services, tables, { suspect, nowMs });
    return true;
  });
  if (closed) wake();
}

/** A time ahead of now was written by a clock that has been set back since. */
function isJustNow(atMs: number | null, nowMs: number): boolean {
  return atMs !== null && atMs <= nowMs && nowMs - atMs < SUCCESS_NOTED_MS;
}

/**
 * Also where it was requested again since, for that is no news about a failure of the service; one that came to its end since is not
 * charged. A run that holds the work item writes by itself when it is due again. One that is due never came to its end, too, or its job was
 * cancelled: a charge would make it due again.
 */
async function charge(
  services: Services,
  tables: Tables,
  { suspect, nowMs }: { suspect: Suspect; nowMs: number },
): Promise<void> {
  const { targetId: workItemId, wanted: generation, kind: code, message, requestId, atMs } = suspect;
  const item = await tables.workItems.find({ id: workItemId });
  if (item?.state !== "active" || item.dueAtMs >= NEVER_MS) return;
  const reason = { code, message, fields: null, requestId, atMs };
  const isAskedAgain = item.generation > generation;
  if (isAskedAgain && item.observedGeneration >= generation) return;
  const after = afterOwnFailure(item, { reason, chance: services.random.next(), nowMs, isAskedAgain });
  const { failures, failingSinceMs, reason: met } = after;
  const leased = item.leaseUntilMs !== null && item.leaseUntilMs > nowMs;
  const pendingWrite = await tables.pendingWrites.find({ workItemId });
  const restsUntil = item.failures < MANY_FAILURES ? nowMs : after.dueAtMs;
  const dueAtMs = Math.max(restsUntil, pendingWrite?.quarantineUntilMs ?? 0);
  const patch = leased ? { failures, failingSinceMs, reason: met } : { ...after, dueAtMs };
  await tables.workItems.update({ id: workItemId, generation: item.generation, fence: item.fence }, patch);
}

/**
 * Opens the breaker, or keeps it open for longer after a probe, however many calls failed together; the run's work item is a suspect
 * of what it met, or of `metBefore` where the failure is that of a question in its place. Gives the connection as it is then and the end
 * of its rest; null when it has changed meanwhile.
 */
export function noteFailure(
  run: Run,
  ref: ConnectionRef,
  error: AppError,
  metBefore?: Suspect,
): Promise<{ connection: ConnectionRecord; untilMs: number } | null> {
  const { services, item } = run;
  return services.store.transaction(ref.shop, async (tables) => {
    const nowMs = services.clock.nowMs();
    const key = { id: ref.id, version: ref.version };
    const connection = await tables.connections.find(key);
    if (!connection) return null;
    const { id: workItemId, generation } = item;
    const { kind, serviceMessage: message, requestId } = error;
    const suspect = metBefore ?? { targetId: workItemId, wanted: generation, kind, message, requestId, atMs: nowMs };
    const suspects = [...connection.suspects.filter((each) => each.targetId !== workItemId), suspect].slice(
      -MOST_SUSPECTS,
    );
    const fault = { suspects, lastFaultKind: kind, lastFaultAtMs: nowMs, lastFaultMessage: message };
    const restUntilMs = restsUntilMs(connection.backoffUntilMs, nowMs);
    const longer = restUntilMs === null || run.probing;
    const failures = longer ? connection.failures + 1 : connection.failures;
    const untilMs = longer ? nowMs + connectionBackoffMs(failures) : restUntilMs;
    const patch = { ...fault, failures, backoffUntilMs: untilMs };
    await tables.connections.update(key, patch);
    return { connection: { ...connection, ...patch }, untilMs };
  });
}
