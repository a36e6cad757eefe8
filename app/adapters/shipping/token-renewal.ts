import { AppError, isAppError } from "../../domain/errors.ts";
import type { ConnectionRef, Credentials, IssuedToken, Log, TokenOutcome, TokenStore } from "../../ports.ts";
import type { Client } from "./client.ts";
import { superseded } from "./faults.ts";

/** Gets a connection's token from the service (docs/shipping-interface.md, 4.7) and puts it into the store, fenced by the version. */

export interface Renewal {
  connection: ConnectionRef;
  credentials: Credentials;
  refreshToken: string | null;
  /** One try only. */
  once?: boolean;
  /** Awaited right before each request leaves; if it rejects, nothing is sent. */
  confirm: (() => Promise<void>) | null;
}

/** Interactive, because one token serves every waiting call, the most urgent one included. */
const URGENT = { priority: "interactive" } as const;

/**
 * Throws `invalid_client` once the store has recorded it, `superseded` when the connection changed meanwhile (the new token is revoked),
 * and `unauthorized` when the service refuses the grant for any other reason.
 */
export async function renewToken(
  { client, store, log }: { client: Client; store: TokenStore; log: Log },
  renewal: Renewal,
): Promise<IssuedToken> {
  const { connection, credentials } = renewal;
  const { id: connectionId, version } = connection;
  const outcome = await grant(client, renewal);
  if (outcome.kind === "issued") {
    if (await store.save({ connectionId, version, token: outcome.token })) return outcome.token;
    await giveBack({ client, log }, credentials, outcome.token);
    throw superseded(connectionId);
  }
  if (outcome.kind === "invalid_client") {
    const { serviceMessage, requestId } = outcome;
    await store.markInvalid({ connectionId, version, serviceMessage, requestId });
    throw invalidClient(serviceMessage, requestId);
  }
  throw new AppError({
    kind: "unauthorized",
    message: `token: the service answered ${outcome.problem.status}`,
    status: outcome.problem.status,
    requestId: outcome.problem.requestId,
    effect: "none",
    serviceMessage: outcome.problem.serviceMessage,
  });
}

export function invalidClient(serviceMessage: string | null, requestId: string | null = null): AppError {
  return new AppError({
    kind: "invalid_client",
    message: "the service refuses the connection's credentials",
    effect: "none",
    serviceMessage,
    requestId,
  });
}

/**
 * Refreshing may fail for reasons of its own, so no failure of it concludes anything: only the answer to the client's credentials does. It
 * is tried once, because the service may fail on this one refresh token for ever.
 */
async function grant(client: Client, renewal: Renewal): Promise<TokenOutcome> {
  const { connection, credentials, refreshToken, once = false, confirm } = renewal;
  const options = { ...URGENT, once, connection, held: [refreshToken], ...(confirm && { beforeSend: confirm }) };
  if (refreshToken !== null) {
    const refreshed = await client.token(credentials, refreshToken, { ...options, once: true }).catch(failedThere);
    if (refreshed?.kind === "issued") return refreshed;
  }
  return client.token(credentials, null, options);
}

function failedThere(error: unknown): null {
  if (isAppError(error) && error.traits.atService) return null;
  throw error;
}

/** The connection changed while its token was on the way. Nobody will use the token, so it is revoked and does not live on for hours. */
async function giveBack(
  { client, log }: { client: Client; log: Log },
  credentials: Credentials,
  { accessToken }: IssuedToken,
): Promise<void> {
  try {
    await client.revoke({ credentials, token: accessToken, hint: "access_token" }, { priority: "reconcile" });
  } catch (error) {
    log.warn({ kind: isAppError(error) ? error.kind : "internal" }, "an unused token was not revoked");
  }
}
