import type { Clock, Log } from "../ports.ts";
import { askedOnce } from "./asked-once.ts";

/** What keeps the process from doing its work; null when nothing does. */
export type Unhealthy = "starting" | "stopping" | "lock" | "store" | "worker";

export interface Health {
  /** Whether the process does its work now. Never rejects, and asks the store and the file system once a second at most. */
  read(): Promise<Unhealthy | null>;
  /** Called when the worker has started. From now on the worker's lateness counts. */
  started(worker: { backByMs(): number }): void;
  /** The process was told to end. */
  stopping(): void;
}

export interface HealthInput {
  clock: Pick<Clock, "monotonicMs" | "after">;
  log: Log;
  /** Rejects when the store cannot be read. */
  askStore: () => Promise<void>;
  lockIsOurs: () => Promise<boolean>;
}

/** A reading within this time gets the last answer. */
const KEPT_MS = 1_000;

export function createHealth({ clock, log, askStore, lockIsOurs }: HealthInput): Health {
  let worker: { backByMs(): number } | null = null;
  let ending = false;
  let last: { atMs: number; found: Unhealthy | null } | null = null;
  let reading: Promise<Unhealthy | null> | null = null;

  const holdsLock = askedOnce(clock, lockIsOurs);
  const storeAnswers = askedOnce(clock, () => askStore().then(() => true));

  /** The cause comes before its effect: while the store does not answer, the worker is late, too. */
  const look = async (working: { backByMs(): number }): Promise<Unhealthy | null> => {
    const [ours, answers] = await Promise.all([holdsLock(), storeAnswers()]);
    if (ours !== true) return tell("lock", ours);
    if (answers !== true) return tell("store", answers);
    const lateMs = clock.monotonicMs() - working.backByMs();
    return tell(lateMs > 0 ? "worker" : null, { lateMs });
  };

  /** Only a change is logged. */
  const tell = (found: Unhealthy | null, why: unknown): Unhealthy | null => {
    if (found === (last?.found ?? null)) return found;
    if (found) log.error({ reason: found, ...(why instanceof Error ? { error: why } : { why }) }, "unhealthy");
    else log.info({}, "healthy again");
    return found;
  };

  return {
    async read() {
      if (!ending && worker && !(last && clock.monotonicMs() - last.atMs < KEPT_MS)) {
        reading ??= look(worker).finally(() => (reading = null));
        const found = await reading;
        last = { atMs: clock.monotonicMs(), found };
      }
      if (ending) return "stopping";
      return last ? last.found : "starting";
    },
    started(begun) {
      worker = begun;
    },
    stopping() {
      ending = true;
    },
  };
}
