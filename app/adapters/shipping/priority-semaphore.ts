import { PRIORITIES, type Priority } from "../../ports.ts";

/** Two places behind each key: the most urgent goes first, then whoever came first. A key nobody uses takes no room. */

const PLACES = 2;

/** What is urged goes after what is that urgent itself. */
const JUST_BEHIND = 0.5;

interface Waiting {
  owner: string;
  /** Index in `PRIORITIES`: the lower, the sooner. */
  rank: number;
  enter: () => void;
}

interface Gate {
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
  /** Runs the job with a place in hand, which is free when its promise ends. */
  run(entry: Entry, job: () => Promise<void>): Promise<void>;
  /**
   * Makes what waits for this owner nearly so urgent: something more urgent of his stands behind it. Without this a shop's
   * background work, waiting for a client's place, would keep its own interactive calls behind another shop's whole backlog.
   */
  urge(owner: string, priority: Priority): void;
}

export function createPrioritySemaphore(): PrioritySemaphore {
  const gates = new Map<string, Gate>();
  const byOwner = new Map<string, Set<Waiting>>();

  function wait(gate: Gate, { owner, priority }: Entry): Promise<void> {
    return new Promise((enter) => {
      const waiting = { owner, rank: PRIORITIES.indexOf(priority), enter };
      gate.waiting.push(waiting);
      byOwner.set(owner, (byOwner.get(owner) ?? new Set()).add(waiting));
    });
  }

  /** Takes out whoever is next. */
  function next(gate: Gate): Waiting | undefined {
    const best = Math.min(...gate.waiting.map(({ rank }) => rank));
    const index = gate.waiting.findIndex(({ rank }) => rank === best);
    const [first] = index < 0 ? [] : gate.waiting.splice(index, 1);
    if (!first) return undefined;
    const others = byOwner.get(first.owner);
    others?.delete(first);
    if (others?.size === 0) byOwner.delete(first.owner);
    return first;
  }

  function leave(key: string, gate: Gate): void {
    const first = next(gate);
    // The place goes from hand to hand; nobody can slip in between.
    if (first) return first.enter();
    gate.taken -= 1;
    if (gate.taken === 0) gates.delete(key);
  }

  return {
    async run(entry, job) {
      const gate = gates.get(entry.key) ?? { taken: 0, waiting: [] };
      gates.set(entry.key, gate);
      if (gate.taken < PLACES) gate.taken += 1;
      else await wait(gate, entry);
      try {
        await job();
      } finally {
        leave(entry.key, gate);
      }
    },
    urge(owner, priority) {
      const rank = PRIORITIES.indexOf(priority) + JUST_BEHIND;
      for (const waiting of byOwner.get(owner) ?? []) waiting.rank = Math.min(waiting.rank, rank);
    },
  };
}
