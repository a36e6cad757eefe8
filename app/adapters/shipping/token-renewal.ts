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
}

/** A token serves every waiting call, the most urgent one included. */
const URGENT = { priority: "interactive" } as const;

/**
 * Throws `invalid_client` once that is in the store, `superseded` when the connection changed meanwhile (the token is given
 * back), `unauthorized` when the grant is refused for anything else.
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
 * A refresh that fails, however it does, concludes nothing: what counts is the answer to the client's credentials. It is tried once, for
 * the service may stumble over this one token for ever.
 */
async function grant(client: Client, { credentials, refreshToken, once = false }: Renewal): Promise<TokenOutcome> {
  const options = { ...URGENT, once };
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

/** The connection changed while its token was on the way: nobody will use it, so it shall not live two hours. */
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
