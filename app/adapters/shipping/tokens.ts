import { isDisconnected } from "../../domain/closed-reason.ts";
import type { AppError } from "../../domain/errors.ts";
import type {
  CallOptions,
  Clock,
  ConnectionRef,
  Credentials,
  IssuedToken,
  Log,
  Random,
  StoredConnection,
  TokenStore,
} from "../../ports.ts";
import type { Bearer } from "./call.ts";
import type { Client } from "./client.ts";
import { notConnected, superseded, unlessAborted } from "./faults.ts";
import { createRefusals } from "./refusals.ts";
import { LOCAL_RENEWALS, type RenewalClaim, type Renewals } from "./renewals.ts";
import type { Refusals } from "./refusals.ts";
import { invalidClient, renewToken } from "./token-renewal.ts";
import { guarded } from "./token-store.ts";

/**
 * Versions. A call carries its connection's version. Memory may lag behind the store, so a call of an older version is stopped in four
 * places. Here, as soon as anything showed a newer version: a call that carries it, a renewal that read it, or `forget`. Before a token is
 * fetched, when the store is always read. When a token is saved, which the store fences. And in a write's `beforeSend`, whose transaction
 * names the version. Whoever raises a version calls `forget` after the commit. Where several processes share a database, the others are
 * stopped by the row: no slot is taken for an older version.
 *
 * Long, because whose token is used, renewed, dropped and forgotten when is one state of one connection.
 */

export interface Tokens {
  bearer(connection: ConnectionRef): Bearer;
  /** The connection's current credentials, for calls that carry them in their body. Throws as a call would. */
  connection(connection: ConnectionRef): Promise<{ credentials: Credentials; token: IssuedToken | null }>;
  /** Requests a token by client credentials, once, even if one is held, and stores it. Throws as a call would. */
  fetchNow(connection: ConnectionRef, options: CallOptions): Promise<void>;
  forget(connectionId: string): void;
}

interface Entry extends StoredConnection {
  /** When renewal begins; the token still works for a while then. */
  renewAtMs: number;
  /** An access token that the service refused. The store may still hold it. */
  refused: string | null;
  /** Of all its access tokens. */
  refusals: Refusals;
  /** Why no token is requested until the version changes. */
  invalid: AppError | null;
  renewal: Promise<void> | null;
}

/** Renew when less than min(300 s, 20 %) of the token's life is left, varied by chance so that shops do not renew all at once. */
const MARGIN_MS = 300_000;
const MARGIN_SHARE = 0.2;
const LEAST_OF_MARGIN = 0.8;

/** The next try after a failed renewal, while the old token still works. */
const NEXT_TRY_MS = 15_000;

/** When to look for the token that another process gets: soon at first, for a request seldom takes longer than a second. */
const ANOTHER_RENEWS_MS = 200;
const LONGEST_LOOK_MS = 1_500;

/** Connections kept in memory. The one used longest ago is dropped first, and read from the store when it is needed. */
const MOST_ENTRIES = 5_000;

export interface TokensOptions {
  store: TokenStore;
  client: Client;
  clock: Clock;
  random: Random;
  log: Log;
  /** Of all processes; absent, this one is alone. */
  renewals?: Renewals | undefined;
}

