import { AppError } from "../../domain/errors.ts";
import type { ConnectionState } from "../../domain/records.ts";
import type { Clock, ConnectionRef, Credentials, IssuedToken, Log, Random } from "../../ports.ts";
import type { Client } from "./client.ts";
import { notConnected, superseded, unlessAborted } from "./faults.ts";
import type { Bearer } from "./transport.ts";

/**
 * The bearer tokens of connections, in memory by connection and version, so that no call waits for the store.
 *
 * Versions. A call carries its connection's version. What is kept here may lag behind the store, so an older call is stopped
 * in four places: here, as soon as anything told us of a newer version (a call that carries it, a renewal that read it, or
 * `forget`); before a token is fetched, when the store is always read; when a token is saved, which the store fences; and for
 * writes in `beforeSend`, whose transaction names the version. Use cases that raise a version call `forget` once it is committed.
 */

export interface StoredConnection {
  /** Null when the secret has been forgotten. */
  credentials: Credentials | null;
  version: number;
  state: ConnectionState;
  token: IssuedToken | null;
}

export interface TokenStore {
  read(connectionId: string): Promise<StoredConnection | null>;
  /** False when the connection has another version by now; nothing is written then. */
  save(input: { connectionId: string; version: number; token: IssuedToken }): Promise<boolean>;
  /** Records that the service refuses the credentials of this version; nothing is written if the version moved on. */
  markInvalid(input: { connectionId: string; version: number; serviceMessage: string | null }): Promise<void>;
}

export interface Tokens {
  bearer(connection: ConnectionRef): Bearer;
  /** The connection as it stands, for calls that carry its credentials. Throws like a call would. */
  connection(connection: ConnectionRef): Promise<{ credentials: Credentials; token: IssuedToken | null }>;
  forget(connectionId: string): void;
}

interface Entry {
  credentials: Credentials | null;
  version: number;
  state: ConnectionState;
  token: IssuedToken | null;
  renewAtMs: number;
  /** An access token the service refused; the store may still hold it. */
  refused: string | null;
  invalid: { serviceMessage: string | null } | null;
  renewal: Promise<string> | null;
}

/** Renew when less than min(300 s, 20 %) of the life is left, times a chance so that shops do not come all at once. */
const MARGIN_MS = 300_000;
const MARGIN_SHARE = 0.2;
const LEAST_OF_MARGIN = 0.8;

/** Connections kept in memory; the one used longest ago makes room and is read from the store again. */
const MOST_ENTRIES = 5_000;

export interface TokensOptions {
  store: TokenStore;
  client: Client;
  clock: Clock;
  random: Random;
  log: Log;
}

