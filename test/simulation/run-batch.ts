import { parentPort, workerData } from "node:worker_threads";
import { MUTANTS } from "./mutants.ts";
import type { MutantName } from "./mutants.ts";
import { runSchedule } from "./schedule.ts";
import type { ScheduleResult } from "./schedule.ts";

/** Seeds one after another, on a thread of its own. */
export interface Batch {
  from: number;
  count: number;
  mutant: MutantName | null;
  effectsLaterThanBound: boolean;
  /** Ends at the first seed that shows a fault. */
  untilCaught: boolean;
}

export interface Totals {
  schedules: number;
  virtualHours: number;
  lost: number;
  duplicates: number;
  overwritten: number;
  unseeable: number;
  secondsOverLimit: number;
}

export interface BatchEnd {
  totals: Totals;
  failing: ScheduleResult[];
}

const TOLD = 5;

export function noTotals(): Totals {
  return { schedules: 0, virtualHours: 0, lost: 0, duplicates: 0, overwritten: 0, unseeable: 0, secondsOverLimit: 0 };
}

export function isFaulty({ lost, duplicates, overwritten, secondsOverLimit }: ScheduleResult): boolean {
  return lost.length + duplicates + overwritten.length + secondsOverLimit > 0;
}

export async function runBatch(batch: Batch): Promise<BatchEnd> {
  const totals = noTotals();
  const failing: ScheduleResult[] = [];
  const mutant = batch.mutant === null ? undefined : MUTANTS[batch.mutant];
  for (let seed = batch.from; seed < batch.from + batch.count; seed += 1) {
    const result = await runSchedule({ seed, mutant, effectsLaterThanBound: batch.effectsLaterThanBound });
    totals.schedules += 1;
    totals.virtualHours += result.virtualMs / 3_600_000;
    totals.lost += result.lost.length;
    totals.duplicates += result.duplicates;
    totals.overwritten += result.overwritten.length;
    totals.unseeable += result.unseeable;
    totals.secondsOverLimit += result.secondsOverLimit;
    if (!isFaulty(result)) continue;
    if (failing.length < TOLD) failing.push(result);
    if (batch.untilCaught) break;
  }
  return { totals, failing };
}

if (parentPort) {
  const port = parentPort;
  port.postMessage(await runBatch(workerData as Batch));
}
