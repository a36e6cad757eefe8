import { Pool, type Dispatcher } from "undici";
import type { Environment } from "../../domain/records.ts";
import { createConnector } from "./connector.ts";
import { decodeBody } from "./content-coding.ts";
import type { WireRequest } from "./wire/requests.ts";

/**
 * The network as the transport sees it, and the real one on undici: one pool of keep-alive connections for each environment, no redirects,
 * a bound on every body, before and after decoding. It uses undici's `dispatch`, because only that tells whether a byte may have left.
 */

export interface WireAnswer {
  status: number;
  /** Names in lower case. Of several values the last one is kept. */
  headers: Record<string, string>;
  body: string;
  /** Why the body is not complete; null when it is. The status is valid either way. */
  cutShort: "too_large" | "broken" | null;
}

export interface Exchange {
  environment: Environment;
  request: WireRequest;
  headers: Record<string, string>;
  /** Called right before the first byte, on an open connection. If it returns false, no byte is sent and the answer rejects. */
  onSending(): boolean;
  /** Called at the answer's status line. */
  onAnswer(): void;
}

/** A request on its way. */
export interface UnderWay {
  /** Rejects with the network's error. */
  answer: Promise<WireAnswer>;
  /** Rejects the answer at once. Before `onSending` no byte is sent; after it the connection is reset. */
  stop(): void;
}

export interface Network {
  /** Whether the environment has a base URL. */
  offers(environment: Environment): boolean;
  exchange(exchange: Exchange): UnderWay;
  close(): Promise<void>;
}

export interface Timeouts {
  connectMs: number;
  headersMs: number;
  bodyMs: number;
  /** From the start of connecting to the answer's last byte. */
  totalMs: number;
}

export const TIMEOUTS: Timeouts = { connectMs: 5_000, headersMs: 9_000, bodyMs: 5_000, totalMs: 10_000 };

const LARGEST_BODY_BYTES = 1024 * 1024;

/** `baseUrls` may hold a path. Plain http is allowed for loopback hosts only; any other throws. */
export function createNetwork(baseUrls: Record<Environment, string | null>, timeouts: Timeouts): Network {
  const services = { test: connectTo(baseUrls.test, timeouts), production: connectTo(baseUrls.production, timeouts) };
  return {
    offers: (environment) => services[environment] !== null,
    exchange(exchange) {
      const service = services[exchange.environment];
      if (!service) throw new Error(`no address is configured for ${exchange.environment}`);
      return dispatch(service, exchange);
    },
    async close() {
      await Promise.all([services.test?.pool.destroy(), services.production?.pool.destroy()]);
    },
  };
}

interface Service {
  pool: Pool;
  prefix: string;
}

function connectTo(baseUrl: string | null, timeouts: Timeouts): Service | null {
  if (baseUrl === null) return null;
  const url = new URL(baseUrl);
  if (url.protocol !== "https:" && !isLoopback(url.hostname)) {
    throw new Error(`the shipping service must be reached by https: ${url.origin}`);
  }
  const pool = new Pool(url.origin, {
    // The number of connections is not limited, because the budgets limit it. A request that waited here would hold a slot for nothing.
    connections: null,
    pipelining: 1,
    connect: createConnector({ timeout: timeouts.connectMs, allowH2: false }),
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.bodyMs,
  });
  return { pool, prefix: url.pathname.replace(/(?<!\/)\/+$/, "") };
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function dispatch({ pool, prefix }: Service, exchange: Exchange): UnderWay {
  const { request, headers, onSending, onAnswer } = exchange;
  let controller: Dispatcher.DispatchController | null = null;
  let head: { status: number; headers: Record<string, string> } | null = null;
  let stopped = false;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>();

  function finish(cutShort: WireAnswer["cutShort"], error: Error | null): void {
    if (!head) return reject(error ?? new Error("the connection ended without an answer"));
    if (cutShort !== null) return resolve({ ...head, body: "", cutShort });
    const coding = head.headers["content-encoding"];
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    const decoded = decodeBody(body, { coding, largestBytes: LARGEST_BODY_BYTES });
    resolve({ ...head, body: "", cutShort: null, ...decoded });
  }

  pool.dispatch(
    { method: request.method, path: prefix + request.path, headers, body: request.body },
    {
      onRequestStart(started) {
        controller = started;
        if (stopped) return started.abort(new Error("stopped"));
        if (!onSending()) started.abort(new Error("kept back"));
      },
      onResponseStart(_controller, status, received) {
        if (status < 200) return;
        head = { status, headers: flat(received) };
        onAnswer();
      },
      onResponseData(started, chunk) {
        bytes += chunk.length;
        if (bytes <= LARGEST_BODY_BYTES) return void chunks.push(chunk);
        finish("too_large", null);
        started.abort(new Error("the answer is too large"));
      },
      onResponseEnd: () => finish(null, null),
      onResponseError: (_controller, error) => finish("broken", error),
    },
  );

  return {
    answer: promise,
    stop() {
      stopped = true;
      // While undici connects there is no handle yet; `onRequestStart` then keeps the bytes from leaving.
      controller?.abort(new Error("stopped"));
      finish("broken", new Error("stopped"));
    },
  };
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  // Without a prototype, because a header may have any name.
  const flattened = Object.create(null) as Record<string, string>;
  for (const name in headers) {
    const value = headers[name];
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined) flattened[name.toLowerCase()] = last;
  }
  return flattened;
}
