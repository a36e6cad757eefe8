import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createSeededRandom } from "../fakes/random.ts";
import type { SeededRandom } from "../fakes/random.ts";
import { mapShops } from "../sandbox/play/mapped-shops.ts";
import { startProxy } from "../adapters/store/postgresql/proxy.ts";
import { startEmbedded } from "../../scripts/postgres-server.ts";
import { startSandbox } from "../sandbox/start.ts";
import { createDiary } from "./diary.ts";
import { watchShopify } from "./oracle/deletes.ts";
import { runOracle, unfinished } from "./oracle/verdict.ts";
import type { Database, Verdict } from "./oracle/verdict.ts";
import { watch } from "./oracle/witness.ts";
import { killAgainAndAgain } from "./killer.ts";
import { doOne } from "./people/actions.ts";
import type { Weighted } from "./people/actions.ts";
import { IN_SHOPIFY } from "./people/in-shopify.ts";
import { IN_THE_BOOK } from "./people/in-the-book.ts";
import { IN_THE_APP } from "./people/owners.ts";
import { report } from "./report.ts";
import { LONGEST_WAY_IN_MS, weather } from "./weather.ts";
import { createWorld, LATEST_EFFECT_MS, SHOPS, soakStores } from "./world.ts";
import type { SoakWorld } from "./world.ts";

/**
 * `npm run soak -- --kills N [--seed S] [--store postgresql --processes P [--outages]]`: the real server against both stand-ins, on SQLite or as several
 * processes on PostgreSQL whose server crashes at every fiftieth kill, killed with SIGKILL at random moments, starting
 * ones included, while people change every field in Shopify and in the address book, both services fail in every way, and one operation at
 * a time is stuck for minutes. The last line is JSON; exit 1 when anything in it is wrong, or it did not converge within five minutes.
 */
const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    store: { type: "string", default: "sqlite" },
    processes: { type: "string", default: "1" },
    outages: { type: "boolean", default: false },
  },
});
const kills = Number(values.kills);
const seed = Number(values.seed);
const processes = Number(values.processes);
if (!["sqlite", "postgresql"].includes(values.store)) throw new Error("--store is sqlite or postgresql");
if (values.outages && values.store !== "postgresql") throw new Error("--outages needs --store postgresql");
if (processes > 1 && values.store !== "postgresql") throw new Error("several processes need --store postgresql");

const CONVERGES_WITHIN_MS = 5 * 60_000;
const MARGIN_MS = 2_000;
/** Processes that may work beside others look at everything at their start only if none was at work for a minute. */
const UNSEEN_MS = 61_000;
/** How long the service's tokens live, short so that some expire in every soak. */
const TOKENS_LIVE_S = 90;
/** How long Shopify's tokens live. The app renews them five minutes before they expire, so it must be longer than that. */
const SHOPIFYS_TOKENS_LIVE_S = 360;

const startedAtMs = Date.now();
const dataDir = mkdtempSync(join(tmpdir(), "origen-soak-"));
const postgres = values.store === "postgresql" ? await startEmbedded() : null;
/** The way that the app takes to its database. */
const way = postgres && (await startProxy(postgres.url));
const database: Database = {
  url: postgres?.url ?? `file:${join(dataDir, "origen.db")}`,
  keys: `soak:${randomBytes(32).toString("base64")}`,
};
const sandbox = await startSandbox({
  dataDir,
  databaseUrl: way?.url ?? database.url,
  processes,
  stores: soakStores(),
  shipping: {
    seed,
    clients: SHOPS.length,
    refreshTokens: true,
    tokenLifetimeSeconds: TOKENS_LIVE_S,
    logLimit: 200_000,
    unauthorizedShape: "seed",
  },
  appEnv: {
    LOG_LEVEL: "warn",
    APP_KEYS: database.keys,
    QUARANTINE_LONGEST_MS: String(LATEST_EFFECT_MS),
    QUARANTINE_MARGIN_MS: String(MARGIN_MS),
    // More than the stand-in's longest delay of an arrival. A new process sends nothing for a second and this time.
    BUDGET_GRACE_MS: String(LONGEST_WAY_IN_MS + 50),
  },
  onProgress: (line) => console.log(line),
});
const world = createWorld(sandbox, { random: createSeededRandom(seed), diary: createDiary(startedAtMs), startedAtMs });
let failed = true;
try {
  failed = await soak(world);
} finally {
  await sandbox.stop();
  await way?.close();
  await postgres?.stop();
  if (!failed) rmSync(dataDir, { recursive: true, force: true });
  else console.error(`The app's log and database: ${dataDir}`);
}
process.exitCode = failed ? 1 : 0;