export function createTokens({ store, client, clock, random, log }: TokensOptions): Tokens {
  const entries = new Map<string, Entry>();
  const readings = new Map<string, { ended: Promise<StoredConnection> }>();

  function renewAtMs(token: IssuedToken | null): number {
    if (!token) return -Infinity;
    const lifeMs = token.expiresAtMs - token.obtainedAtMs;
    const chance = LEAST_OF_MARGIN + (1 - LEAST_OF_MARGIN) * random.next();
    return token.expiresAtMs - Math.min(MARGIN_MS, lifeMs * MARGIN_SHARE) * chance;
  }

  function keep(connectionId: string, stored: StoredConnection): void {
    entries.delete(connectionId);
    entries.set(connectionId, {
      ...stored,
      renewAtMs: renewAtMs(stored.token),
      refused: null,
      invalid: null,
      renewal: null,
    });
    for (const [id, entry] of entries) {
      if (entries.size <= MOST_ENTRIES) return;
      if (!entry.renewal) entries.delete(id);
    }
  }

  async function read(connectionId: string): Promise<StoredConnection> {
    const stored = await store.read(connectionId);
    if (!stored) throw notConnected(`connection ${connectionId} does not exist`);
    return stored;
  }

  /** Reads the store once for however many calls wait for it. A `forget` meanwhile makes the reading out of date. */
  async function readAnew(connectionId: string): Promise<void> {
    const reading = { ended: read(connectionId) };
    readings.set(connectionId, reading);
    try {
      const stored = await reading.ended;
      if (readings.get(connectionId) === reading) keep(connectionId, stored);
    } finally {
      if (readings.get(connectionId) === reading) readings.delete(connectionId);
    }
  }

  async function entryOf(connection: ConnectionRef): Promise<Entry> {
    const { id, version } = connection;
    for (;;) {
      const known = entries.get(id);
      if (known && known.version >= version) return checked(known, connection);
      const others = readings.get(id);
      if (others) {
        // It may have begun before this version was there, so what it finds is looked at like anything known.
        await others.ended;
        continue;
      }
      await readAnew(id);
      if ((entries.get(id)?.version ?? version) < version) throw superseded(id);
    }
  }

  function checked(entry: Entry, connection: ConnectionRef): Entry {
    if (entry.version > connection.version) throw superseded(connection.id);
    if (entry.invalid) throw invalidClient(entry.invalid.serviceMessage);
    if (entry.state === "invalid") throw invalidClient(null);
    if (entry.state === "disconnected" || entry.state === "aside")
      throw notConnected(`the connection is ${entry.state}`);
    return entry;
  }

  async function ready(connection: ConnectionRef): Promise<string> {
    const entry = await entryOf(connection);
    if (entry.token && clock.nowMs() < entry.renewAtMs) return entry.token.accessToken;
    // One renewal by connection and version: the entry is exactly that.
    entry.renewal ??= renew(connection, entry).finally(() => void (entry.renewal = null));
    return entry.renewal;
  }

  async function renew(connection: ConnectionRef, entry: Entry): Promise<string> {
    const stored = await read(connection.id);
    if (stored.version !== entry.version) {
      forget(connection.id);
      throw superseded(connection.id);
    }
    const other = stored.token;
    if (other && other.accessToken !== entry.refused && clock.nowMs() < renewAtMs(other)) return adopt(entry, other);
    if (!stored.credentials) throw notConnected("the connection has no secret any more");
    try {
      return await obtain(connection, entry, stored.credentials);
    } catch (error) {
      // The token operation fails while the old token still holds: better late than not at all.
      const usable = entry.token && clock.nowMs() < entry.token.expiresAtMs;
      if (usable && error instanceof AppError && error.traits.retry && error.kind !== "superseded") {
        log.warn(
          { connectionId: connection.id, kind: error.kind, requestId: error.requestId },
          "token renewal put off",
        );
        return entry.token!.accessToken;
      }
      throw error;
    }
  }

  async function obtain(connection: ConnectionRef, entry: Entry, credentials: Credentials): Promise<string> {
    const { id: connectionId, version } = connection;
    const outcome = await grant(credentials, entry.token?.refreshToken ?? null);
    if (outcome.kind === "issued") {
      if (await store.save({ connectionId, version, token: outcome.token })) return adopt(entry, outcome.token);
      forget(connectionId);
      await giveBack(credentials, outcome.token);
      throw superseded(connectionId);
    }
    if (outcome.kind === "invalid_client") {
      entry.invalid = { serviceMessage: outcome.serviceMessage };
      await store.markInvalid({ connectionId, version, serviceMessage: outcome.serviceMessage });
      throw invalidClient(outcome.serviceMessage);
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

  /** A refresh that is refused for itself, not for the client, falls back to the client's credentials. */
  async function grant(credentials: Credentials, refreshToken: string | null) {
    // A token serves every waiting call, the most urgent one included.
    const options = { priority: "interactive" } as const;
    if (refreshToken !== null) {
      const refreshed = await client.token(credentials, refreshToken, options);
      if (refreshed.kind !== "refused") return refreshed;
    }
    return client.token(credentials, null, options);
  }

  /** The connection changed while its token was on the way: nobody will use it, so it shall not live two hours. */
  async function giveBack(credentials: Credentials, token: IssuedToken): Promise<void> {
    try {
      await client.revoke({ credentials, token: token.accessToken, hint: "access_token" }, { priority: "reconcile" });
    } catch (error) {
      log.warn({ kind: error instanceof AppError ? error.kind : "internal" }, "an unused token was not revoked");
    }
  }

  function adopt(entry: Entry, token: IssuedToken): string {
    entry.token = token;
    entry.renewAtMs = renewAtMs(token);
    entry.refused = null;
    return token.accessToken;
  }

  function forget(connectionId: string): void {
    entries.delete(connectionId);
    readings.delete(connectionId);
  }

  return {
    bearer: (connection) => ({
      ready: (signal) => unlessAborted(ready(connection), signal),
      held() {
        const entry = entries.get(connection.id);
        if (!entry || entry.version < connection.version || !entry.token || entry.token.accessToken === entry.refused)
          return null;
        return checked(entry, connection).token?.accessToken ?? null;
      },
      refused(token) {
        const entry = entries.get(connection.id);
        if (entry?.version !== connection.version || entry.token?.accessToken !== token) return;
        entry.refused = token;
        entry.renewAtMs = -Infinity;
        // Its refresh token may still be good; the expiry makes sure that nobody falls back to the dropped one.
        entry.token = { ...entry.token, expiresAtMs: -Infinity };
      },
    }),
    async connection(connection) {
      const { credentials, token } = await entryOf(connection);
      if (!credentials) throw notConnected("the connection has no secret any more");
      return { credentials, token };
    },
    forget,
  };
}

function invalidClient(serviceMessage: string | null): AppError {
  return new AppError({
    kind: "invalid_client",
    message: "the service refuses the connection's credentials",
    effect: "none",
    serviceMessage,
  });
}
