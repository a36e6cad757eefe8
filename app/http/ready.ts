import type { Clock, Table, Tables } from "../ports.ts";
import { askedOnce } from "./asked-once.ts";
import { TABLE_NAMES } from "./every-table.ts";

/**
 * Whether the process can be sent work, in parts. `/health` says whether it does its work and is for whoever restarts it; `/ready` says why
 * not yet, and is for whoever sends requests to it, or looks. A process whose keys are not the database's never listens, so neither is asked of it.
 */
export interface Ready {
  /** Never rejects, and answers within some seconds, whatever hangs. Asks at most every two seconds. */
  read(): Promise<Readiness>;
}

export interface Readiness {
  ready: boolean;
  parts: Record<Part, string>;
}

type Part = "store" | "migrations" | "lease" | "worker";

export interface ReadyInput {
  clock: Pick<Clock, "monotonicMs" | "after">;
  /** Reads a little; rejects when the store cannot be read. */
  askStore(): Promise<void>;
  /** A row of each is read: a column that this version lacks in the database shows there. */
  tables: Tables;
  lockIsOurs(): Promise<boolean>;
  /** How late the worker's loop is; null before it has begun. */
  workerLateMs(): number | null;
  isStopping(): boolean;
}

const KEPT_MS = 2_000;
export const OK = "ok";

export function createReady(input: ReadyInput): Ready {
  const { clock } = input;
  let last: { atMs: number; found: Readiness } | null = null;
  let looking: Promise<Readiness> | null = null;

  const storeWord = word(askedOnce(clock, () => input.askStore().then(() => OK)));
  const leaseWord = word(
    askedOnce(clock, () => input.lockIsOurs().then((isOurs) => (isOurs ? OK : "another process has the database"))),
  );
  const migrationsWord = word(askedOnce(clock, () => columnsWord(input.tables)));

  async function look(): Promise<Readiness> {
    const [store, lease] = await Promise.all([storeWord(), leaseWord()]);
    // Of a store that does not answer nobody knows which columns it has.
    const migrations = store === OK ? await migrationsWord() : "not known";
    const parts = { store, migrations, lease, worker: workerWord(input) };
    return { ready: Object.values(parts).every((word) => word === OK), parts };
  }

  return {
    async read() {
      if (last && clock.monotonicMs() - last.atMs < KEPT_MS) return last.found;
      looking ??= look().finally(() => (looking = null));
      const found = await looking;
      last = { atMs: clock.monotonicMs(), found };
      return found;
    },
  };
}

/** What a part says, or that it said nothing, in which case its fault is not told. */
function word(ask: () => Promise<string | Error>): () => Promise<string> {
  return async () => {
    const said = await ask();
    return said instanceof Error || said === "late" ? "no answer" : said;
  };
}

/** All columns of a row are read by name, so one that is missing fails. A fault is told without the database's words. */
async function columnsWord(tables: Tables): Promise<string> {
  const failed: string[] = [];
  for (const name of TABLE_NAMES) {
    const table = tables[name] as Pick<Table<object>, "list">;
    await table.list({}, { limit: 1 }).catch(() => failed.push(name));
  }
  return failed.length === 0 ? OK : `npm run migrate is missing for: ${failed.join(", ")}`;
}

function workerWord({ workerLateMs, isStopping }: ReadyInput): string {
  if (isStopping()) return "stopping";
  const lateMs = workerLateMs();
  if (lateMs === null) return "starting";
  return lateMs > 0 ? `its last turn is ${Math.round(lateMs / 1_000)} s overdue` : OK;
}
