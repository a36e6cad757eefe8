import { isAppError } from "../../domain/errors.ts";
import type { Environment } from "../../domain/records.ts";
import type {
  CallOptions,
  Clock,
  ConnectionRef,
  Credentials,
  HeardDates,
  Log,
  Random,
  ShippingAccount,
  ShippingService,
  TokenStore,
} from "../../ports.ts";
import { createFailingPages, readAllPages } from "./address-book.ts";
import { createBottleneckLine } from "./budget.ts";
import { createBudget, type Line } from "./budget-core.ts";
import { createClient } from "./client.ts";
import { createDeadlines } from "./deadlines.ts";
import { createNetwork, TIMEOUTS, type Network, type Timeouts } from "./network.ts";
import { shareWith } from "./slots/share-with.ts";
import type { SlotsDatabase } from "./slots/slots-database.ts";
import { createTokens } from "./tokens.ts";
import { createTransport } from "./transport.ts";
import { createWrongSecrets } from "./wrong-secrets.ts";

/**
 * The shipping service, spoken exactly: all of the interface document and nothing else. `client` has the operations, `transport` the one
 * request path, `tokens` the bearer tokens, `budget` and `budget-core` the rate, `retry` the one retry decision, `wire` what stands on the
 * wire. Nothing here knows of locations, work items or pending writes. No other code of the app calls the service.
 */

export interface ShippingServiceOptions {
  /** From the deployment's settings; null where an environment is not offered. */
  baseUrls: Record<Environment, string | null>;
  /** Our product and version, because the service's edge refuses the default names of HTTP libraries. */
  userAgent: string;
  clock: Clock;
  random: Random;
  log: Log;
  dates?: HeardDates | undefined;
  tokens: TokenStore;
  /** `openAtOnce` is only for where no earlier process can have sent anything, as to a test's own server. */
  budget: { graceMs: number; openAtOnce?: boolean; closedForMs?: number };
  /** Where the slots of all processes are kept; absent, this process is alone. */
  slotsDatabase?: SlotsDatabase | undefined;
  timeouts?: Partial<Timeouts>;
  /** How long after its announcement a write may still leave. `SEND_WITHIN_MS`, except in tests that need a shorter time. */
  sendWithinMs?: number;
}

const SEND_WITHIN_MS = 5_000;

export interface RunningShippingService extends ShippingService {
  /** Lets requests under way end, refuses all others, closes the connections. */
  close(): Promise<void>;
}

export function createShippingService(options: ShippingServiceOptions): RunningShippingService {
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const network = createNetwork(options.baseUrls, timeouts);
  const line = createBottleneckLine();
  return assembleShippingService({ ...options, network, line, totalTimeoutMs: timeouts.totalMs });
}

/** Builds the service over another network and another line, such as a simulation's. */
export function assembleShippingService(
  options: Omit<ShippingServiceOptions, "baseUrls" | "timeouts"> & {
    network: Network;
    line: Line;
    totalTimeoutMs: number;
  },
): RunningShippingService {
  const { clock, random, log, network, line, totalTimeoutMs, sendWithinMs = SEND_WITHIN_MS } = options;
  const shared = options.slotsDatabase && shareWith(options.slotsDatabase, options, (id) => tokens.forget(id));
  const budget = createBudget({ clock, random, line, slots: shared?.slots, ...options.budget });
  const deadlines = createDeadlines(clock, totalTimeoutMs);
  const client = createClient(createTransport({ ...options, budget, deadlines, sendWithinMs }));
  const { renewals } = shared ?? {};
  const tokens = createTokens({ store: options.tokens, client, clock, random, log, renewals });
  const failingPages = createFailingPages();
  const wrongSecrets = shared?.wrongSecrets ?? createWrongSecrets(clock);

  function account(connection: ConnectionRef): ShippingAccount {
    const { shop, environment, clientId } = connection;
    const caller = { shop, environment, clientId, connection, bearer: tokens.bearer(connection) };
    return {
      listPage: (call) => client.list(caller, call),
      listAll: (call) =>
        readAllPages((page) => client.list(caller, { ...call, page }), {
          ...call,
          failing: failingPages(connection.id),
        }),
      get: (templateId, call) => client.get(caller, templateId, call),
      create: (draft, call) => client.create(caller, draft, call),
      update: (templateId, patch, call) => client.update(caller, { templateId, patch }, call),
      delete: (templateId, call) => client.delete(caller, templateId, call),
      verifyByCarriers: (templateId, carriers, call) => client.verifyByCarriers(caller, { templateId, carriers }, call),
      async probe(what, call) {
        if (what === "token") await tokens.fetchNow(connection, call);
        else if (what === "none") await client.getNone(caller, { ...call, once: true });
        else await client.list(caller, { ...call, once: true, page: 1, perPage: 1 });
      },
    };
  }

  async function revokeOne(
    credentials: Credentials,
    held: { token: string | null; hint: "access_token" | "refresh_token" },
    call: CallOptions,
  ) {
    if (held.token === null) return true;
    return client.revoke({ credentials, token: held.token, hint: held.hint }, call);
  }

  return {
    account,
    async obtainToken(credentials, call) {
      const retryAtMs = await wrongSecrets.heldUntilMs(credentials.shop);
      if (retryAtMs !== null) return { kind: "invalid_client", serviceMessage: null, retryAtMs, requestId: null };
      const outcome = await client.token(credentials, null, call);
      if (outcome.kind === "invalid_client") await wrongSecrets.wrong(credentials.shop);
      if (outcome.kind === "issued") await wrongSecrets.right(credentials.shop);
      return outcome;
    },
    async revoke({ credentials, accessToken, refreshToken }, call) {
      try {
        const refresh = await revokeOne(credentials, { token: refreshToken, hint: "refresh_token" }, call);
        const access = await revokeOne(credentials, { token: accessToken, hint: "access_token" }, call);
        return refresh && access;
      } catch (error) {
        if (!isAppError(error)) throw error;
        log.warn({ shop: credentials.shop, kind: error.kind, requestId: error.requestId }, "tokens were not revoked");
        return false;
      }
    },
    async introspect(connection, call) {
      const { credentials, token } = await tokens.connection(connection);
      if (!token) return null;
      return client.introspect(
        { credentials, token: token.accessToken, hint: "access_token" },
        { ...call, connection, held: [token.refreshToken] },
      );
    },
    budget: (shop) => budget.state(shop),
    forget: tokens.forget,
    async close() {
      await budget.close();
      await network.close();
    },
  };
}
