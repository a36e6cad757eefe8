import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { FaultRule } from "../sandbox/shipping/options.ts";
import type { LoadOptions } from "./budget/load.ts";
import { end, firstLine, runLoad, startLoad, startStandIn } from "./budget/stand-in.ts";
import type { BenchRow } from "./run.ts";

/**
 * The budget under load: the stand-in in one process, the true adapter in another. What arrived is the stand-in's to say; how well
 * the slots were used is measured at the adapter's network. `--seconds` and `--shops` make it shorter.
 */

const GRACE_MS = 2_000;
const RESTARTS = 10;

/** Something of everything, and a token that does not last. */
const FAULTS: FaultRule[] = [
  { kind: "error-before", probability: 0.02 },
  { kind: "error-after", probability: 0.01 },
  { kind: "html", probability: 0.01, status: 502 },
  { kind: "reset", probability: 0.02 },
  { kind: "hang", probability: 0.02 },
  { kind: "unauthorized", probability: 0.02 },
  { kind: "too-many", probability: 0.01, retryAfter: 1 },
];
const TOKEN_LIFETIME_S = 20;

const LOAD: Omit<LoadOptions, "url"> = {
  shops: 1,
  warmUpMs: 3_000,
  durationMs: 60_000,
  graceMs: GRACE_MS,
  openAtOnce: true,
  standBy: false,
  stallMs: 0,
  jobsDue: 10_000,
  interactiveEveryMs: null,
};

export async function bench(argv: string[]): Promise<BenchRow[]> {
  const { values } = parseArgs({
    args: argv,
    options: { seconds: { type: "string", default: "60" }, shops: { type: "string", default: "1000" } },
  });
  const durationMs = Number(values.seconds) * 1_000;
  const together = await Promise.all([
    oneShop({ longestDelayMs: 100, durationMs }),
    oneShop({ longestDelayMs: 400, durationMs }),
    interactive(durationMs),
    restarts(),
  ]);
  // Alone, for this one needs both cores.
  return [...together.flat(), ...(await manyShops(Number(values.shops), durationMs))];
}

async function oneShop({
  longestDelayMs,
  durationMs,
}: {
  longestDelayMs: number;
  durationMs: number;
}): Promise<BenchRow[]> {
  const standIn = await startStandIn({ clients: 1, behaviour: { tokenLifetimeSeconds: TOKEN_LIFETIME_S } });
  await standIn.setFaults([{ kind: "slow", way: "in", delayMs: [0, longestDelayMs] }, ...FAULTS]);
  const { uses, faults } = await runLoad({ ...LOAD, url: standIn.testUrl, durationMs, stallMs: 80 });
  const report = await standIn.report();
  await standIn.stop();
  const name = `one shop, 0–${longestDelayMs} ms`;
  const [use] = uses;
  const met = Object.entries(faults).map(([kind, count]) => `${kind} × ${count}`);
  return [
    ...rateRows(name, report),
    share(`${name}: slots in use`, use!.share, 0.95),
    told(`${name}: slot time lost to timeouts and pauses`, (use!.lostMs / 1_000).toFixed(1), "s"),
    told(`${name}: faults met`, met.join(", ") || "none", ""),
    told(`${name}: token requests`, report.callsByOperation.token ?? 0, ""),
  ];
}

/** Must be felt as little as a slot, however much is due behind it. */
async function interactive(durationMs: number): Promise<BenchRow[]> {
  const shops = 10;
  const standIn = await startStandIn({ clients: shops });
  await standIn.setFaults([{ kind: "slow", way: "in", delayMs: [0, 100] }]);
  const { waitsMs, roundTripMs } = await runLoad({
    ...LOAD,
    url: standIn.testUrl,
    shops,
    durationMs,
    interactiveEveryMs: 3_000,
  });
  const report = await standIn.report();
  await standIn.stop();
  const name = "interactive call, 10,000 jobs due";
  const mostMs = 1_000 + roundTripMs;
  const p95Ms = quantile(waitsMs, 0.95);
  return [
    ...rateRows(name, report),
    {
      name: `${name}: wait, p95`,
      figure: Math.round(p95Ms),
      unit: "ms",
      goal: `≤ ${Math.round(mostMs)}`,
      met: p95Ms <= mostMs,
    },
    told(`${name}: wait, mean of ${waitsMs.length}`, Math.round(mean(waitsMs)), "ms"),
  ];
}

/** A process that is killed leaves requests under way; the next one stands by, and begins in the same moment. */
async function restarts(): Promise<BenchRow[]> {
  const standIn = await startStandIn({ clients: 1 });
  await standIn.setFaults([{ kind: "slow", way: "in", delayMs: [0, 400] }]);
  const standBy = async () => {
    const load = startLoad({ ...LOAD, url: standIn.testUrl, openAtOnce: false, durationMs: null, standBy: true });
    await firstLine(load);
    return load;
  };
  let load = await standBy();
  load.stdin!.write("go\n");
  for (let count = 0; count < RESTARTS; count += 1) {
    const [next] = await Promise.all([standBy(), pause(GRACE_MS + 1_000 + 1_200 + Math.random() * 1_500)]);
    await end(load, "SIGKILL");
    load = next;
    load.stdin!.write("go\n");
  }
  await pause(GRACE_MS + 3_000);
  await end(load, "SIGKILL");
  const report = await standIn.report();
  await standIn.stop();
  const name = `killed and restarted ${RESTARTS} times`;
  return [...rateRows(name, report), told(`${name}: requests`, report.calls, "")];
}

async function manyShops(shops: number, durationMs: number): Promise<BenchRow[]> {
  const standIn = await startStandIn({ clients: shops });
  await standIn.setFaults([{ kind: "slow", way: "in", delayMs: [0, 100] }]);
  const { uses, cpuShare, heapMb, roundTripMs } = await runLoad({
    ...LOAD,
    url: standIn.testUrl,
    shops,
    durationMs,
    warmUpMs: 10_000,
  });
  const report = await standIn.report();
  await standIn.stop();
  const name = `${shops} shops at once`;
  const shares = uses.map((use) => use.share);
  return [
    ...rateRows(name, report),
    share(`${name}: slots in use, mean`, mean(shares), 0.95),
    share(`${name}: slots in use, worst`, Math.min(...shares), 0.9),
    told(`${name}: share of a core`, Math.round(cpuShare * 100), "%"),
    told(`${name}: round trip`, Math.round(roundTripMs), "ms"),
    told(`${name}: heap`, heapMb, "MB"),
  ];
}

function rateRows(name: string, report: { secondsOverLimit: number; mostInSecond: number }): BenchRow[] {
  const { secondsOverLimit, mostInSecond } = report;
  return [
    {
      name: `${name}: sliding seconds over the limit`,
      figure: secondsOverLimit,
      unit: "",
      goal: "0",
      met: secondsOverLimit === 0,
    },
    { name: `${name}: most arrivals in a second`, figure: mostInSecond, unit: "", goal: "≤ 2", met: mostInSecond <= 2 },
  ];
}

function share(name: string, value: number, least: number): BenchRow {
  const percent = Math.round(value * 1_000) / 10;
  return { name, figure: percent, unit: "%", goal: `≥ ${least * 100}`, met: value >= least };
}

/** A figure that has no goal. */
function told(name: string, figure: number | string, unit: string): BenchRow {
  return { name, figure, unit, goal: "told", met: true };
}

function mean(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function quantile(numbers: number[], share: number): number {
  const inOrder = [...numbers].sort((a, b) => a - b);
  return inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * share))] ?? NaN;
}
