import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { ConnectionRef } from "../../app/ports.ts";
import { end, startNode, startStandIn, type StandIn } from "./budget/stand-in.ts";
import type { ClusterLoad, Counted } from "./cluster/load.ts";
import { startBenchServer, type BenchServer } from "./cluster/server.ts";
import type { BenchRow } from "./run.ts";

/**
 * One budget over three true processes on PostgreSQL: the stand-in says what arrived and in which second. `--seconds` of each part and
 * `--shops` of the last make it shorter; `--part all|kill|crash|many|many-all` runs one alone.
 */

const LOAD = join(import.meta.dirname, "cluster/load.ts");
const AN_HOUR_AHEAD = `--import=${join(import.meta.dirname, "../adapters/shipping/slots/processes/an-hour-ahead.ts")}`;

const PROCESSES = 3;
const GRACE_MS = 2_000;
/** As the adapter holds a slot: 5 s to the bytes, 10 s for the request, the grace, a second. */
const HOLD_MS = 18_000;
const LONGEST_WAY_MS = 400;
const WARM_UP_MS = 6_000;

export async function bench(argv: string[]): Promise<BenchRow[]> {
  const { values } = parseArgs({
    args: argv,
    options: {
      seconds: { type: "string", default: "60" },
      shops: { type: "string", default: "400" },
      part: { type: "string" },
    },
  });
  const [forMs, many] = [Number(values.seconds) * 1_000, Number(values.shops)];
  const parts: Record<string, () => Promise<BenchRow[]>> = {
    all: () => allBusy(forMs),
    kill: () => oneKilled(forMs),
    crash: () => serverCrashes(forMs),
    many: () => manyShops({ shops: many, forMs, everywhere: false }),
    "many-all": () => manyShops({ shops: many, forMs, everywhere: true }),
  };
  const rows: BenchRow[] = [];
  for (const [name, run] of Object.entries(parts)) {
    if (values.part === undefined ? name !== "many-all" : name === values.part) rows.push(...(await run()));
  }
  return rows;
}

/** All shops are busy in all processes; two of them share a client id, and two clocks are an hour ahead. */
async function allBusy(forMs: number): Promise<BenchRow[]> {
  const cluster = await startCluster({ shops: 60, sharing: true, everywhere: true, clocks: true });
  const { window } = await cluster.measured(() => pause(forMs));
  const report = await cluster.stop();
  const name = "60 shops, three processes, two clocks an hour ahead";
  const [less, more] = window.shared.toSorted((a, b) => a - b) as [number, number];
  const part = less / (less + more);
  return [
    ...rateRows(name, report),
    share(`${name}: of 2/(1 + round trip), mean`, mean(window.shares), 0.95),
    share(`${name}: of 2/(1 + round trip), worst`, Math.min(...window.shares), 0.85),
    share(`${name}: part of the lesser of two shops with one client id`, part, 0.4),
    told(`${name}: round trip`, Math.round(window.roundTripMs), "ms"),
    told(`${name}: database's processor a call`, window.databaseMs, "ms"),
    told(`${name}: processes' processor a call`, window.processMs, "ms"),
    told(`${name}: database's transactions a call`, window.transactions, ""),
    told(`${name}: calls that failed`, window.failed, ""),
  ];
}

/** Its slots are free when their time is over, and everything else goes on. */
async function oneKilled(forMs: number): Promise<BenchRow[]> {
  const cluster = await startCluster({ shops: 60, sharing: true, everywhere: true, clocks: true });
  let lostMs = 0;
  const { window } = await cluster.measured(async () => {
    await pause(forMs / 2);
    lostMs = await cluster.kill(Math.max(forMs / 2, HOLD_MS));
  });
  const report = await cluster.stop();
  const name = "60 shops, one of three processes killed half-way";
  const wholeMs = 2 * window.shares.length * window.lastedMs;
  return [
    ...rateRows(name, report),
    share(`${name}: of the slot time not lost to the kill`, (mean(window.shares) * wholeMs) / (wholeMs - lostMs), 0.9),
    told(`${name}: slot time lost to the kill`, (lostMs / 1_000).toFixed(1), "s"),
    told(`${name}: of all slot time`, (mean(window.shares) * 100).toFixed(1), "%"),
  ];
}

