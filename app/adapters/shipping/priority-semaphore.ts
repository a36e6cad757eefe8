import { PRIORITIES, type Priority } from "../../ports.ts";

/** Two places for each key. The most urgent waiter goes first, then the one that came first. A key that nobody uses takes no memory. */

const PLACES = 2;

/** An urged waiter goes behind waiters that have that urgency themselves. */
const JUST_BEHIND = 0.5;

interface Waiting {
  owner: string;
  /** Index in `PRIORITIES`; a lower one goes first. */
  rank: number;
  enter: () => void;
}

interface KeySemaphore {
  taken: number;
  waiting: Waiting[];
}

export interface Entry {
  key: string;
  /** On whose behalf; see `urge`. */
  owner: string;
  priority: Priority;
}

export interface PrioritySemaphore {
  /** Runs the job once it has a place, which is free again when the job's promise ends. */
  run(entry: Entry, job: () => Promise<void>): Promise<void>;
  /**
   * Makes this owner's waiters nearly as urgent, because a more urgent call of the same owner waits behind them. Otherwise a shop's
   * background work that waits for a client's place would hold up the shop's own interactive calls behind another shop's whole backlog.
   */
  urge(owner: string, priority: Priority): void;
}

export function createPrioritySemaphore({ places = PLACES } = {}): PrioritySemaphore {
  const semaphores = new Map<string, KeySemaphore>();
  const byOwner = new Map<string, Set<Waiting>>();

  function wait(semaphore: KeySemaphore, { owner, priority }: Entry): Promise<void> {
    return new Promise((enter) => {
      const waiting = { owner, rank: PRIORITIES.indexOf(priority), enter };
      semaphore.waiting.push(waiting);
      byOwner.set(owner, (byOwner.get(owner) ?? new Set()).add(waiting));
    });
  }

  /** Removes and returns the next waiter. */
  function next(semaphore: KeySemaphore): Waiting | undefined {
    const best = Math.min(...semaphore.waiting.map(({ rank }) => rank));
    const index = semaphore.waiting.findIndex(({ rank }) => rank === best);
    const [first] = index < 0 ? [] : semaphore.waiting.splice(index, 1);
    if (!first) return undefined;
    const others = byOwner.get(first.owner);
    others?.delete(first);
    if (others?.size === 0) byOwner.delete(first.owner);
    return first;
  }

  function leave(key: string, semaphore: KeySemaphore): void {
    const first = next(semaphore);
    // The place is handed on directly, so that no newcomer can take it in between.
    if (first) return first.enter();
    semaphore.taken -= 1;
    if (semaphore.taken === 0) semaphores.delete(key);
  }

  return {
    async run(entry, job) {
      const semaphore = semaphores.get(entry.key) ?? { taken: 0, waiting: [] };
      semaphores.set(entry.key, semaphore);
      if (semaphore.taken < places) semaphore.taken += 1;
      else await wait(semaphore, entry);
      try {
        await job();
      } finally {
        leave(entry.key, semaphore);
      }
    },
    urge(owner, priority) {
      const rank = PRIORITIES.indexOf(priority) + JUST_BEHIND;
      for (const waiting of byOwner.get(owner) ?? []) waiting.rank = Math.min(waiting.rank, rank);
    },
  };
}
