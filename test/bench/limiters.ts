import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { end, firstLine, startNode } from "./budget/stand-in.ts";
import { LIMITERS, type Limited, type LimiterContender } from "./limiters/contenders.ts";
import { pictureOf } from "./limiters/picture.ts";
import type { Received } from "./limiters/receiver-report.ts";
import type { BenchRow } from "./run.ts";

/**
 * Our client's limiter beside others that are set to the same two calls a second, all at the same time, before a network on which each
 * request takes 0 to 400 ms. What arrived is the receiver's to say. `--seconds` makes it shorter; `--picture` writes the picture of the
 * documents anew.
 */

const LONGEST_DELAY_MS = 400;
/** As many calls as keep both slots and their line busy, for each limiter. */
const AT_ONCE = 4;
/** The first calls of all leave at once. */
const WARM_UP_MS = 3_000;
const PICTURE = resolve(import.meta.dirname, "../../docs/images/limiters.svg");

/** One limiter's arrivals. */
interface Figures extends Pick<LimiterContender, "words"> {
  isOurs: boolean;
  /** From the first request to the last; sliding seconds that held more than two. */
  over: number;
  mostInSecond: number;
  /** Arrivals a second, after the warm-up. */
  eachSecond: number;
  /** Of 2 ÷ (1 s + round trip), which is what two slots allow that wait for their answers. */
  share: number;
  /** Of the whole run. */
  overEachMinute: number;
}

export async function bench(argv: string[]): Promise<BenchRow[]> {
  const { values } = parseArgs({
    args: argv,
    options: { seconds: { type: "string", default: "60" }, picture: { type: "boolean", default: false } },
  });
  const figures = await measure(Number(values.seconds) * 1_000);
  if (values.picture) writeFileSync(PICTURE, pictureOf(figures, { longestDelayMs: LONGEST_DELAY_MS }));
  return figures.flatMap(rowsOf);
}

async function measure(durationMs: number): Promise<Figures[]> {
  const receiver = startNode(join(import.meta.dirname, "limiters/processes/receiver.ts"), [String(LONGEST_DELAY_MS)]);
  try {
    const url = await firstLine(receiver);
    const report = async () => (await (await fetch(`${url}/report`)).json()) as Record<string, Received>;
    const stop = new AbortController();
    const ended = LIMITERS.flatMap(({ make }) => keepBusy(make(url), stop.signal));
    await pause(WARM_UP_MS);
    const before = await report();
    const fromMs = performance.now();
    await pause(durationMs);
    const after = await report();
    const tookMs = performance.now() - fromMs;
    stop.abort();
    await Promise.all(ended);
    const whole = await report();
    return LIMITERS.map((limiter) => {
      const one = { before: before[limiter.key]!, after: after[limiter.key]!, whole: whole[limiter.key]! };
      return figuresOf(limiter, one, tookMs);
    });
  } finally {
    await end(receiver, "SIGTERM");
  }
}

/** There is always more to do than two calls a second. */
function keepBusy(limited: Limited, signal: AbortSignal): Promise<void>[] {
  return Array.from({ length: AT_ONCE }, async () => {
    while (!signal.aborted) await limited();
  });
}

function figuresOf(
  { words, key }: LimiterContender,
  { before, after, whole }: Record<"before" | "after" | "whole", Received>,
  tookMs: number,
): Figures {
  const eachSecond = ((after.total - before.total) * 1_000) / tookMs;
  return {
    words,
    isOurs: key === "ours",
    over: whole.secondsOver,
    mostInSecond: whole.mostInSecond,
    eachSecond,
    share: (eachSecond * (1 + after.meanRoundTripMs / 1_000)) / 2,
    overEachMinute: (after.secondsOver * 60_000) / (tookMs + WARM_UP_MS),
  };
}

function rowsOf({ words, isOurs, over, mostInSecond, eachSecond, share }: Figures): BenchRow[] {
  const told = (name: string, figure: number, unit: string) =>
    ({ name: `${words}: ${name}`, figure, unit, goal: "told", met: true }) satisfies BenchRow;
  const goal = (row: BenchRow, most: number): BenchRow =>
    isOurs ? { ...row, goal: most === 0 ? "0" : `≤ ${most}`, met: Number(row.figure) <= most } : row;
  return [
    goal(told("sliding seconds over 2", over, ""), 0),
    goal(told("most arrivals in a second", mostInSecond, ""), 2),
    told("calls a second", Math.round(eachSecond * 100) / 100, ""),
    told("share of 2 ÷ (1 s + round trip)", Math.round(share * 1_000) / 10, "%"),
  ];
}
