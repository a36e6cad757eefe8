import { createBottleneckLine } from "../../app/adapters/shipping/budget.ts";
import { createBudget } from "../../app/adapters/shipping/budget-core.ts";
import type { Bearer } from "../../app/adapters/shipping/call.ts";
import { createClient, type Caller, type Client } from "../../app/adapters/shipping/client.ts";
import { createDeadlines } from "../../app/adapters/shipping/deadlines.ts";
import { createNetwork, TIMEOUTS, type WireAnswer } from "../../app/adapters/shipping/network.ts";
import { createTokens } from "../../app/adapters/shipping/tokens.ts";
import { createTransport } from "../../app/adapters/shipping/transport.ts";
import { isAppError, type AppError } from "../../app/domain/errors.ts";
import type { Clock, Credentials, IssuedToken, Log, Random, TokenStore } from "../../app/ports.ts";
import { recordAnswers, type Recorder } from "./recorder.ts";

/** The app's own adapter on the test environment: its client, its transport, its budget of two requests a second. */
export interface Service {
  client: Client;
  credentials: Credentials;
  /** Carries a token that the adapter keeps renewed. */
  caller: Caller;
  /** Carries this token and no other. */
  withToken(token: string): Caller;
  recorder: Recorder;
  close(): Promise<void>;
}

export interface ServiceOptions {
  baseUrl: string;
  userAgent: string;
  clientId: string;
  clientSecret: string;
  clock: Clock;
  random: Random;
  graceMs: number;
  /** Only in tests, whose stand-in nobody spoke to before. */
  openAtOnce?: boolean | undefined;
  /** How long a request may take. */
  totalMs?: number | undefined;
}

const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const SHOP = "conformance";

export function openService(options: ServiceOptions): Service {
  const { clock, random, clientId, clientSecret, graceMs, openAtOnce, totalMs = TIMEOUTS.totalMs } = options;
  const recorder = recordAnswers(createNetwork({ test: options.baseUrl, production: null }, TIMEOUTS));
  const budget = createBudget({ clock, random, line: createBottleneckLine(), graceMs, openAtOnce });
  const client = createClient(
    createTransport({
      network: recorder.network,
      budget,
      clock,
      random,
      log: SILENT,
      userAgent: options.userAgent,
      deadlines: createDeadlines(clock, totalMs),
      sendWithinMs: totalMs / 2,
    }),
  );
  const credentials: Credentials = {
    shop: SHOP,
    environment: "test",
    clientId,
    clientSecret,
    scope: null,
    redirectUri: null,
  };
  const connection = { id: SHOP, version: 1, shop: SHOP, environment: "test", clientId } as const;
  const tokens = createTokens({ store: keepIn(credentials), client, clock, random, log: SILENT });
  const caller: Caller = { shop: SHOP, environment: "test", clientId, connection, bearer: tokens.bearer(connection) };
  return {
    client,
    credentials,
    caller,
    withToken: (token) => ({ ...caller, bearer: only(token) }),
    recorder,
    async close() {
      await budget.close();
      await recorder.network.close();
    },
  };
}

function keepIn(credentials: Credentials): TokenStore {
  let token: IssuedToken | null = null;
  return {
    read: async () => ({ credentials, version: 1, state: "active", token }),
    save: async (saved) => {
      token = saved.token;
      return true;
    },
    markInvalid: async () => undefined,
  };
}

function only(token: string): Bearer {
  return {
    ready: async () => undefined,
    held: () => token,
    refused: () => false,
    served: () => undefined,
    secrets: () => [token],
  };
}

/** How a call went: what the adapter made of it, and what stood on the wire. */
export interface Outcome<T> {
  value: T | null;
  /** The last answer; null where none came. */
  answer: WireAnswer | null;
  error: AppError | null;
}

/** Makes one call, and never rejects but where the run is to stop. */
export async function ask<T>({ recorder }: Service, call: () => Promise<T>): Promise<Outcome<T>> {
  recorder.begin();
  const last = () => recorder.answers().at(-1) ?? null;
  try {
    return { value: await call(), answer: last(), error: null };
  } catch (error) {
    if (!isAppError(error) || error.kind === "cancelled" || error.kind === "invalid_client") throw error;
    return { value: null, answer: last(), error };
  }
}
