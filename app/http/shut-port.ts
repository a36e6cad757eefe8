import { readFileSync } from "node:fs";
import { connect, Server as NetServer } from "node:net";
import { setTimeout as rest } from "node:timers/promises";
import type { AddressInfo, Server, Socket } from "node:net";

/**
 * A queue of the system's that has this length holds one connection more, and then takes none. As many connections may be half made before
 * the system keeps no row of them, so it is not the shortest. The longer it is, the more often somebody else is among ours.
 */
const SHORT_QUEUE = 3;

/**
 * A client whose connection is half made sends again after a fifth of a second. One that never does is not waited for longer than this, but
 * for some looks in any case: a machine that stood still has looked at nothing.
 */
const OTHERS_WITHIN_MS = 1_000;
const LEAST_LOOKS = 20;
const LOOKS_REST_MS = 5;

/** Another processor has done what it had begun with a connection within this. The loop must not turn meanwhile, for it would accept. */
const SETTLED_MS = 2;

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
 * Whoever connected in the moment in which the queue filled is accepted before the port is closed. Calls `onClosed` when the server's last
 * connection is closed. Resolves to false, with the port open, where the queue could not be filled.
 */
export async function shutPort(server: Server, onClosed: () => void, untilMs: number): Promise<boolean> {
  const { _handle: handle } = server as Listening;
  let looks = 0;
  const othersUntilMs = performance.now() + OTHERS_WITHIN_MS;
  const mayWait = () => looks++ < LEAST_LOOKS || performance.now() < othersUntilMs;
  // Those who wait already would find the short queue full.
  await untilNobodyWaits(server, untilMs);
  if (process.platform !== "linux" || handle?.listen?.(SHORT_QUEUE) !== 0) return false;
  while (performance.now() < untilMs) {
    await untilNobodyWaits(server, untilMs);
    const address = server.address() as AddressInfo;
    const own = Array.from({ length: SHORT_QUEUE + 1 }, () => connect(reachable(address)));
    for (const socket of own) socket.on("error", () => undefined);
    // An address without a name is connected to in the next tick, and on one machine that is done at once.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const isFull = own.every(isConnected);
    const isWaitedFor = isFull && mayWait() && isAnybodyLeft(address.port);
    if (isFull && !isWaitedFor) NetServer.prototype.close.call(server, onClosed);
    for (const socket of own) socket.destroy();
    if (isFull && !isWaitedFor) return true;
    if (isWaitedFor) await rest(LOOKS_REST_MS);
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

/** Whether the system's own table shows somebody else at the port than the connections of ours that fill its queue. */
function isAnybodyLeft(port: number): boolean {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SETTLED_MS);
  return ["tcp", "tcp6"].some((family) => {
    try {
      return holdsOthers(readFileSync(`/proc/self/net/${family}`, "latin1"), port);
    } catch {
      // A system without the one or the other.
      return false;
    }
  });
}

const LISTENING = "0A";
/** The kernel calls it SYN_RECV. */
const HALF_MADE = "03";

/**
 * Whether a table of `/proc/net` shows a connection to the port that is half made, or more in the port's queue than it holds: of two that come
 * in one moment on two processors the queue may take both. A row is its number, the local address, the remote one, the state, and what is
 * sent and received; of a port that listens the last is the length of its queue. Numbers are hexadecimal.
 */
export function holdsOthers(table: string, port: number): boolean {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return table.split("\n").some((row) => {
    const [, address, , state, lengths] = row.trim().split(/ +/, 5);
    if (address?.endsWith(local) !== true) return false;
    if (state === LISTENING) return parseInt(lengths?.split(":")[1] ?? "0", 16) > SHORT_QUEUE + 1;
    return state === HALF_MADE;
  });
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
