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

/** Where a server is to listen, and the setting that says so. */
export interface Place {
  port: number;
  host?: string | undefined;
  setting: "PORT" | "METRICS_PORT";
}

const WORDS = new Map([
  ["EADDRINUSE", "another process has it. End that one, or choose another port"],
  ["EACCES", "the system keeps it for others. Choose another port, above 1023"],
  ["EADDRNOTAVAIL", "this machine has no such address. Say another one"],
]);

/** Resolves when it listens. @throws with a sentence that names the setting. */
export async function listenAt(server: Server, { port, host, setting }: Place): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve);
    server.once("error", reject);
    if (host) server.listen(port, host);
    else server.listen(port);
  }).catch((cause: NodeJS.ErrnoException) => {
    const why = WORDS.get(cause.code ?? "") ?? cause.message;
    const where = host ? `port ${port} on ${host}` : `port ${port}`;
    throw new Error(`${setting}: the app cannot listen on ${where}: ${why}.`, { cause });
  });
}
