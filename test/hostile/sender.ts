import { Agent, request } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { BROWSER } from "../sandbox/play/visitor.ts";
import { machineWaitsMs } from "./machine-waits.ts";

/** Longer than this is a hang, without what the app or the sender waited for a processor meanwhile. */
const HANG_MS = 2_000;

export interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface Answer {
  /** 0 where the connection was reset instead. */
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  ms: number;
}

export interface Tally {
  sent: number;
  byStatus: Record<string, number>;
  serverErrors: string[];
  hangs: string[];
  /** Answers that took as long as a hang because the machine had no processor to give. */
  machineHeldUp: number;
  resets: string[];
}

interface SenderOptions {
  connections?: number;
  hangMs?: number;
  /** The app's process; without it only the sender's own waits are known. */
  appPid?: () => number | null;
}

/**
 * Sends requests over kept-alive connections, as a proxy that pools them does, and counts what must not be. What waits here for a connection
 * does not wait for the server, so its time begins when it has one.
 */
export function createSender(
  appUrl: string,
  { connections = 8, hangMs = HANG_MS, appPid = () => null }: SenderOptions = {},
) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(appUrl);
  const tally: Tally = { sent: 0, byStatus: {}, serverErrors: [], hangs: [], machineHeldUp: 0, resets: [] };
  const waitsMs = () => machineWaitsMs("self") + machineWaitsMs(appPid());

  const send = async (sent: Sent): Promise<Answer> => {
    let [startedMs, waitedMs] = [performance.now(), waitsMs()];
    const answer = await new Promise<Omit<Answer, "ms">>((resolve) => {
      const headers = { "User-Agent": BROWSER, ...lengthOf(sent), ...sent.headers };
      const asking = request({ hostname, port, agent, method: sent.method, path: sent.path, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode!, headers: response.headers, text: Buffer.concat(chunks).toString() }),
        );
        response.on("error", () => resolve({ status: 0, headers: {}, text: "the answer broke off" }));
      });
      asking.on("socket", () => void ([startedMs, waitedMs] = [performance.now(), waitsMs()]));
      asking.on("error", (error) => resolve({ status: 0, headers: {}, text: error.message }));
      asking.end(sent.body);
    });
    const ms = performance.now() - startedMs;
    const named = `${sent.method} ${sent.path.slice(0, 120)} ${String(sent.body ?? "").slice(0, 200)} → ${answer.status} ${answer.status === 0 ? answer.text : ""}`;
    tally.sent += 1;
    tally.byStatus[answer.status] = (tally.byStatus[answer.status] ?? 0) + 1;
    if (answer.status >= 500) tally.serverErrors.push(named);
    if (answer.status === 0) tally.resets.push(named);
    if (ms > hangMs) {
      const heldUpMs = waitsMs() - waitedMs;
      if (ms - heldUpMs <= hangMs) tally.machineHeldUp += 1;
      else tally.hangs.push(`${named} in ${Math.round(ms)} ms, ${Math.round(heldUpMs)} of them without a processor`);
    }
    return { ...answer, ms };
  };
  return { send, tally, close: () => agent.destroy() };
}

function lengthOf({ body }: Sent): Record<string, number> {
  return body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
}
