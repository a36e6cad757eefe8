import { MANY_FAILURES, PROBE_MS, restsUntilMs, WAITING_LONGEST_MS, WAITING_SPREAD_MS } from "../domain/backoff.ts";
import { AppError } from "../domain/errors.ts";
import type { ConnectionRecord, Suspect, WorkItem, WorkItemKind } from "../domain/records.ts";
import type { ConnectionRef } from "../ports.ts";
import { askService, saysNothing } from "./blame.ts";
import { MOST_SUSPECTS, noteFailure } from "./breaker-state.ts";
import { reasonOf, superseded } from "./run.ts";
import type { Run, RunEnd } from "./run.ts";

/** Nobody calls over a connection that rests. After the rest goes one probe, which is never a work item that failed since it opened. */

/** A suspect comes after everybody else who waits. Of several, the one that failed last comes last, so that each has its turn as the probe. */
const SUSPECT_LATE_MS = { least: 1_000, most: 2_000 };

/** How long a suspect leaves the probe to another, and how long after the rest it does so at most: that one may not call at all. */
const HAND_OVER_MS = 3_000;
const HAND_OVER_WITHIN_MS = 10_000;

/** The kinds of work whose runs call the service. */
const CALLERS: readonly WorkItemKind[] = ["location", "template", "verification", "reconcile", "move"];

export function refOf(connection: ConnectionRecord): ConnectionRef {
  const { id, version, shop, environment, clientId } = connection;
  return { id, version, shop, environment, clientId };
}

/**
 * Null when the run may call the service; else how it ends. The first run after the rest is the probe; where only suspects are due,
 * it asks for one row of the list instead, then for a token: an answer says that what it had met is its own. It goes itself after all where
 * neither can say so, and where it has failed so few times that what it met may have been the service's.
 */
export async function passGate(run: Run, connection: ConnectionRecord): Promise<RunEnd | null> {
  const { services, item } = run;
  const nowMs = services.clock.nowMs();
  const { id, backoffUntilMs, suspects } = connection;
  const ref = refOf(connection);
  run.over = ref;
  if (backoffUntilMs === null || run.probing) return null;
  const untilMs = restsUntilMs(backoffUntilMs, nowMs);
  if (untilMs !== null) return waitsBehind(run, connection, untilMs);
  const suspect = suspects.find(({ targetId }) => targetId === item.id);
  if (suspect && (await handOver(run, connection))) return waitsBehind(run, connection, nowMs + HAND_OVER_MS);
  const probeEndsMs = nowMs + PROBE_MS;
  const mine = await services.store.connections.update(
    { id, shop: item.shop, backoffUntilMs },
    { backoffUntilMs: probeEndsMs },
  );
  if (mine === 0) return waitsBehind(run, connection, probeEndsMs);
  run.probing = true;
  run.probe = { connectionId: id, endsMs: probeEndsMs, restEndedMs: backoffUntilMs };
  if (!suspect) return null;
  const met = suspects.map(({ kind }) => kind);
  const fault = await askService(run, ref, { met, ask: ["list", "none", "token"] });
  if (!fault && item.failures < MANY_FAILURES) {
    run.cleared = true;
    return null;
  }
  if (!fault) return { kind: "failed", error: metBy(suspect), metAtMs: suspect.atMs };
  if (saysNothing(met, fault)) return null;
  const opened = await noteFailure(run, ref, fault, suspect);
  if (!opened) throw superseded("the connection has changed");
  return waitsBehind(run, opened.connection, opened.untilMs);
}

/**
 * At a run's end. A probe that was not answered, and met nothing that is the connection's, may not have called at all: another may be the
 * probe at once. The rest counts as ended when it did, so that nobody is handed the probe for ever (`HAND_OVER_WITHIN_MS`).
 */
