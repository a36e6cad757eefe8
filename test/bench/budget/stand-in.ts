import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import type { FaultRule, Behaviour } from "../../sandbox/shipping/options.ts";
import type { Report } from "../../sandbox/shipping/tally.ts";
import type { LoadOptions, LoadResult } from "./load.ts";

/** The shipping stand-in, and the load on it, in processes of their own, so that neither's work delays the other's timers. */

const root = resolve(import.meta.dirname, "../../..");
const STAND_IN = join(root, "test/sandbox/shipping/main.ts");
const LOAD = join(root, "test/bench/budget/load.ts");

export interface StandIn {
  testUrl: string;
  report(): Promise<Report>;
  setFaults(rules: FaultRule[]): Promise<void>;
  stop(): Promise<void>;
}

export async function startStandIn(options: { clients: number; behaviour?: Partial<Behaviour> }): Promise<StandIn> {
  const behaviour = JSON.stringify(options.behaviour ?? {});
  const child = startNode(STAND_IN, ["--clients", String(options.clients), "--behaviour", behaviour]);
  const { testUrl, controlUrl } = JSON.parse(await firstLine(child)) as { testUrl: string; controlUrl: string };
  return {
    testUrl,
    report: async () => (await (await fetch(`${controlUrl}/control/report`)).json()) as Report,
    async setFaults(rules) {
      const response = await fetch(`${controlUrl}/control/faults`, { method: "POST", body: JSON.stringify(rules) });
      if (!response.ok) throw new Error(`the stand-in refused the faults: ${await response.text()}`);
    },
    stop: () => end(child, "SIGTERM"),
  };
}

/** Its first line says that it has begun, or stands by. */
export function startLoad(options: LoadOptions): ChildProcess {
  return startNode(LOAD, [JSON.stringify(options)]);
}

export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const child = startLoad(options);
  const ended = once(child, "exit");
  const said = await text(child.stdout!);
  await ended;
  const last = said.trim().split("\n").at(-1)!;
  if (child.exitCode !== 0) throw new Error(`the load ended with ${child.exitCode ?? child.signalCode}`);
  return JSON.parse(last) as LoadResult;
}

/** A program of this project in a Node process of its own; its standard output is for the caller. */
export function startNode(
  program: string,
  argv: string[],
  { env = {}, flags = [] }: { env?: Record<string, string>; flags?: readonly string[] } = {},
): ChildProcess {
  const options = { cwd: root, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "inherit"] } as const;
  return spawn(process.execPath, [...flags, program, ...argv], { ...options, stdio: [...options.stdio] });
}

/** Rejects when the process ends before it said anything. */
export async function firstLine(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stdout! });
  const said = await Promise.race([once(lines, "line"), once(child, "exit").then(() => null)]);
  if (said === null) throw new Error(`${child.spawnargs[1]} ended with ${child.exitCode ?? child.signalCode}`);
  return String(said[0]);
}

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}
