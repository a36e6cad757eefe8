/** An HTTP listener on one port that can go away, as a service that is down, and come back. */
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** Longer than a client keeps an idle connection, so that it is the client who closes it. */
const KEEP_ALIVE_MS = 60_000;
const BACKLOG = 4096;
/** While the listener was away, an outgoing connection of any process may hold its port for a moment. */
const REOPEN_AFTER_MS = 50;

export interface Listener {
  url: string;
  /** Refuses connections and drops those it has. */
  close(): Promise<void>;
  /** Listens again on the same port. */
  open(): Promise<void>;
  isOpen(): boolean;
}

export async function listen(
  handler: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<Listener> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, handler);

  const open = (at: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host, port: at, backlog: BACKLOG }, () => {
        server.off("error", reject);
        resolve();
      });
    });

  await open(port);
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host}:${bound}`,
    isOpen: () => server.listening,
    open: async () => {
      while (!server.listening) await open(bound).catch(() => pause(REOPEN_AFTER_MS));
    },
    close: () =>
      new Promise((resolve) => {
        if (!server.listening) return resolve();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
