import type { Clock, Random } from "../../../ports.ts";
import { FIRST_PAUSE_MS, LONGEST_SAID_MS, longestUnsaidMs } from "../pauses.ts";
import type { SlotsDatabase } from "./slots-database.ts";

/** Pauses of all processes: the database counts how long they grow, and this process remembers what it was told of them. */
export interface SharedPauses {
  /** Holds this process at once, and the others as soon as the database knows. */
  add(keys: string[], said: { ms: number | null; sentAtMonotonicMs: number }): void;
  /** The database said so. */
  learn(key: string, opensInMs: number): void;
  /** On the monotonic clock; `-Infinity` when there is no pause. */
  untilMs(keys: string[]): number;
}

const AGAIN_AFTER_FAILURE_MS = 250;
/** Looking through all that is remembered pays only when it is much. */
const MANY = 1_000;

interface Row {
  key: string;
  opens_in_ms: number;
}

export function createSharedPauses({
  database,
  clock,
  random,
}: {
  database: SlotsDatabase;
  clock: Clock;
  random: Random;
}): SharedPauses {
  const known = new Map<string, number>();

  function learn(key: string, opensInMs: number): void {
    if (opensInMs <= 0) return;
    const nowMs = clock.monotonicMs();
    if (known.size >= MANY) for (const [each, untilMs] of known) if (untilMs <= nowMs) known.delete(each);
    known.set(key, Math.max(known.get(key) ?? -Infinity, nowMs + opensInMs));
  }

  function tell(keys: string[], said: { ms: number | null; sentAtMonotonicMs: number }, untilMs: number): void {
    const agoMs = Math.round(clock.monotonicMs() - said.sentAtMonotonicMs);
    database.query<Row>(PAUSE, [keys, said.ms, agoMs, FIRST_PAUSE_MS, longestUnsaidMs(random.next())]).then(
      (rows) => rows.forEach(({ key, opens_in_ms }) => learn(key, opens_in_ms)),
      // When the pause is over, nobody needs to hear of it.
      () =>
        void (clock.monotonicMs() < untilMs && clock.after(AGAIN_AFTER_FAILURE_MS, () => tell(keys, said, untilMs))),
    );
  }

  return {
    add(keys, { ms, sentAtMonotonicMs }) {
      const saidMs = ms === null ? null : Math.min(Math.max(Math.ceil(ms), FIRST_PAUSE_MS), LONGEST_SAID_MS);
      const leastMs = saidMs ?? FIRST_PAUSE_MS;
      for (const key of keys) learn(key, leastMs);
      tell(keys, { ms: saidMs, sentAtMonotonicMs }, clock.monotonicMs() + leastMs);
    },
    learn,
    untilMs: (keys) => Math.max(-Infinity, ...keys.map((key) => known.get(key) ?? -Infinity)),
  };
}

const PAUSE = 'SELECT "key", "opens_in_ms" FROM budget.pause($1, $2, $3, $4, $5)';