/** A backend of the server is killed: it recovers without the slots, and everybody waits. */
async function serverCrashes(forMs: number): Promise<BenchRow[]> {
  const cluster = await startCluster({ shops: 60, sharing: true, everywhere: true, clocks: true });
  let standsStillMs = 0;
  let after = 0;
  await cluster.measured(async () => {
    await pause(forMs / 4);
    await cluster.server.crash();
    const crashedMs = performance.now();
    await pause(3_000);
    const before = (await cluster.standIn.report()).calls;
    while ((await cluster.standIn.report()).calls === before) await pause(50);
    standsStillMs = performance.now() - crashedMs;
    await pause(forMs / 2);
    after = (await cluster.standIn.report()).calls - before;
  });
  const report = await cluster.stop();
  const name = "60 shops, the server crashed";
  return [
    ...rateRows(name, report),
    told(`${name}: nobody sends for`, (standsStillMs / 1_000).toFixed(1), "s"),
    { name: `${name}: requests afterwards`, figure: after, unit: "", goal: "> 0", met: after > 0 },
  ];
}

/** Each shop is one process's, as claims leave it, or every process's. */
async function manyShops(input: { shops: number; forMs: number; everywhere: boolean }): Promise<BenchRow[]> {
  const { shops, forMs, everywhere } = input;
  const cluster = await startCluster({ shops, sharing: false, everywhere, clocks: false, warmUpMs: 12_000 });
  const { window } = await cluster.measured(() => pause(forMs));
  const report = await cluster.stop();
  const name = `${shops} shops, ${everywhere ? "each in all" : "each in one"} of three processes`;
  return [
    ...rateRows(name, report),
    share(`${name}: of 2/(1 + round trip), mean`, mean(window.shares), 0.94),
    told(`${name}: of 2/(1 + round trip), worst`, (Math.min(...window.shares) * 100).toFixed(1), "%"),
    told(`${name}: calls a second`, Math.round(window.calls / (window.lastedMs / 1_000)), ""),
    told(`${name}: round trip`, Math.round(window.roundTripMs), "ms"),
    {
      name: `${name}: database's processor a call`,
      figure: window.databaseMs,
      unit: "ms",
      goal: "≤ 0.7",
      met: everywhere || window.databaseMs <= 0.7,
    },
    told(`${name}: processes' processor a call`, window.processMs, "ms"),
    told(`${name}: database's transactions a call`, window.transactions, ""),
    told(`${name}: calls that failed`, window.failed, ""),
  ];
}

interface Window {
  lastedMs: number;
  /** Of each client id: arrivals against 2/(1 + round trip). */
  shares: number[];
  /** Calls of the two shops with one client id. */
  shared: number[];
  calls: number;
  roundTripMs: number;
  /** A call. */
  databaseMs: number;
  processMs: number;
  transactions: number;
  failed: string;
}

interface Cluster {
  server: BenchServer;
  standIn: StandIn;
  /** What came and went between the beginning and the end of `work`. */
  measured(work: () => Promise<void>): Promise<{ window: Window }>;
  /** Kills one process, lets the time pass, and gives the slot time that was lost to the kill. */
  kill(thenMs: number): Promise<number>;
  stop(): Promise<Awaited<ReturnType<StandIn["report"]>>>;
}

