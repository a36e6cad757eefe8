import { CLOSED_BREAKER } from "../domain/new-records.ts";
import { Secret } from "../domain/secret.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import type { IssuedToken } from "../ports.ts";

type TokenColumns = Pick<
  ConnectionRecord,
  "accessToken" | "refreshToken" | "tokenScope" | "tokenObtainedAtMs" | "tokenExpiresAtMs"
>;

/** A token as its connection's row keeps it. */
export function tokenColumns(token: IssuedToken): TokenColumns {
  return {
    accessToken: new Secret(token.accessToken),
    refreshToken: token.refreshToken === null ? null : new Secret(token.refreshToken),
    tokenScope: token.scope,
    tokenObtainedAtMs: token.obtainedAtMs,
    tokenExpiresAtMs: token.expiresAtMs,
  };
}

/** Columns of a connection for which the service has just given a token: nothing is known against it any more. */
export function openedColumns(token: IssuedToken, nowMs: number) {
  return {
    ...tokenColumns(token),
    ...CLOSED_BREAKER,
    lastFaultKind: null,
    lastFaultAtMs: null,
    lastFaultMessage: null,
    lastSuccessAtMs: nowMs,
  } satisfies Partial<ConnectionRecord>;
}
