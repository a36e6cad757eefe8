import { connectionBackoffMs, NEVER_MS, WAITING_SPREAD_MS } from "../domain/backoff.ts";
import type { AppError } from "../domain/errors.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import type { ConnectionRef } from "../ports.ts";
import { reasonOf } from "./run.ts";
import type { Run, RunEnd } from "./run.ts";

/**
 * Failures that are not a target's own rest the whole connection: 5 to 60 s, then one probe; its success wakes everybody.
 */

/** A probe that never comes back (a crash) lets the next one try after this. */
const PROBE_MS = 15_000;

/** How long a success is not written down again. */
const SUCCESS_NOTED_MS = 60_000;

export function refOf(connection: ConnectionRecord): ConnectionRef {
  const { id, version, shop, environment, clientId } = connection;
  return { id, version, shop, environment, clientId };
}

/** Null when the run may call the service; else how it ends. The first run after the rest becomes the probe. */
export async function passGate(run: Run, connection: ConnectionRecord): Promise<RunEnd | null> {
  const { services } = run;
  const nowMs = services.clock.nowMs();
  const { id, backoffUntilMs } = connection;
  run.over = refOf(connection);
  if (backoffUntilMs === null || run.probing) return null;
  if (backoffUntilMs > nowMs) return rests(run, connection, backoffUntilMs);
  const probeEndsMs = nowMs + PROBE_MS;
  const mine = await services.store.connections.update({ id, backoffUntilMs }, { backoffUntilMs: probeEndsMs });
  if (mine === 0) return rests(run, connection, probeEndsMs);
  run.probing = true;
  return null;
}

function rests(run: Run, connection: ConnectionRecord, untilMs: number): RunEnd {
  const spreadMs = Math.round(run.services.random.next() * WAITING_SPREAD_MS);
  const code = connection.lastFaultKind ?? "transport";
  return {
    kind: "waits",
    untilMs: untilMs + spreadMs,
    reason: reasonOf(run, code, { message: connection.lastFaultMessage }),
  };
}

/** The service answered: the connection is well, and whoever waited behind it comes now. */
export async function noteSuccess(run: Run, ref: ConnectionRef): Promise<void> {
  const { store, clock, wake } = run.services;
  const nowMs = clock.nowMs();
  const connection = await store.connections.find({ id: ref.id, version: ref.version });
  if (!connection) return;
  const resting = connection.failures > 0 || connection.backoffUntilMs !== null;
  run.probing = false;
  if (!resting && nowMs - (connection.lastSuccessAtMs ?? 0) < SUCCESS_NOTED_MS) return;
  await store.transaction(async (tables) => {
    const well = { failures: 0, backoffUntilMs: null, lastSuccessAtMs: nowMs };
    await tables.connections.update({ id: ref.id, version: ref.version }, well);
    if (!resting) return;
    await tables.targets.update(
      { shop: ref.shop, state: "active", leaseUntilMs: null, dueAtMs: { lt: NEVER_MS }, kind: { not: "reconcile" } },
      { dueAtMs: nowMs },
    );
  });
  if (resting) wake();
}

/** Counts one failure of the connection, however many calls met it together. Gives the end of the rest. */
export function noteFailure(run: Run, ref: ConnectionRef, error: AppError): Promise<number> {
  const { services } = run;
  return services.store.transaction(async (tables) => {
    const nowMs = services.clock.nowMs();
    const connection = await tables.connections.find({ id: ref.id, version: ref.version });
    if (!connection) return nowMs;
    const fault = {
      lastFaultKind: error.kind,
      lastFaultAtMs: nowMs,
      lastFaultMessage: error.serviceMessage ?? error.message,
    };
    const rested = connection.backoffUntilMs ?? 0;
    if (rested > nowMs && !run.probing) {
      await tables.connections.update({ id: ref.id }, fault);
      return rested;
    }
    const failures = connection.failures + 1;
    const backoffUntilMs = nowMs + connectionBackoffMs(failures);
    await tables.connections.update({ id: ref.id }, { ...fault, failures, backoffUntilMs });
    return backoffUntilMs;
  });
}