async function startCluster(options: {
  shops: number;
  sharing: boolean;
  everywhere: boolean;
  clocks: boolean;
  warmUpMs?: number;
}): Promise<Cluster> {
  const { shops: count, sharing, everywhere, clocks, warmUpMs = WARM_UP_MS } = options;
  const shops = Array.from({ length: count }, (_, index): ConnectionRef => {
    const number = sharing && index === count - 1 ? index : index + 1;
    const shop = `shop-${index + 1}`;
    return { id: shop, version: 1, shop, environment: "test", clientId: `test-client-${number}` };
  });
  const server = await startBenchServer(shops);
  const standIn = await startStandIn({ clients: count });
  await standIn.setFaults([{ kind: "slow", way: "in", delayMs: [0, LONGEST_WAY_MS] }]);
  const loads = Array.from({ length: PROCESSES }, (_, index) => {
    const own = everywhere ? shops : shops.filter((_each, number) => number % PROCESSES === index);
    const load: ClusterLoad = { url: standIn.testUrl, databaseUrl: server.url, graceMs: GRACE_MS, shops: own };
    const env: Record<string, string> = clocks && index > 0 ? { NODE_OPTIONS: AN_HOUR_AHEAD } : {};
    return asked(startNode(LOAD, [JSON.stringify(load)], env));
  });
  await Promise.all(loads.map(({ line }) => line()));
  await pause(warmUpMs);

  const look = async () => {
    const living = loads.filter(({ child }) => child.signalCode === null);
    const counted = await Promise.all(living.map(({ ask }) => ask()));
    const [row] = await server.query<{ n: string }>(
      "SELECT xact_commit + xact_rollback AS n FROM pg_stat_database WHERE datname = current_database()",
    );
    const atMs = performance.now();
    return {
      atMs,
      counted,
      report: await standIn.report(),
      cpuMs: server.cpuMs() ?? NaN,
      transactions: Number(row!.n),
    };
  };

  return {
    server,
    standIn,
    async measured(work) {
      const before = await look();
      await work();
      const after = await look();
      const sum = (of: (counted: Counted) => number) => {
        const was = after.counted.length === before.counted.length ? total(before.counted.map(of)) : 0;
        return total(after.counted.map(of)) - was;
      };
      const lastedMs = after.atMs - before.atMs;
      const roundTripMs = sum(({ roundTripsMs }) => roundTripsMs) / sum(({ answered }) => answered);
      const most = (2 * lastedMs) / (1_000 + roundTripMs);
      const arrived = (key: string) =>
        after.report.arrivals[key]!.total - (before.report.arrivals[key] ?? { total: 0 }).total;
      const calls = after.report.calls - before.report.calls;
      const ofShop = (shop: string) => sum((each) => each.calls[shop] ?? 0);
      const failed = new Map<string, number>();
      for (const each of after.counted)
        for (const [kind, times] of Object.entries(each.failed)) failed.set(kind, (failed.get(kind) ?? 0) + times);
      const window: Window = {
        lastedMs,
        shares: Object.keys(after.report.arrivals).map((key) => arrived(key) / most),
        shared: sharing ? [ofShop(`shop-${count - 1}`), ofShop(`shop-${count}`)] : [],
        calls,
        roundTripMs,
        databaseMs: round((after.cpuMs - before.cpuMs) / calls),
        processMs: round(sum(({ cpuMs }) => cpuMs) / calls),
        transactions: round((after.transactions - before.transactions) / calls),
        failed: [...failed].map(([kind, times]) => `${kind} × ${times}`).join(", ") || "none",
      };
      return { window };
    },
    async kill(thenMs) {
      await end(loads[0]!.child, "SIGKILL");
      const [killed] = await server.query<{ now: string }>("SELECT clock_timestamp()::text AS now");
      // By then whoever lives has given back what it had under way at the kill, whose time is not over.
      await pause(3_000);
      const [lost] = await server.query<{ ms: number | null }>(
        `SELECT sum(extract(epoch FROM f - '${killed!.now}'::timestamptz) * 1000)::float8 AS ms
         FROM budget.key, unnest(ARRAY["free_0", "free_1"]) f
         WHERE "key" LIKE 'client %' AND f > clock_timestamp() AND f <= '${killed!.now}'::timestamptz + interval '${HOLD_MS + 50} ms'
         AND f > '${killed!.now}'::timestamptz + interval '10 s'`,
      );
      await pause(thenMs - 3_000);
      return lost!.ms ?? 0;
    },
    async stop() {
      await Promise.all(loads.map(({ child }) => end(child, "SIGKILL")));
      const report = await standIn.report();
      await standIn.stop();
      await server.stop();
      return report;
    },
  };
}

/** A process that answers each line it is sent with one of its own. */
function asked(child: ChildProcess) {
  const lines = createInterface({ input: child.stdout! });
  const line = async () => {
    const said = await Promise.race([once(lines, "line"), once(child, "exit").then(() => null)]);
    if (said === null) throw new Error(`the load ended with ${child.exitCode ?? child.signalCode}`);
    return String(said[0]);
  };
  return {
    child,
    line,
    async ask(): Promise<Counted> {
      const answer = line();
      child.stdin!.write("\n");
      return JSON.parse(await answer) as Counted;
    },
  };
}

function rateRows(name: string, report: { secondsOverLimit: number; mostInSecond: number }): BenchRow[] {
  const { secondsOverLimit: over, mostInSecond: most } = report;
  return [
    { name: `${name}: sliding seconds over the limit`, figure: over, unit: "", goal: "0", met: over === 0 },
    { name: `${name}: most arrivals in a second`, figure: most, unit: "", goal: "≤ 2", met: most <= 2 },
  ];
}

function share(name: string, value: number, least: number): BenchRow {
  return { name, figure: round(value * 100), unit: "%", goal: `≥ ${least * 100}`, met: value >= least };
}

function told(name: string, figure: number | string, unit: string): BenchRow {
  return { name, figure, unit, goal: "told", met: true };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function total(numbers: number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

function mean(numbers: number[]): number {
  return total(numbers) / numbers.length;
}
