import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Command } from "../../../../scripts/commands/command.ts";

/**
 * An operator's command, in this process or truly started. A start costs more than most commands do, so a test starts one where the process
 * is the point: beside a running app, killed, or to show that the script hands on its arguments, its environment and the exit code.
 */

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Both. */
  said: string;
}

type Environment = Record<string, string>;

/** It sees no other environment than this one. */
export async function runHere(command: Command, args: string[], env: Environment): Promise<Ran> {
  const told = { stdout: "", stderr: "", said: "" };
  const to = (stream: "stdout" | "stderr") => (line: unknown) => {
    told[stream] += `${String(line)}\n`;
    told.said += `${String(line)}\n`;
  };
  const code = await command({ args, env, say: to("stdout"), complain: to("stderr") });
  return { code, ...told };
}

/** By its script's name. */
export async function runTruly(name: string, args: string[], env: Environment): Promise<Ran> {
  const script = join(import.meta.dirname, `../../../../scripts/${name}.ts`);
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [[code], stdout, stderr] = await Promise.all([
    once(child, "close") as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, stdout, stderr, said: stdout + stderr };
}
