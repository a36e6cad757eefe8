import { isAppError } from "../domain/errors.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import type { Credentials, IssuedToken, TokenOutcome } from "../ports.ts";
import { commit } from "../runs/run.ts";
import type { Run } from "../runs/run.ts";
import { stateOfAccount } from "./account-state.ts";
import { requestStopped } from "./request-stopped.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { openedColumns } from "./token-columns.ts";

export type Reopening =
  | { kind: "opened"; connection: ConnectionRecord }
  /** The service refuses the credentials still, or there are none to ask with, or others came meanwhile. */
  | { kind: "closed" }
  /** The service did not answer, so it is not known whether it takes the credentials. */
  | { kind: "unanswered" };

/**
 * How long after a connection was closed the first reconciles ask for it, in milliseconds. A gateway that refuses everything for minutes may
 * answer as the service would, and its refusals are over long before the next look at everything. Each costs one call.
 */
export const REOPENING_AFTER_MS = [60_000, 5 * 60_000, 15 * 60_000] as const;

/** How long until a connection that is closed still is to be asked for, where that is soon; in milliseconds. */
export function nextReopeningMs({ lastFaultAtMs }: Pick<ConnectionRecord, "lastFaultAtMs">, nowMs: number): number {
  const closedForMs = lastFaultAtMs === null ? Infinity : nowMs - lastFaultAtMs;
  const next = REOPENING_AFTER_MS.find((afterMs) => afterMs > closedForMs);
  return next === undefined ? Infinity : next - closedForMs;
}

/**
 * Asks once for a token of a connection that the service closed; opens it when there is one. A refusal may have been the service's own
 * mistake, such as of a moment when it knew no client, and nobody would enter credentials anew that are right.
 */
export async function reopenConnection(run: Run, closed: ConnectionRecord): Promise<Reopening> {
  const { services } = run;
  const { shop, environment, clientId, clientSecret, scope, redirectUri } = closed;
  if (clientSecret === null) return { kind: "closed" };
  const credentials = { shop, environment, clientId, clientSecret: clientSecret.reveal(), scope, redirectUri };
  const outcome = await ask(run, credentials);
  if (outcome === null) return { kind: "unanswered" };
  if (outcome.kind !== "issued") return { kind: "closed" };
  const opened = await open(run, { closed, token: outcome.token });
  if (opened) {
    services.shipping.forget(closed.id);
    return { kind: "opened", connection: opened };
  }
  const { accessToken, refreshToken } = outcome.token;
  await services.shipping.revoke({ credentials, accessToken, refreshToken }, { priority: run.priority });
  return { kind: "closed" };
}

async function ask({ services, priority, signal }: Run, credentials: Credentials): Promise<TokenOutcome | null> {
  try {
    return await services.shipping.obtainToken(credentials, { priority, signal, once: true });
  } catch (error) {
    if (!isAppError(error) || error.kind === "cancelled") throw error;
    const { kind, requestId } = error;
    services.log.warn({ shop: credentials.shop, kind, requestId }, "a closed connection could not be asked for");
    return null;
  }
}

/** Null when its owner was faster. */
function open(
  run: Run,
  { closed, token }: { closed: ConnectionRecord; token: IssuedToken },
): Promise<ConnectionRecord | null> {
  const { services } = run;
  return commit(run, async (tables) => {
    const { id, shop, version } = closed;
    const opened = {
      ...openedColumns(token, services.clock.nowMs()),
      state: await stateOfAccount(tables, closed, null),
      version: version + 1,
    };
    const mine = { id, shop, version, state: "invalid", current: true } as const;
    if ((await tables.connections.update(mine, opened)) === 0) return null;
    if (opened.state === "active") await requestStopped(services, tables, { shop, connectionId: id, isOther: false });
    await recordActivity(services, tables, { shop, actor: "service", kind: "connection_reopened", outcome: "done" });
    return { ...closed, ...opened };
  });
}