export async function giveBackProbe({ services, item, probing, probe }: Run): Promise<void> {
  if (!probing || !probe) return;
  const { connectionId: id, endsMs, restEndedMs } = probe;
  const isOurs = { id, shop: item.shop, backoffUntilMs: endsMs };
  await services.store.connections.update(isOurs, { backoffUntilMs: restEndedMs });
}

/** How a run ends behind a connection that rests until then. A suspect tells what it met itself, and comes after the others. */
export function waitsBehind(
  run: Run,
  connection: ConnectionRecord,
  untilMs: number,
): Extract<RunEnd, { kind: "waits" }> {
  const { services, item } = run;
  const { suspects } = connection;
  const place = suspects.findIndex(({ targetId }) => targetId === item.id);
  const suspect = suspects[place];
  const chance = services.random.next();
  const { least, most } = suspect ? SUSPECT_LATE_MS : { least: 0, most: WAITING_SPREAD_MS };
  const late = suspect ? (place + chance) / suspects.length : chance;
  const laterMs = Math.round(least + late * (most - least));
  const reason = suspect
    ? reasonOf(run, suspect.kind, { message: suspect.message, requestId: suspect.requestId })
    : reasonOf(run, connection.lastFaultKind ?? "transport");
  return { kind: "waits", untilMs: untilMs + laterMs, behind: connection.id, reason };
}

/**
 * Makes another work item that waits the probe, if there is one. Within ten seconds after the rest that is one that has not failed, or that
 * Shopify alone has failed; it may not call at all. In the next ten it is a suspect that failed longer ago: two that have let such a one go
 * first come again in any order.
 */
async function handOver(run: Run, connection: ConnectionRecord): Promise<boolean> {
  const { store, clock, wake } = run.services;
  const nowMs = clock.nowMs();
  const restedMs = nowMs - connection.backoffUntilMs!;
  if (restedMs > 2 * HAND_OVER_WITHIN_MS) return false;
  const next = await (restedMs > HAND_OVER_WITHIN_MS ? earlierSuspect(run, connection) : unfailed(run, connection));
  if (!next) return false;
  await store.workItems.update(
    { id: next.id, shop: next.shop, fence: next.fence, leaseUntilMs: null },
    { dueAtMs: nowMs, updatedAtMs: nowMs },
  );
  wake();
  return true;
}

async function earlierSuspect({ services, item }: Run, { suspects }: ConnectionRecord): Promise<WorkItem | null> {
  const place = suspects.findIndex(({ targetId }) => targetId === item.id);
  const untilMs = services.clock.nowMs() + WAITING_LONGEST_MS;
  for (const { targetId: id } of suspects.slice(0, place)) {
    const earlier = await services.store.workItems.find({ id, shop: item.shop });
    if (earlier?.state === "active" && earlier.leaseUntilMs === null && earlier.dueAtMs <= untilMs) return earlier;
  }
  return null;
}

async function unfailed({ services, item }: Run, { suspects }: ConnectionRecord): Promise<WorkItem | null> {
  const { store, clock } = services;
  const nowMs = clock.nowMs();
  const waiting = {
    shop: item.shop,
    kind: { in: CALLERS },
    state: "active",
    leaseUntilMs: null,
    dueAtMs: { lte: nowMs + WAITING_LONGEST_MS },
  } as const;
  const first = async (failures: 0 | { gt: 0 }) => {
    const due = await store.workItems.list(
      { ...waiting, failures },
      { orderBy: { dueAtMs: "asc" }, limit: MOST_SUSPECTS + 1 },
    );
    return due.find(
      (each) =>
        each.id !== item.id &&
        (each.failures === 0 || each.reason?.code === "shopify_unavailable") &&
        !suspects.some(({ targetId }) => targetId === each.id),
    );
  };
  return (await first(0)) ?? (await first({ gt: 0 })) ?? null;
}

function metBy({ kind, message, requestId }: Suspect): AppError {
  const said = { serviceMessage: message, requestId };
  return new AppError({ kind, message: "the service answers others", effect: "none", ...said });
}
