import { createServer } from "node:http";
import type { Server } from "node:http";

export interface ServerBounds {
  /** All headers of a request have come by then. */
  headersMs: number;
  /** The whole request has come by then. */
  requestMs: number;
  /** A connection on which nothing moves for so long is closed, in the midst of an answer too. */
  silentMs: number;
  /** How often it is looked. */
  lookMs: number;
  /** More connections than these are closed as they come. */
  connections: number;
}

/** A page's own wait, some seconds, is well within all of them. */
const BOUNDS: ServerBounds = {
  headersMs: 15_000,
  requestMs: 30_000,
  silentMs: 60_000,
  lookMs: 2_000,
  connections: 2_000,
};

/** Node's server, on which nobody can hold a connection for nothing: a request that trickles in is answered 408, and connections are counted. */
export function createBoundedServer(bounds: Partial<ServerBounds> = {}): Server {
  const { headersMs, requestMs, silentMs, lookMs, connections } = { ...BOUNDS, ...bounds };
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: lookMs,
  });
  server.setTimeout(silentMs);
  server.maxConnections = connections;
  return server;
}
