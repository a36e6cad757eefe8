import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

export interface RunningScript {
  child: ChildProcess;
  /** Everything it printed so far. */
  lines: string[];
  /** Resolves with the first line, past or to come, that holds the text; rejects when the process ends without one. */
  line(text: string): Promise<string>;
  /** Its exit code; null when a signal ended it. */
  ended: Promise<number | null>;
}

/** Runs a script of this project in a process of its own. `prefix` is shell text that runs first, in the same process. */
export function runScript(input: {
  script: string;
  args?: string[];
  env?: Record<string, string>;
  prefix?: string;
}): RunningScript {
  const { script, args = [], env = {}, prefix } = input;
  const command = [process.execPath, script, ...args];
  const [file, ...rest] = prefix ? ["/bin/sh", "-c", `${prefix}; exec "$@"`, "sh", ...command] : command;
  const child = spawn(file!, rest, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const tell = () => waiting.forEach((look) => look());
  for (const stream of [child.stdout!, child.stderr!]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      tell();
    });
  }
  let over = false;
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", (code) => {
      over = true;
      tell();
      resolve(code);
    });
  });
  const line = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = lines.find((one) => one.includes(text));
        if (found === undefined && !over) return;
        waiting.delete(look);
        if (found === undefined) reject(new Error(`it ended without "${text}":\n${lines.join("\n")}`));
        else resolve(found);
      };
      waiting.add(look);
      look();
    });
  return { child, lines, line, ended };
}

/** The path of a script beside this file. */
export function beside(name: string): string {
  return `${import.meta.dirname}/${name}`;
}
