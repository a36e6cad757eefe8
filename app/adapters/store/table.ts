import type { ListOptions, Table } from "../../ports.ts";
import { inParts } from "./statements/conditions.ts";
import type { Keyring } from "./encryption.ts";
import { storeFault } from "./faults.ts";
import { checkPatch, checkRecord, checkWhere, misuse } from "./conformance.ts";
import { fromRow, toRow } from "./row.ts";
import type { Row, Runner } from "./statements/statement.ts";
import {
  countStatement,
  deleteStatement,
  insertStatement,
  keyOrder,
  orderOf,
  selectStatement,
  updateStatement,
} from "./statements/compose.ts";
import type { TableSpec } from "./table-spec.ts";
import type { Unreadable } from "./unreadable.ts";

type Fields = Record<string, unknown>;

export interface TableInput {
  spec: TableSpec;
  keyring: Keyring;
  unreadable: Unreadable;
  /** What an insert locks of its shop's row, on a database where other processes write. */
  parentLock: string;
  /** What runs statements now; throws when the table must not be used now. */
  runner: () => Runner;
  /** Runs one statement that writes, in its turn: in the transaction around it, or by itself. */
  writing: <T>(where: Fields, work: (runner: Runner) => Promise<T>) => Promise<T>;
  /** Awaited before each further slice of a long list; at once in a transaction, which others wait for. */
  betweenSlices: (taken: number) => Promise<void>;
  /** Runs several statements in one transaction: the one around them, or a new one. */
  atomically: <T>(where: Fields, work: (runner: Runner) => Promise<T>) => Promise<T>;
}

/**
 * Rows read at once. Reading is synchronous down to the database, so thousands of rows are read in slices, with a turn of the event loop
 * between them. A row that is written meanwhile may appear in a later slice.
 */
const SLICE = 250;

export function createTable({
  spec,
  keyring,
  unreadable,
  parentLock,
  runner,
  writing,
  atomically,
  betweenSlices,
}: TableInput): Table<Fields> {
  const codec = { spec, keyring, unreadable };
  const guarded = <T>(work: Promise<T>): Promise<T> =>
    work.catch((cause: unknown) => Promise.reject(storeFault(spec.model, cause)));
  const count = async (where: Fields): Promise<number> => {
    const [row] = await guarded(runner().rows(countStatement(spec, where)));
    return Number(row!.count);
  };
  const write = async (where: Fields, work: (runner: Runner) => Promise<number>): Promise<number> => {
    runner();
    return guarded(writing(where, work));
  };
  return {
    async find(where) {
      checkWhere(spec, where);
      const [row] = await guarded(runner().rows(selectStatement(spec, { where, limit: 1 })));
      return row ? fromRow(codec, row) : null;
    },
    async list(where, options: ListOptions<Fields> = {}) {
      checkWhere(spec, where);
      const order = orderOf(spec, options);
      if (order !== "") {
        const { limit, offset } = options;
        const rows = await guarded(runner().rows(selectStatement(spec, { where, order, limit, offset })));
        return rows.map((row) => fromRow(codec, row));
      }
      const records: Fields[] = [];
      let slices = 0;
      for (const part of inParts(where, SLICE))
        for (let after: Row | null = null; ;) {
          if (slices > 0) await betweenSlices(slices);
          slices += 1;
          const slice = selectStatement(spec, { where: part, order: keyOrder(spec), after, limit: SLICE });
          const rows: Row[] = await guarded(runner().rows(slice));
          for (const row of rows) records.push(fromRow(codec, row));
          if (rows.length < SLICE) break;
          after = rows.at(-1)!;
        }
      return records;
    },
    async count(where) {
      checkWhere(spec, where);
      let sum = 0;
      for (const [at, part] of inParts(where, SLICE).entries()) {
        if (at > 0) await betweenSlices(at);
        sum += await count(part);
      }
      return sum;
    },
    async insert(record) {
      checkRecord(spec, record);
      const statement = insertStatement({ spec, parentLock }, [toRow(codec, record, record)]);
      return (await write(record, (current) => current.write(statement))) === 1;
    },
    async insertAll(records) {
      const [first] = records;
      if (!first) return 0;
      for (const record of records) checkRecord(spec, record);
      if (records.some(({ shop }) => shop !== first.shop)) throw misuse(spec, "rows of several shops at once");
      const rows = records.map((record) => toRow(codec, record, record));
      return write(first, (current) => current.write(insertStatement({ spec, parentLock }, rows)));
    },
    async update(where, patch) {
      checkWhere(spec, where);
      checkPatch(spec, { where, patch });
      const changes = Object.entries(patch).filter(([, value]) => value !== undefined);
      if (changes.length === 0) return count(where);
      if (!changes.some(([field, value]) => spec.fields[field]!.startsWith("secret") && value !== null)) {
        const statement = updateStatement(spec, { where, row: toRow(codec, patch, {}) });
        return write(where, (current) => current.write(statement));
      }
      runner();
      return guarded(atomically(where, (inside) => updateSecrets({ codec, runner: inside, where, patch })));
    },
    async delete(where) {
      checkWhere(spec, where);
      return write(where, (current) => current.write(deleteStatement(spec, where)));
    },
  };
}

/** A secret's ciphertext is bound to its row, so each row gets its own statement, with the same conditions. */
async function updateSecrets(input: {
  codec: { spec: TableSpec; keyring: Keyring };
  runner: Runner;
  where: Fields;
  patch: Fields;
}): Promise<number> {
  const { codec, runner, where, patch } = input;
  const { spec } = codec;
  const primary = spec.keys[0]!;
  let changed = 0;
  for (const identity of await runner.rows(selectStatement(spec, { where, fields: ["shop", ...primary] }))) {
    const own = Object.fromEntries(primary.map((field) => [field, identity[field]]));
    changed += await runner.write(
      updateStatement(spec, { where: { ...where, ...own }, row: toRow(codec, patch, identity) }),
    );
  }
  return changed;
}
