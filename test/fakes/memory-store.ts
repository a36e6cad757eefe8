import { AsyncLocalStorage } from "node:async_hooks";
import type { TableSpec } from "../../app/adapters/store/table-spec.ts";
import { TABLE_SPECS, type TableName } from "../../app/adapters/store/table-specs.ts";
import { failedOnce, type Calls } from "../../app/adapters/store/transactions/failed-once.ts";
import { ofOneShop } from "../../app/adapters/store/transactions/one-shop.ts";
import { AppError } from "../../app/domain/errors.ts";
import type { ListOptions, Store, Table, Tables } from "../../app/ports.ts";
import { createMemoryPostalCodes } from "./memory-postal-codes.ts";
import { MemoryTable, type RowChange, type Undo } from "./memory-table.ts";

/** A store in memory that passes the same battery as Prisma's; fast enough for a simulation. */

type Fields = Record<string, unknown>;
type MemoryTables = Record<TableName, MemoryTable>;
type Turn = <T>(work: (undos: Undo[]) => T) => Promise<T>;

const never = (): Promise<never> => new Promise(() => undefined);
const NAMES = Object.keys(TABLE_SPECS) as TableName[];

export interface MemoryStore extends Store {
  /**
   * The process with this handle dies. Its open transaction is rolled back, and no call of the handle ever answers, whenever it was made.
   * Other handles of the same database go on.
   */
  crash(): void;
  /** Shops whose Shopify sessions were forgotten, in order. */
  readonly forgotten: readonly string[];
}

export interface MemoryDatabase {
  /** A handle for one process. */
  open(): MemoryStore;
  /** A table's rows as they are now, with those of an open transaction. For reading at once only. */
  rows<N extends TableName>(name: N): ReadonlySet<Readonly<RecordOf<N>>>;
}

export type RecordOf<N extends TableName> = Tables[N] extends Table<infer R> ? R : never;

/** The committed change of one row. */
export type StoredChange = {
  [N in TableName]: { table: N; before: Readonly<RecordOf<N>> | null; after: Readonly<RecordOf<N>> | null };
}[TableName];

export interface MemoryDatabaseOptions {
  /** Called with what was committed, one transaction at a time. */
  committed?: (changes: StoredChange[]) => void;
  /** Called when Shopify's sessions of a shop are to be forgotten, because they are stored elsewhere. */
  forgot?: (shop: string) => void;
}

export function createMemoryStore(): MemoryStore {
  return createMemoryDatabase().open();
}

interface Running {
  owner: object;
  undos: Undo[];
  changes: StoredChange[];
  /** Shops whose sessions are forgotten when the transaction ends. */
  forgets: string[];
  open: boolean;
  ended: Promise<void>;
  end: () => void;
}

