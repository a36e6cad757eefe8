import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migratePostgres } from "../../../../app/adapters/store/postgresql/migrate.ts";
import { startEmbedded } from "../../../../scripts/postgres-server.ts";
import { mostInSecond } from "../../../contracts/line/arrivals.ts";
import { runScript, type RunningScript } from "../../store/processes/run.ts";

/**
 * Three true processes on one database, and a receiver that counts what arrives: the one that is killed, the one whose wall clock is an
 * hour ahead, and the server that crashes are true too. The server is this test's own, for a crash ends everybody's connections.
 */

const SCRIPT = `${import.meta.dirname}/processes/send-on.ts`;
const AN_HOUR_AHEAD = `--import=${import.meta.dirname}/processes/an-hour-ahead.ts`;
const MIGRATIONS = new URL("../../../../prisma/postgresql/migrations/", import.meta.url);

const GRACE_MS = 300;
const TOTAL_MS = 600;
/** 5 s to the bytes, the request, the grace, a second. */
const HOLD_MS = 5_000 + TOTAL_MS + GRACE_MS + 1_000;
/** On the way in and out; a request of a process that is killed arrives afterwards. */
const LONGEST_WAY_MS = 200;

const LANES = [
  { shop: "a", client: "own" },
  { shop: "b", client: "shared" },
  { shop: "c", client: "shared" },
];

let server: Awaited<ReturnType<typeof startEmbedded>>;
let receiver: Server;
const arrivals = new Map<string, number[]>();
const running: RunningScript[] = [];

beforeAll(async () => {
  server = await startEmbedded();
  await migratePostgres({ url: server.url, folder: MIGRATIONS });
  receiver = createServer((request, response) => {
    const [, shop, client] = request.url!.split("/");
    setTimeout(() => {
      for (const key of [`shop ${shop}`, `client ${client}`])
        arrivals.set(key, [...(arrivals.get(key) ?? []), performance.now()]);
      // One of fifty is never answered.
      if (Math.random() < 0.02) request.socket.destroy();
      else setTimeout(() => response.end("{}"), Math.random() * LONGEST_WAY_MS);
    }, Math.random() * LONGEST_WAY_MS);
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
});
afterAll(async () => {
  for (const { child } of running) child.kill("SIGKILL");
  await Promise.all(running.map(({ ended }) => ended));
  receiver.closeAllConnections();
  receiver.close();
  await server.stop();
});

function start(env: Record<string, string> = {}): RunningScript {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const args = [server.url, url, JSON.stringify(LANES), String(GRACE_MS), String(TOTAL_MS)];
  const script = runScript({ script: SCRIPT, args, env });
  running.push(script);
  return script;
}

const count = () => [...arrivals.values()].reduce((sum, times) => sum + times.length, 0);
const since = async (more: number) => {
  const before = count();
  await expect.poll(() => count() - before, { interval: 20 }).toBeGreaterThanOrEqual(more);
};

/** The server's own backend dies, as out of memory: all connections end, and the server recovers without its unlogged tables. */
async function crash(): Promise<void> {
  const victim = new pg.Client(server.url);
  victim.on("error", () => undefined);
  await victim.connect();
  const { rows } = await victim.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const ended = new Promise((resolve) => victim.once("end", resolve));
  process.kill(rows[0]!.pid, "SIGKILL");
  await ended;
}

test("no sliding second holds three arrivals of a shop or a client id, whoever is killed, restarts or crashes", async () => {
  const first = start();
  start({ NODE_OPTIONS: AN_HOUR_AHEAD });
  start({ NODE_OPTIONS: AN_HOUR_AHEAD });
  await Promise.all(running.map((script) => script.line("answered")));
  await since(6);
  first.child.kill("SIGKILL");
  const next = start();
  await next.line("started");
  await since(6);
  // Its tables survive, and nobody needs to wait.
  await server.restart();
  const restartedMs = performance.now();
  await since(6);
  expect(performance.now() - restartedMs).toBeLessThan(HOLD_MS);
  const crashedMs = performance.now();
  await crash();
  const beforeCrash = count();
  await expect.poll(() => count() - beforeCrash, { interval: 20 }).toBeGreaterThanOrEqual(16);
  const most = Object.fromEntries([...arrivals].map(([key, times]) => [key, mostInSecond(times)]));
  expect(Object.keys(most)).toHaveLength(5);
  expect(Math.max(...Object.values(most)), JSON.stringify(most)).toBe(2);
  // What was under way arrives; then nobody sends until all of it must have arrived.
  const pauseEndMs = Math.min(
    ...[...arrivals.values()].flat().filter((atMs) => atMs > crashedMs + LONGEST_WAY_MS + 100),
  );
  expect(pauseEndMs - crashedMs).toBeGreaterThanOrEqual(HOLD_MS - 100);
});
