import { createSharedClock } from "../../../app/adapters/machine/shared-clock.ts";
import type { SlotsDatabase } from "../../../app/adapters/shipping/slots/slots-database.ts";
import type { ProcessClock, Store } from "../../../app/ports.ts";
import { QUIET } from "../../fakes/app-process.ts";
import type { VirtualClock } from "../../fakes/clock.ts";
import { createMachine, type VirtualMachine } from "../../fakes/machine.ts";
import { createMemorySharedWork } from "../../fakes/cluster/shared-work.ts";
import { createMemorySlots } from "../../fakes/cluster/slots.ts";
import type { MemoryDatabase, MemoryStore } from "../../fakes/memory-store.ts";
import type { SeededRandom } from "../../fakes/random.ts";
import type { Life } from "./sim-process.ts";
import type { Tally } from "./tally.ts";
import type { Timeline } from "./timeline.ts";

/**
 * Several processes, each on a machine of its own and with a budget, a store and clocks of its own, over what one PostgreSQL database
 * promises: its rows, its slots, its line of work, its time. Machines' clocks are wrong, notices are lost, the server crashes.
 */
export interface Cluster {
  /** Where each process runs. */
  machines: VirtualMachine[];
  /** What a process that begins opens. */
  open(life: Life, handle: MemoryStore): { store: Store; slotsDatabase: SlotsDatabase; clock: Promise<ProcessClock> };
  /** What befalls the database, for as long as the story's troubles last. */
  befall(lastsMs: number): void;
}

const [CRASHES, NOTICE_LOST] = ["database: its server crashes", "database: a notice is lost"] as const;
export const CLUSTER_KINDS = ["process: beside others, over one database", CRASHES, NOTICE_LOST];

const WRONG_BY_MS = [0, 0, 3_600_000, -3_600_000, 40_000, 86_400_000] as const;
const NOTICES_LOST = 0.05;

export function createCluster(parts: {
  clock: VirtualClock;
  random: SeededRandom;
  database: MemoryDatabase;
  tally: Tally;
  timeline: Timeline;
}): Cluster {
  const { clock, random, database, tally, timeline } = parts;
  const notices = random.fork("notices");
  const troubles = random.fork("database");
  const isCurrent = (id: string, version: number) =>
    [...database.rows("connections")].some((row) => row.id === id && row.version === version);
  const slots = createMemorySlots({ clock, isCurrent });
  const isLost = () => {
    const lost = notices.chance(NOTICES_LOST);
    if (lost) tally.count(NOTICE_LOST);
    return lost;
  };
  const line = createMemorySharedWork({ nowMs: () => clock.nowMs(), isLost });
  const machines = Array.from({ length: random.between(2, 3) }, () => {
    const machine = createMachine(clock);
    machine.jump(random.pick(WRONG_BY_MS));
    // A timer counts whole milliseconds, as Node's does; parts of them would add up to nothing in the story's large numbers.
    return { ...machine, after: (ms: number, call: () => void) => machine.after(Math.ceil(ms), call) };
  });

  return {
    machines,
    open(life, handle) {
      const store = { ...handle, shared: line.open({ store: handle, after: life.clock.after }) };
      const askMs = () => life.call(async () => clock.nowMs());
      return {
        store,
        slotsDatabase: slots.open(),
        clock: createSharedClock({ machine: life.machine, askMs, log: QUIET }),
      };
    },
    befall(lastsMs) {
      if (!troubles.chance(0.4)) return;
      clock.after(troubles.between(2_000, lastsMs), () => {
        tally.count(CRASHES);
        timeline.tell("machine", () => "the database's server crashes, and all slots are gone");
        slots.crash();
      });
    },
  };
}