async function soak(world: SoakWorld): Promise<boolean> {
  const { app, service, admin } = world;
  admin.tokens.lifetimeSeconds = SHOPIFYS_TOKENS_LIVE_S;
  const shown = watchShopify(admin);
  await mapShops(world.shops);
  console.log(`${service.allTemplates().length} templates after ${seconds(startedAtMs)} s`);
  const stirring = new AbortController();
  const watching = new AbortController();
  const stirred = Promise.all([
    weather(world, { database: values.outages ? way : null, signal: stirring.signal }),
    people(world, { actions: IN_SHOPIFY, pauseMs: [500, 4_000], signal: stirring.signal }),
    people(world, { actions: IN_THE_BOOK, pauseMs: [1_000, 8_000], signal: stirring.signal }),
    people(world, { actions: IN_THE_APP, pauseMs: [500, 3_000], signal: stirring.signal }),
  ]);
  const watched = watch(world, { database, signal: watching.signal });
  const crashes = await killAgainAndAgain(world, { kills, databaseUrl: postgres && database.url });
  stirring.abort();
  await stirred;
  world.diary.note("all", "nothing fails any more");
  // The reconcile of a start finds changes whose webhooks were lost.
  await app.kill();
  if (postgres) await sleep(UNSEEN_MS);
  const lastFaultAtMs = Date.now();
  await app.start();
  const convergedMs = await converged(world, lastFaultAtMs);
  // After this, late effects and repetitions have shown.
  await sleep(2 * LATEST_EFFECT_MS + MARGIN_MS);
  watching.abort();
  const verdict = await runOracle(world, { database, witness: await watched, shown });
  report(world, verdict);
  const counts = countsOf(verdict);
  const numbers = { kills, crashes, seed, store: values.store, processes, calls: service.report().calls, convergedMs };
  console.log(JSON.stringify({ schedules: 1, virtualHours: hours(), ...counts, ...numbers }));
  const { unseeable: _allowed, ...zeros } = counts;
  return crashes > 0 || convergedMs > CONVERGES_WITHIN_MS || Object.values(zeros).some((count) => count > 0);
}

async function converged(world: SoakWorld, sinceMs: number): Promise<number> {
  while (Date.now() - sinceMs < CONVERGES_WITHIN_MS) {
    if ((await unfinished(world, database)).length === 0) break;
    await sleep(2_000);
  }
  return Date.now() - sinceMs;
}

interface People {
  actions: Weighted;
  pauseMs: readonly [number, number];
  signal: AbortSignal;
}

async function people(world: SoakWorld, { actions, pauseMs, signal }: People): Promise<void> {
  const random: SeededRandom = world.random.fork(actions[0]![1].name);
  while (!signal.aborted) {
    await sleep(random.between(...pauseMs), undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) await doOne({ ...world, random }, actions);
  }
}

function countsOf(verdict: Verdict) {
  return {
    lost: verdict.lost.length,
    duplicates: verdict.duplicates.length,
    overwritten: verdict.overwritten.length,
    unseeable: verdict.unseeable,
    secondsOverLimit: verdict.secondsOverLimit,
    starved: verdict.starved.length,
    untold: verdict.untold.length,
    needlessDeletes: verdict.needlessDeletes.length,
    verdictsLost: verdict.verdictsLost.length,
    credentialsLost: verdict.credentialsLost.length,
    falseWords: verdict.falseWords.length,
  };
}

function seconds(sinceMs: number): number {
  return Math.round((Date.now() - sinceMs) / 1_000);
}

function hours(): number {
  return Math.round((Date.now() - startedAtMs) / 36_000) / 100;
}
