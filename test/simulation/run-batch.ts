import { FIGURES, isFaulty } from "./oracle/figures.ts";
import type { Figure } from "./oracle/figures.ts";
import { MUTANTS } from "./mutants/mutants.ts";
import type { MutantName } from "./mutants/mutants.ts";
import { runStory } from "./story/run-story.ts";
import type { StoryResult } from "./story/run-story.ts";
import type { ServiceAs } from "./story/service-as.ts";
import { addCounts } from "./story/tally.ts";

/** Seeds one after another. */
export interface Batch {
  from: number;
  count: number;
  mutant: MutantName | null;
  effectsLaterThanBound: boolean;
  serviceAs?: ServiceAs | null;
  /** See `StoryOptions`. */
  cluster?: boolean;
  /** Ends at the first seed with a fault. */
  untilCaught: boolean;
}

export type Totals = { schedules: number; virtualHours: number } & Record<Figure, number>;

export interface BatchEnd {
  totals: Totals;
  played: Record<string, number>;
  failing: StoryResult[];
}

export function noTotals(): Totals {
  const figures = Object.fromEntries(FIGURES.map((figure) => [figure, 0])) as Record<Figure, number>;
  return { schedules: 0, virtualHours: 0, ...figures };
}

/** `found` is called for a failing seed at once. */
export async function runBatch(
  batch: Batch,
  found: (failing: StoryResult) => void = () => undefined,
): Promise<BatchEnd> {
  const end: BatchEnd = { totals: noTotals(), played: {}, failing: [] };
  const mutant = batch.mutant === null ? undefined : MUTANTS[batch.mutant];
  for (let seed = batch.from; seed < batch.from + batch.count; seed += 1) {
    const { effectsLaterThanBound, serviceAs, cluster = false } = batch;
    const result = await runStory({ seed, mutant, effectsLaterThanBound, serviceAs, cluster });
    end.totals.schedules += 1;
    end.totals.virtualHours += result.virtualMs / 3_600_000;
    for (const figure of FIGURES) end.totals[figure] += result.verdict[figure].length;
    addCounts(end.played, result.played);
    if (!isFaulty(result.verdict)) continue;
    end.failing.push(result);
    found(result);
    if (batch.untilCaught) break;
  }
  return end;
}
