// The app itself, as a process of its own: built, migrated, started, killed.
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomInt, randomUUID } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, createWriteStream, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SERVER, SERVER_FLAGS } from "../../scripts/builds/server-command.ts";
import { STEP_MS } from "../patience.ts";

export const PROJECT = join(import.meta.dirname, "..", "..");
const STOP_WITHIN_MS = 60_000;

export interface AppProcessOptions {
  port: number;
  /** Environment variables of the app. Others of the machine are passed on, except those with names of the app's. */
  env: Record<string, string>;
  /** Folder of the app's log. */
  dataDir: string;
  /** The log's name there. */
  logName?: string;
}

export interface AppProcess {
  url: string;
  logFile: string;
  /**
   * Starts the process and resolves when it answers. `over`: its environment, on top; `project`: the release to run, this one by default.
   * @throws with the log's end when it does not.
   */
  start(over?: Record<string, string>, project?: string): Promise<void>;
  /** Asks it to stop and waits; kills it after a minute. */
  stop(): Promise<void>;
  /** Ends it at once, as a power cut does. */
  kill(): Promise<void>;
  running(): boolean;
  /** Of the process that runs; null where none does. */
  pid(): number | null;
}

/** Several processes as one: all of them are started and ended together. */
export function allOf(apps: readonly AppProcess[]): AppProcess {
  const each = async (act: (app: AppProcess) => Promise<void>) => void (await Promise.all(apps.map(act)));
  return {
    url: apps[0]!.url,
    logFile: apps[0]!.logFile,
    start: (over, project) => each((app) => app.start(over, project)),
    stop: () => each((app) => app.stop()),
    kill: () => each((app) => app.kill()),
    running: () => apps.every((app) => app.running()),
    pid: () => apps[0]!.pid(),
  };
}

export function createAppProcess({ port, env, dataDir, logName = "app.log" }: AppProcessOptions): AppProcess {
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(dataDir, logName);
  let child: ChildProcess | null = null;

  const end = async (signal: "SIGTERM" | "SIGKILL"): Promise<void> => {
    const ending = child;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const exited = once(ending, "exit");
    ending.kill(signal);
    const timer = setTimeout(() => ending.kill("SIGKILL"), STOP_WITHIN_MS);
    await exited;
    clearTimeout(timer);
  };

  return {
    url,
    logFile,
    running: () => child !== null && child.exitCode === null && child.signalCode === null,
    pid: () => child?.pid ?? null,
    async start(over = {}, project = PROJECT) {
      const preload = new URL("preload.js", import.meta.url).href;
      const server = env.NODE_ENV === "development" ? ["app/server.ts"] : [...SERVER_FLAGS, SERVER];
      const started = spawn(process.execPath, ["--import", preload, ...server], {
        cwd: project,
        env: { ...process.env, ...env, ...over, PORT: String(port), HOST: "127.0.0.1" },
        stdio: ["ignore", "pipe", "pipe", "ipc"],
      });
      child = started;
      const log = createWriteStream(logFile, { flags: "a", mode: 0o600 });
      started.stdout?.pipe(log, { end: false });
      started.stderr?.pipe(log, { end: false });
      started.once("close", () => log.end());
      await untilReady(started, `${url}/health`, logFile);
    },
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
}

async function untilReady(child: ChildProcess, healthUrl: string, logFile: string): Promise<void> {
  const deadline = Date.now() + STEP_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    const answer = await fetch(healthUrl).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await sleep(100);
  }
  child.kill("SIGKILL");
  const log = readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-15).join("\n");
  throw new Error(`The app did not start. The end of ${logFile}:\n${log}`);
}

/**
 * Where a run of the tests keeps what each of its sandboxes would make alike (`run-setup.ts`); null outside of one. A file there is
 * written under another name and then renamed, because tests run side by side.
 */
export const OF_RUN = process.env.TEST_RUN_DIR ?? null;

let building: Promise<void> | null = null;

/** Builds the app unless its sources are as they were at the last build; a run of the tests looks once. */
export async function buildApp(): Promise<void> {
  const looked = OF_RUN && join(OF_RUN, "built");
  if (looked && existsSync(looked)) return;
  building ??= run("The build", ["scripts/build.ts", "--if-stale"], {}).finally(() => (building = null));
  await building;
  if (looked) writeFileSync(looked, "");
}

/** All that Vite cannot make by itself: the database's client, from its models. */
export async function generateClient(): Promise<void> {
  await run("The database's client", ["scripts/generate.ts"], {});
}

/** Creates or updates the database. In a run of the tests a new SQLite file is a copy of the one that the command made first. */
export async function migrate(databaseUrl: string): Promise<void> {
  const path = databaseUrl.startsWith("file:") ? databaseUrl.slice("file:".length) : null;
  if (!OF_RUN || !path || existsSync(path)) return migrateTruly(databaseUrl);
  const migrated = join(OF_RUN, "migrated.db");
  if (!existsSync(migrated)) {
    const own = `${migrated}-${process.pid}-${randomUUID()}`;
    await migrateTruly(`file:${own}`);
    renameSync(own, migrated);
  }
  copyFileSync(migrated, path);
}

async function migrateTruly(databaseUrl: string): Promise<void> {
  await run("The migration", ["scripts/migrate.ts"], { DATABASE_URL: databaseUrl });
}

async function run(what: string, args: string[], env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, args, {
    cwd: PROJECT,
    // Without this, Prisma's command would look for updates and store the result in the home folder.
    env: { ...process.env, CHECKPOINT_DISABLE: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString("utf8")));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${what} failed:\n${output.trim()}`);
}

/** Below those that a system hands out by itself: of them, one that is free now may be a connection's a moment later. */
const PORTS = { first: 15_000, last: 32_000 };
const claimed = new Set<number>();

/** A port on which nobody listens, and which no other sandbox of the run gets. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.last);
    if (claim(port) && (await isFree(port))) return port;
  }
}

/** False where somebody in this process, or in this run of the tests, has it already. */
function claim(port: number): boolean {
  if (claimed.has(port)) return false;
  claimed.add(port);
  if (!OF_RUN) return true;
  try {
    writeFileSync(join(OF_RUN, `port-${port}`), "", { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once("error", () => resolve(false));
  server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  return promise;
}
