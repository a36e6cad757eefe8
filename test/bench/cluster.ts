import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { intakeOverThree } from "./cluster/intake.ts";
import { HOLD_MS, mean, round, startCluster } from "./cluster/cluster.ts";
import type { BenchRow } from "./run.ts";
import { webhooksAtRate } from "./webhooks/at-rate.ts";

/**
 * One budget over three true processes on PostgreSQL: the stand-in says what arrived and in which second. `--seconds` of each part and
 * `--shops` of the last make it shorter; `--part all|kill|crash|many|many-all|intake|intake-alone|webhooks` runs one alone, and `--rate` sends other than 500 webhooks a second.
 */

const TOKEN_LIFETIME_S = 20;
/** Parts for comparison. */
const ONLY_NAMED = new Set(["many-all", "intake-alone"]);

export async function bench(argv: string[]): Promise<BenchRow[]> {
  const { values } = parseArgs({
    args: argv,
    options: {
      seconds: { type: "string", default: "60" },
      shops: { type: "string", default: "400" },
      part: { type: "string" },
      rate: { type: "string", default: "500" },
    },
  });
  const [forMs, many] = [Number(values.seconds) * 1_000, Number(values.shops)];
  const parts: Record<string, () => Promise<BenchRow[]>> = {
    all: () => allBusy(forMs),
    kill: () => oneKilled(forMs),
    crash: () => serverCrashes(forMs),
    many: () => manyShops({ shops: many, forMs, everywhere: false }),
    "many-all": () => manyShops({ shops: many, forMs, everywhere: true }),
    intake: () => intakeOverThree({ perSecond: Number(values.rate), forMs, alone: false }),
    "intake-alone": () => intakeOverThree({ perSecond: Number(values.rate), forMs, alone: true }),
    webhooks: () =>
      webhooksAtRate({ perSecond: Number(values.rate), forMs, processes: 3, postgres: true, goalP99Ms: 100 }),
  };
  const rows: BenchRow[] = [];
  for (const [name, run] of Object.entries(parts)) {
    if (values.part === undefined ? !ONLY_NAMED.has(name) : name === values.part) rows.push(...(await run()));
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
  // All processes renew the same tokens, whose refresh tokens are good for one use.
  const behaviour = { tokenLifetimeSeconds: TOKEN_LIFETIME_S, refreshTokens: true };
  const cluster = await startCluster({ shops: 60, sharing: true, everywhere: true, clocks: true, behaviour });
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
    {
      name: `${name}: refresh tokens sent twice`,
      figure: report.answersByStatus["400"] ?? 0,
      unit: "",
      goal: "≤ 1",
      met: (report.answersByStatus["400"] ?? 0) <= 1,
    },
    told(`${name}: tokens`, report.callsByOperation.token ?? 0, ""),
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
      met: window.databaseMs <= 0.7,
    },
    told(`${name}: processes' processor a call`, window.processMs, "ms"),
    told(`${name}: database's transactions a call`, window.transactions, ""),
    told(`${name}: calls that failed`, window.failed, ""),
  ];
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
