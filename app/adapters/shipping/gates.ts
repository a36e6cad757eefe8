import { PRIORITIES, type Priority } from "../../ports.ts";

/** Two places behind each key: the most urgent goes first, then whoever came first. A key nobody uses takes no room. */

const PLACES = 2;

interface Gate {
  taken: number;
  /** By priority; each lets one in. */
  waiting: Record<Priority, (() => void)[]>;
}

export interface Gates {
  /** Runs the job with a place in hand, which is free when its promise ends. */
  run(key: string, priority: Priority, job: () => Promise<void>): Promise<void>;
}

export function createGates(): Gates {
  const gates = new Map<string, Gate>();

  function gateOf(key: string): Gate {
    const gate = gates.get(key) ?? {
      taken: 0,
      waiting: { interactive: [], sync: [], verification: [], reconcile: [] },
    };
    gates.set(key, gate);
    return gate;
  }

  function leave(key: string, gate: Gate): void {
    const urgent = PRIORITIES.find((priority) => gate.waiting[priority].length > 0);
    const next = urgent && gate.waiting[urgent].shift();
    // The place goes from hand to hand; nobody can slip in between.
    if (next) return next();
    gate.taken -= 1;
    if (gate.taken === 0) gates.delete(key);
  }

  return {
    async run(key, priority, job) {
      const gate = gateOf(key);
      if (gate.taken < PLACES) gate.taken += 1;
      else await new Promise<void>((enter) => gate.waiting[priority].push(enter));
      try {
        await job();
      } finally {
        leave(key, gate);
      }
    },
  };
}
