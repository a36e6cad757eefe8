import type { RequestListener, Server } from "node:http";
import { Server as NetServer } from "node:net";
import type { Socket } from "node:net";
import { shutPort } from "./shut-port.ts";

export interface DrainBounds {
  /** When no request has come for so long, nobody is sending on the connections that are still open. */
  quietMs: number;
  /** Then connections without a request under way are closed, although requests still come. */
  lateMs: number;
  /** Then all are closed, so that the process has time to end in order. */
  longestMs: number;
  /** How often it is looked. */
  lookMs: number;
}

const BOUNDS: DrainBounds = { quietMs: 250, lateMs: 5_000, longestMs: 10_000, lookMs: 50 };

/** On a system that can fill the queue it is full within some turns of the loop. */
const SHUT_WITHIN_MS = 3_000;
/** In so short a turn of the loop hardly anybody can have connected. */
const SHORT_TURN_MS = 0.2;
/** Such a turn is waited for so long. A busy machine has none until what was under way is done. */
const SHORT_TURN_WITHIN_MS = 4_000;

/** Of a connection: how many of its requests are not answered yet, and how much had come when the last of them was. */
interface Use {
  underWay: number;
  readThen: number;
}

/**
 * Has `answer` called for each request of a server that does not listen yet. The function returned refuses new connections and resolves
 * when every request that was sent has been answered and its connection is closed, or after `longestMs`. It is called once.
 *
 * Node's own `close` ends connections that look idle at once, although a request may be on its way there: its sender sees a reset and
 * cannot know whether it was taken. So connections stay open until nothing has come for a while, and each answer asks its sender to send
 * nothing more on its connection.
 */
export function drainable(
  server: Server,
  answer: RequestListener,
  bounds: Partial<DrainBounds> = {},
): () => Promise<void> {
  const { quietMs, lateMs, longestMs, lookMs } = { ...BOUNDS, ...bounds };
  const open = new Map<Socket, Use>();
  /** Requests that wait until the port is closed. */
  let held: (() => void)[] | null = null;
  let isDraining = false;
  let lastCameMs = 0;
  let connections = 0;

  server.on("connection", (socket) => {
    connections += 1;
    open.set(socket, { underWay: 0, readThen: 0 });
    socket.once("close", () => open.delete(socket));
  });
  server.on("request", (request, response) => {
    const { socket } = request;
    lastCameMs = performance.now();
    const use = open.get(socket);
    if (use) use.underWay += 1;
    if (isDraining) response.shouldKeepAlive = false;
    // After the last byte has left: `closeIdleConnections` would cut off an answer that is still on its way.
    response.once("close", () => {
      if (!use) return;
      use.underWay -= 1;
      use.readThen = socket.bytesRead;
    });
    if (held) held.push(() => answer(request, response));
    else answer(request, response);
  });

  /**
   * Where `shutPort` cannot. Resolves when all who have connected are accepted: the system resets those who still wait when a port is closed,
   * and whoever connects between this look and that moment. Each turn of the loop accepts whom it finds, and then does what else has come.
   * While that is much, more connect.
   */
  const untilAllAreAccepted = async () => {
    const untilMs = performance.now() + SHORT_TURN_WITHIN_MS;
    await turn();
    for (;;) {
      const [before, beganMs] = [connections, performance.now()];
      await turn();
      const endedMs = performance.now();
      if ((connections === before && endedMs - beganMs < SHORT_TURN_MS) || endedMs >= untilMs) return;
    }
  };

  const closeUnused = (isLate: boolean) => {
    for (const [socket, { underWay, readThen }] of open)
      if (underWay === 0 && (isLate || socket.bytesRead === readThen)) socket.destroy();
  };

  return async () => {
    isDraining = true;
    const startedMs = performance.now();
    held = [];
    const closed = Promise.withResolvers<void>();
    if (!(await shutPort(server, closed.resolve, startedMs + SHUT_WITHIN_MS))) {
      await untilAllAreAccepted();
      // HTTP's own would close connections at once.
      NetServer.prototype.close.call(server, () => closed.resolve());
    }
    const waiting = held;
    held = null;
    lastCameMs = performance.now();
    for (const begin of waiting) begin();
    const isLate = () => performance.now() - startedMs >= lateMs;
    const isQuiet = () => performance.now() - lastCameMs >= quietMs;
    const looking = setInterval(() => {
      // What has come while the process was busy is read before.
      if (isLate() || isQuiet()) setImmediate(() => (isLate() || isQuiet()) && closeUnused(isLate()));
    }, lookMs);
    const last = setTimeout(
      () => server.closeAllConnections(),
      Math.max(0, longestMs - (performance.now() - startedMs)),
    );
    await closed.promise;
    clearInterval(looking);
    clearTimeout(last);
  };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
