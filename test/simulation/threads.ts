import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { noTotals } from "./run-batch.ts";
import type { Batch, BatchEnd, Totals } from "./run-batch.ts";
import type { StoryResult } from "./story/run-story.ts";
import { addCounts } from "./story/tally.ts";

/** Stories on several threads, which live as long as there are any. */

/** A thread's report: a failing seed at once, and the end of a batch. */
export type Said = { failing: StoryResult } | { end: BatchEnd };

const BATCH = 100;

export interface Heard {
  found: (failing: StoryResult) => void;
  progress: (totals: Totals) => void;
}

/** Plays seeds on several threads. If asked to, it ends at the first one that fails. */
export async function spread(
  plan: Batch,
  { threads, found, progress }: Heard & { threads: number | null },
): Promise<BatchEnd> {
  const all: BatchEnd = { totals: noTotals(), played: {}, failing: [] };
  let next = plan.from;
  const last = plan.from + plan.count;
  const lane = async (): Promise<void> => {
    const worker = new Worker(new URL("./thread.ts", import.meta.url));
    try {
      while (next < last && !(plan.untilCaught && all.failing.length > 0)) {
        const batch = { ...plan, from: next, count: Math.min(BATCH, last - next) };
        next += batch.count;
        const end = await play(worker, batch, found);
        for (const name of Object.keys(all.totals) as (keyof Totals)[]) all.totals[name] += end.totals[name];
        addCounts(all.played, Object.entries(end.played));
        all.failing.push(...end.failing);
        progress(all.totals);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: threads ?? availableParallelism() }, lane));
  all.failing.sort((a, b) => a.seed - b.seed);
  return all;
}

function play(worker: Worker, batch: Batch, found: Heard["found"]): Promise<BatchEnd> {
  return new Promise((resolve, reject) => {
    const listen = (said: Said) => {
      if ("failing" in said) return found(said.failing);
      worker.off("message", listen);
      worker.off("error", reject);
      resolve(said.end);
    };
    worker.on("message", listen);
    worker.once("error", reject);
    worker.postMessage(batch);
  });
}
