import { connect, Server as NetServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";

/** A queue of the system's that has this length holds one connection more, and then takes none. */
const SHORT_QUEUE = 1;

/** What Node does not show of its objects. Where a version has it otherwise, or the system is another, the port is closed without. */
interface Listening {
  _handle?: { listen?(backlog: number): number };
}
interface Connecting {
  _handle?: { getpeername?(into: object): number };
}

/**
 * Closes a server's port so that nobody who has connected is reset, and no connection that is open. Linux resets whoever has connected and is
 * not accepted when a port is closed, and a process that is put off right before it closes its port cannot know who came. So the system's
 * queue is made short and filled with connections of our own. Whoever else connects has no answer, asks again after a second, and is refused.
 * Calls `onClosed` when the server's last connection is closed. Resolves to false, with the port open, where the queue could not be filled.
 */
export async function shutPort(server: Server, onClosed: () => void, untilMs: number): Promise<boolean> {
  const { _handle: handle } = server as Listening;
  // Those who wait already would find the short queue full.
  await untilNobodyWaits(server, untilMs);
  if (process.platform !== "linux" || handle?.listen?.(SHORT_QUEUE) !== 0) return false;
  while (performance.now() < untilMs) {
    await untilNobodyWaits(server, untilMs);
    const own = Array.from({ length: SHORT_QUEUE + 1 }, () => connect(reachable(server.address() as AddressInfo)));
    for (const socket of own) socket.on("error", () => undefined);
    // An address without a name is connected to in the next tick, and on one machine that is done at once.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const isFull = own.every(isConnected);
    if (isFull) NetServer.prototype.close.call(server, onClosed);
    for (const socket of own) socket.destroy();
    if (isFull) return true;
  }
  return false;
}

/** A turn of the loop accepts one who waits. */
async function untilNobodyWaits(server: Server, untilMs: number): Promise<void> {
  let accepted = 0;
  const count = () => void (accepted += 1);
  server.on("connection", count).on("drop", count);
  for (let before = -1; before < accepted && performance.now() < untilMs;) {
    before = accepted;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  server.off("connection", count).off("drop", count);
}

/** Node itself says so only in a later turn of the loop, which would accept it. */
function isConnected(socket: Socket): boolean {
  return (socket as Connecting)._handle?.getpeername?.({}) === 0;
}

/** Where a server that listens on all addresses is reached from its own machine. */
function reachable({ address, port }: AddressInfo): { host: string; port: number } {
  if (address === "::") return { host: "::1", port };
  return { host: address === "0.0.0.0" ? "127.0.0.1" : address, port };
}