export function createTokens(options: TokensOptions): Tokens {
  const { store: unguarded, client, clock, random, log, renewals = LOCAL_RENEWALS } = options;
  const store = guarded(unguarded);
  const entries = new Map<string, Entry>();
  const readings = new Map<string, { ended: Promise<StoredConnection> }>();

  function renewAtMs(token: IssuedToken | null): number {
    if (!token) return -Infinity;
    const lifeMs = token.expiresAtMs - token.obtainedAtMs;
    const chance = LEAST_OF_MARGIN + (1 - LEAST_OF_MARGIN) * random.next();
    return token.expiresAtMs - Math.min(MARGIN_MS, lifeMs * MARGIN_SHARE) * chance;
  }

  function keep(connectionId: string, stored: StoredConnection): void {
    const fresh = { renewAtMs: renewAtMs(stored.token), refused: null, invalid: null, renewal: null };
    entries.delete(connectionId);
    entries.set(connectionId, { ...stored, ...fresh, refusals: createRefusals() });
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

  /** Reads the store once for all calls that wait for it. A `forget` during the reading makes its result out of date. */
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
        // That reading may have begun before this version was stored, so its result is checked like any known entry.
        await others.ended;
        continue;
      }
      await readAnew(id);
      if ((entries.get(id)?.version ?? version) < version) throw superseded(id);
    }
  }

  function checked(entry: Entry, connection: ConnectionRef): Entry {
    if (entry.version > connection.version) throw superseded(connection.id);
    if (entry.invalid) throw entry.invalid;
    if (entry.state === "invalid") throw invalidClient(null);
    if (isDisconnected(entry)) throw notConnected(`the connection is ${entry.state}`);
    return entry;
  }

  async function ready(connection: ConnectionRef): Promise<void> {
    const entry = await entryOf(connection);
    const serves = entry.token !== null && clock.nowMs() < entry.token.expiresAtMs;
    if (serves && clock.nowMs() < entry.renewAtMs) return;
    entry.renewal ??= begin(connection, entry);
    // Nobody waits while the old token still works.
    if (!serves) return entry.renewal;
  }

  /** One renewal for each connection and version, which is what an entry stands for. */
  function begin(connection: ConnectionRef, entry: Entry, anew = false): Promise<void> {
    const renewal = renew(connection, entry, anew).finally(() => void (entry.renewal = null));
    renewal.catch((error: AppError) => {
      entry.renewAtMs = clock.nowMs() + NEXT_TRY_MS;
      log.warn({ connectionId: connection.id, kind: error.kind, requestId: error.requestId }, "token not renewed");
    });
    return renewal;
  }

  /** `anew`: ask the service itself, even if the store holds a token that works. */
  async function renew(connection: ConnectionRef, entry: Entry, anew: boolean): Promise<void> {
    for (let looks = 1; ; looks += 1) {
      const claim = await renewals.claim(connection.id);
      try {
        if (await renewOn(claim, { connection, entry, anew })) return;
      } catch (error) {
        if (!claim?.isLost()) throw error;
      } finally {
        claim?.end();
      }
      await clock.sleep(Math.min(looks * ANOTHER_RENEWS_MS, LONGEST_LOOK_MS));
    }
  }

  /** False where another process renews it, and the store does not hold what came of that yet. */
  async function renewOn(
    claim: RenewalClaim | null,
    { connection, entry, anew }: { connection: ConnectionRef; entry: Entry; anew: boolean },
  ): Promise<boolean> {
    const stored = await read(connection.id);
    if (stored.version !== entry.version) {
      forget(connection.id);
      throw superseded(connection.id);
    }
    const other = stored.token;
    const isNews = !anew && other !== null && other.accessToken !== entry.refused && clock.nowMs() < renewAtMs(other);
    if (isNews) {
      adopt(entry, other);
      return true;
    }
    if (!stored.credentials) throw notConnected("the connection has no secret any more");
    if (!claim) return false;
    // The stored one: another process may have spent the one in memory.
    const refreshToken = anew ? null : (other?.refreshToken ?? null);
    const { credentials } = stored;
    const { confirm } = claim;
    try {
      const renewal = { connection, credentials, refreshToken, once: anew, confirm };
      adopt(entry, await renewToken({ client, store, log }, renewal));
      return true;
    } catch (error) {
      const { kind } = error as AppError;
      if (kind === "invalid_client") entry.invalid = error as AppError;
      if (kind === "superseded" && !claim.isLost()) forget(connection.id);
      throw error;
    }
  }

  function adopt(entry: Entry, token: IssuedToken): void {
    entry.token = token;
    entry.renewAtMs = renewAtMs(token);
    entry.refused = null;
  }

  /**
   * Drops the access token only, because its refresh token may still be good. The expiry in the past keeps everybody from using the access
   * token.
   */
  function drop(entry: Entry, token: IssuedToken): void {
    entry.refused = token.accessToken;
    entry.token = { ...token, expiresAtMs: -Infinity };
  }

  /** The entry of a connection at this version whose access token this is; null when it has another one. */
  function current({ id, version }: ConnectionRef, accessToken: string): (Entry & { token: IssuedToken }) | null {
    const entry = entries.get(id);
    if (entry?.version !== version || entry.token?.accessToken !== accessToken) return null;
    return entry as Entry & { token: IssuedToken };
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
        if (!entry || entry.version < connection.version) return null;
        const { token, refused } = checked(entry, connection);
        return token === null || token.accessToken === refused ? null : token.accessToken;
      },
      refused(accessToken, { request, answeredAtMonotonicMs }) {
        const entry = current(connection, accessToken);
        // Another token has taken its place.
        if (!entry) return true;
        const mayHelp = entry.refusals.refused(request, { token: accessToken, answeredAtMonotonicMs });
        if (mayHelp) drop(entry, entry.token);
        return mayHelp;
      },
      served(accessToken, { request, sentAtMonotonicMs }) {
        current(connection, accessToken)?.refusals.served(request, { token: accessToken, sentAtMonotonicMs });
      },
      secrets() {
        const entry = entries.get(connection.id);
        return [entry?.credentials?.clientSecret, entry?.token?.accessToken, entry?.token?.refreshToken].filter(
          (secret) => secret != null,
        );
      },
    }),
    async connection(connection) {
      const { credentials, token } = await entryOf(connection);
      if (!credentials) throw notConnected("the connection has no secret any more");
      return { credentials, token };
    },
    async fetchNow(connection, { signal }) {
      const entry = await entryOf(connection);
      entry.renewal ??= begin(connection, entry, true);
      return unlessAborted(entry.renewal, signal);
    },
    forget,
  };
}
