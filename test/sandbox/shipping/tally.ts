/** Counts of what the stand-in saw. */
import type { AddressBook, Effects } from "./address-book.ts";
import type { ArrivalCount, Arrivals } from "./arrivals.ts";
import type { Duplicates } from "./duplicates.ts";
import type { Operation } from "./routing.ts";

type OperationCounts = Partial<Record<Operation | "unknown", number>>;

export interface Tally {
  call(operation: Operation | "unknown", client: string): void;
  /** The answer's status; null when none was given. */
  answered(status: number | null): void;
  refusedOverRate(): void;
  callsByOperation(): OperationCounts;
  callsByClient(): Record<string, OperationCounts>;
  answersByStatus(): Record<string, number>;
  overRate(): number;
}

export function createTally(): Tally {
  const byOperation: OperationCounts = {};
  const byClient: Record<string, OperationCounts> = {};
  const byStatus: Record<string, number> = {};
  let overRate = 0;
  return {
    call(operation, client) {
      byOperation[operation] = (byOperation[operation] ?? 0) + 1;
      const counts = (byClient[client] ??= {});
      counts[operation] = (counts[operation] ?? 0) + 1;
    },
    answered(status) {
      const name = status === null ? "none" : String(status);
      byStatus[name] = (byStatus[name] ?? 0) + 1;
    },
    refusedOverRate() {
      overRate++;
    },
    callsByOperation: () => ({ ...byOperation }),
    callsByClient: () => structuredClone(byClient),
    answersByStatus: () => ({ ...byStatus }),
    overRate: () => overRate,
  };
}

export interface Report extends Effects {
  seed: number;
  uptimeMs: number;
  up: boolean;
  calls: number;
  callsByOperation: OperationCounts;
  /** By `environment:clientId`; `environment:unknown` when nothing named the client. */
  callsByClient: Record<string, OperationCounts>;
  answersByStatus: Record<string, number>;
  /** The most arrivals of one client in any sliding second. */
  mostInSecond: number;
  /** Sliding seconds, over all clients, that held more than the limit. */
  secondsOverLimit: number;
  /** Calls answered 429 for the rate (storms on demand are under `faults`). */
  refusedOverRate: number;
  arrivals: Record<string, ArrivalCount>;
  duplicates: Duplicates;
  templatesAlive: number;
  /** Faults that struck, by kind. */
  faults: Record<string, number>;
  /** Effects that will still happen. */
  pendingEffects: number;
}

export interface ReportParts {
  seed: number;
  startedAtMs: number;
  up: boolean;
  arrivals: Arrivals;
  book: AddressBook;
  tally: Tally;
  struck: Record<string, number>;
  pendingEffects: number;
}

export function buildReport(parts: ReportParts): Report {
  const { tally, book } = parts;
  const arrivals = parts.arrivals.counts();
  const counts = Object.values(arrivals);
  const callsByOperation = tally.callsByOperation();
  return {
    seed: parts.seed,
    uptimeMs: Math.round(performance.now() - parts.startedAtMs),
    up: parts.up,
    calls: Object.values(callsByOperation).reduce((sum, count) => sum + count, 0),
    callsByOperation,
    callsByClient: tally.callsByClient(),
    answersByStatus: tally.answersByStatus(),
    mostInSecond: counts.reduce((most, count) => Math.max(most, count.mostInSecond), 0),
    secondsOverLimit: counts.reduce((sum, count) => sum + count.secondsOver, 0),
    refusedOverRate: tally.overRate(),
    arrivals,
    duplicates: book.duplicates(),
    ...book.effects(),
    templatesAlive: book.all().length,
    faults: parts.struck,
    pendingEffects: parts.pendingEffects,
  };
}
