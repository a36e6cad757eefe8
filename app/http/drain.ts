import type { Server } from "node:http";

/** How often to look for connections that have become idle. */
const LOOK_MS = 100;

/**
 * Refuses new connections and resolves when the requests under way have ended. A kept-alive connection would hold the server open
 * for seconds after its last answer, so each is closed as soon as it is idle.
 */
export function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const looking = setInterval(() => server.closeIdleConnections(), LOOK_MS);
    server.close(() => {
      clearInterval(looking);
      resolve();
    });
    server.closeIdleConnections();
  });
}
