import type { PendingWrite } from "../../../app/domain/records.ts";

/**
 * Finds writes and questions to carriers that are sent again and again. The bound is the app's own promise (docs/when-things-fail.md): what always fails costs at most
 * 60 calls in its first hour and 12 an hour after. A write rests on a reading of its own, so that each of its tries costs two calls or more.
 */
export interface CostWatch {
  /** A write of a work item leaves. */
  left(pending: Readonly<PendingWrite>): void;
  /** A question to the carriers leaves. It changes nothing and is announced by no row. */
  asked(question: { shop: string; templateId: string }): void;
  objections(calmSinceMs: number): string[];
}

const MINUTE_MS = 60_000;
/** What people and late webhooks may still ask for in the calm comes before this, so that nobody asks anew after. */
const NOBODY_ASKS_AFTER_MS = 8 * MINUTE_MS;
const FIRST = { withinMs: 60 * MINUTE_MS, calls: 60 };
/** A quarter of the calls of an hour, in a quarter of it: no story goes on for another hour. */
const AFTER = { withinMs: 15 * MINUTE_MS, calls: 3 };

export function createCostWatch(nowMs: () => number): CostWatch {
  const sent = new Map<string, { calls: number; times: number[] }>();
  const note = (words: string, calls: number) => {
    const known = sent.get(words) ?? { calls, times: [] };
    known.times.push(nowMs());
    sent.set(words, known);
  };
  return {
    left({ workItemId, operation, locationId, templateId }) {
      note(`the ${operation} of ${locationId ?? templateId ?? "a form"} (work item ${workItemId})`, 2);
    },
    asked({ shop, templateId }) {
      note(`the question of ${shop} to the carriers about ${templateId}`, 1);
    },
    objections(calmSinceMs) {
      const fromMs = calmSinceMs + NOBODY_ASKS_AFTER_MS;
      return [...sent].flatMap(([words, { calls, times }]) => {
        const first = most(times, { fromMs, withinMs: FIRST.withinMs });
        const after = most(times, { fromMs: fromMs + FIRST.withinMs, withinMs: AFTER.withinMs });
        if (calls * first <= FIRST.calls && after <= AFTER.calls) return [];
        return [`${words} was sent ${first} times within an hour, and ${after} times within a quarter after that`];
      });
    },
  };
}

/** The most writes within so long, all of them after `fromMs`. */
function most(times: readonly number[], { fromMs, withinMs }: { fromMs: number; withinMs: number }): number {
  const counted = times.filter((atMs) => atMs >= fromMs);
  return Math.max(
    0,
    ...counted.map((beginMs) => counted.filter((atMs) => atMs >= beginMs && atMs < beginMs + withinMs).length),
  );
}
