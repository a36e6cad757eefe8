import { costRestMs, longestDelayMs, PARK_AFTER_FAILURES } from "../domain/backoff.ts";
import type { WorkItem } from "../domain/records.ts";
import type { Services } from "../ports.ts";

/**
 * Tries what was given up: of each shop one parked work item in twenty minutes, as its canary. A run of it that comes through wakes
 * the shop's others (`runs/own-failure.ts`). So an outage that lasted until everything was parked is over within about twenty minutes of its
 * end, and however many fail for good cost together what one of them does.
 */

const EVERY_MS = 2 * 60_000;
/** A try takes four calls where a book is read twice before something is made in it, and what fails for good makes twelve an hour. */
const TRIED_EVERY_MS = 20 * 60_000;
const CHORE = "trying what is parked";
/** Canaries of a shop that may wait at once for something else, such as a quarantine: one that waits for another parked one waits long. */
const MOST_AT_ONCE = 3;
/** Of how many the next canary is chosen. */
const CHOSEN_OF = 50;
/** A row that was written further ahead than this was written by another clock, and says nothing about how long ago that is. */
const AHEAD_MS = 60_000;

export function createParkedTrials(services: Services, { alone }: { alone: boolean }): { look(): Promise<void> } {
  const { store, clock } = services;
  let lookedMs = clock.monotonicMs();

  return {
    /** At each turn of the worker. One of several processes does it for all. */
    async look() {
      if (clock.monotonicMs() - lookedMs < EVERY_MS) return;
      lookedMs = clock.monotonicMs();
      if (!alone && store.shared && !(await store.shared.isOurs(CHORE, EVERY_MS))) return;
      let cursor = "";
      for (;;) {
        const after = { state: "parked", shop: { gt: cursor } } as const;
        const [first] = await store.workItems.list(after, { orderBy: { shop: "asc" }, limit: 1 });
        if (!first) return;
        cursor = first.shop;
        await tryOne(services, cursor);
      }
    },
  };
}

async function tryOne({ store, clock, wake }: Services, shop: string): Promise<void> {
  const woken = await store.transaction(shop, async ({ workItems }) => {
    const nowMs = clock.nowMs();
    const parked = { shop, state: "parked" } as const;
    const justNow = { gte: nowMs - TRIED_EVERY_MS, lt: nowMs + AHEAD_MS };
    if ((await workItems.count({ ...parked, updatedAtMs: justNow })) > 0) return 0;
    const underWay = { shop, state: "active", failures: { gte: PARK_AFTER_FAILURES } } as const;
    if ((await workItems.count(underWay)) >= MOST_AT_ONCE) return 0;
    // Those tried least often come first, and of these the one that began to fail last: what fails for good was parked before an outage.
    const order = { orderBy: { failures: "asc", failingSinceMs: "desc" }, limit: CHOSEN_OF } as const;
    const next = (await workItems.list(parked, order)).find((item) => hasRested(item, nowMs));
    if (!next) return 0;
    const { id, fence } = next;
    return workItems.update({ ...parked, id, fence }, { state: "active", dueAtMs: nowMs, updatedAtMs: nowMs });
  });
  if (woken > 0) wake();
}

/** Whether a work item has rested as long as its failures cost, each as much as all of them on average. */
function hasRested({ kind, failures, failingSinceMs, reason, updatedAtMs }: WorkItem, nowMs: number): boolean {
  const agoMs = nowMs - updatedAtMs;
  if (agoMs < -AHEAD_MS) return true;
  const inAll = reason?.calls ?? failures;
  const failingForMs = nowMs - (failingSinceMs ?? nowMs);
  const costMs = costRestMs(failures, { calls: Math.max(1, inAll / failures), inAll, failingForMs });
  return agoMs >= Math.min(costMs, longestDelayMs(kind, failures));
}