export function createMemoryDatabase({ committed, forgot }: MemoryDatabaseOptions = {}): MemoryDatabase {
  /** The list into which changes go now: the transaction's, or one that is committed at once. */
  let changes: StoredChange[] = [];
  const hear = (name: TableName) => (change: RowChange) =>
    void changes.push({ table: name, ...change } as unknown as StoredChange);
  /** A call outside a transaction is committed at once and as a whole. */
  const told = <T>(work: () => T): T => {
    changes = [];
    const result = work();
    if (changes.length > 0) committed?.(changes);
    return result;
  };
  const tables = Object.fromEntries(
    NAMES.map((name) => [
      name,
      new MemoryTable(TABLE_SPECS[name] as unknown as TableSpec, committed ? hear(name) : undefined),
    ]),
  ) as MemoryTables;
  const postalCodes = createMemoryPostalCodes();
  const forgotten: string[] = [];
  const forget = (shop: string) => {
    forgotten.push(shop);
    forgot?.(shop);
  };
  const inside = new AsyncLocalStorage<Running>();
  let running: Running | null = null;

  const eraseRows = (shop: string): Undo[] => NAMES.map((name) => tables[name].delete({ shop }).undo);

  /** Null when a unique key is taken or the parent is gone. */
  const insert = (name: TableName, record: Fields): Undo | null => {
    const orphan = name !== "shops" && tables.shops.count({ shop: record.shop }) === 0;
    return orphan ? null : tables[name].insert(record);
  };

  const remove = (name: TableName, where: Fields): { count: number; undo: Undo } => {
    if (name !== "shops") return tables[name].delete(where);
    const shops = tables.shops.list(where, {}).map((row) => row.shop as string);
    const undos = shops.flatMap(eraseRows);
    return { count: shops.length, undo: () => undos.reverse().forEach((undo) => undo()) };
  };

  /** One table's methods. `when` runs a function in its turn, and gives it the list that collects the undo functions. */
  const tableOf = (name: TableName, when: Turn): Table<Fields> => ({
    find: (where) => when(() => tables[name].find(where)),
    list: (where, options: ListOptions<Fields> = {}) => when(() => tables[name].list(where, options)),
    count: (where) => when(() => tables[name].count(where)),
    insert: (record) =>
      when((undos) => {
        const undo = insert(name, record);
        if (undo) undos.push(undo);
        return undo !== null;
      }),
    insertAll: (records) =>
      when((undos) => {
        const made = records.flatMap((record) => insert(name, record) ?? []);
        undos.push(...made);
        return made.length;
      }),
    update: (where, patch) =>
      when((undos) => {
        const { count, undo } = tables[name].update(where, patch);
        undos.push(undo);
        return count;
      }),
    delete: (where) =>
      when((undos) => {
        const { count, undo } = remove(name, where);
        undos.push(undo);
        return count;
      }),
  });

  const tablesOf = (when: Turn): Tables =>
    Object.fromEntries(NAMES.map((name) => [name, tableOf(name, when)])) as unknown as Tables;

  const open = (): MemoryStore => {
    const owner = {};
    let dead = false;

    /** The work must begin right at the end of the wait, or a transaction could slip in between. */
    const whenIdle: Turn = async (work) => {
      if (inside.getStore()?.open) throw internal("inside a transaction, use only the tables handed in");
      while (running) await running.ended;
      return dead ? never() : told(() => work([]));
    };

    const begin = (): Running => {
      let end: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      return { owner, undos: [], changes: [], forgets: [], open: true, ended, end };
    };

    const finish = (transaction: Running, keep: boolean): void => {
      transaction.open = false;
      if (!keep) for (const undo of transaction.undos.reverse()) undo();
      else if (transaction.changes.length > 0) committed?.(transaction.changes);
      if (keep) transaction.forgets.forEach(forget);
      running = null;
      transaction.end();
    };

    const within =
      (current: Running): Turn =>
      async (work) => {
        if (dead) return never();
        if (!current.open) throw internal("the transaction is over");
        changes = current.changes;
        return work(current.undos);
      };

    const transaction: Store["transaction"] = async (shop, work) => {
      const current = await whenIdle(() => (running = begin()));
      try {
        const calls: Calls = { failure: null };
        const forgetSessions = async (shop: string) => void current.forgets.push(shop);
        // One transaction runs at a time.
        const takeTemplate = async () => undefined;
        const all = { ...tablesOf(within(current)), forgetSessions, takeTemplate };
        const result = await inside.run(current, () =>
          work(failedOnce(calls, shop === null ? all : ofOneShop(shop, all))),
        );
        if (dead) return await never();
        if (calls.failure) throw calls.failure.error;
        finish(current, true);
        return result;
      } catch (error) {
        if (dead) return await never();
        finish(current, false);
        throw error;
      }
    };

    return {
      ...tablesOf(whenIdle),
      transaction,
      postalCodes: postalCodes.open(() => dead),
      eraseShop: (shop, only = {}) =>
        whenIdle(() => {
          const there = tables.shops.count({ ...only, shop }) > 0;
          if (!there && Object.keys(only).length > 0) return false;
          forget(shop);
          eraseRows(shop);
          return there;
        }),
      crash() {
        dead = true;
        if (running?.owner === owner) finish(running, false);
      },
      forgotten,
    };
  };

  return { open, rows: (name) => tables[name].rows() as never };
}

function internal(message: string): AppError {
  return new AppError({ kind: "internal", message: `store: ${message}` });
}
