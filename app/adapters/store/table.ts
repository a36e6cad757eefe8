import type { Prisma, PrismaClient } from "@prisma/client";
import type { ListOptions, Table } from "../../ports.ts";
import { inParts, toPrismaOrder, toPrismaWhere } from "./conditions.ts";
import type { Keyring } from "./encryption.ts";
import { storeFault } from "./faults.ts";
import { insertStatement } from "./insert.ts";
import { checkPatch, checkRecord, checkWhere, misuse } from "./conformance.ts";
import { fromRow, toRow } from "./row.ts";
import { findStatement, updateStatement } from "./single-values.ts";
import type { TableSpec } from "./table-spec.ts";
import type { Unreadable } from "./unreadable.ts";

type Fields = Record<string, unknown>;

/** The methods that this file uses of any Prisma model. */
interface Delegate {
  findFirst(query: Fields): Promise<Fields | null>;
  findMany(query: Fields): Promise<Fields[]>;
  count(query: Fields): Promise<number>;
  updateMany(query: Fields): Promise<{ count: number }>;
  deleteMany(query: Fields): Promise<{ count: number }>;
}

export type Client = PrismaClient | Prisma.TransactionClient;

export interface TableInput {
  spec: TableSpec;
  keyring: Keyring;
  unreadable: Unreadable;
  /** What an insert locks of its shop's row, on a database where other processes write. */
  parentLock: string;
  /** The client to use now; throws when the table must not be used now. */
  client: () => Client;
  /** Runs one statement that writes, in its turn: in the transaction around it, or by itself. */
  writing: <T>(where: Fields, work: (client: Client) => Promise<T>) => Promise<T>;
  /** Awaited before each further slice of a long list; at once in a transaction, which others wait for. */
  betweenSlices: (taken: number) => Promise<void>;
  /** Runs several statements in one transaction: the one around them, or a new one. */
  atomically: <T>(where: Fields, work: (client: Client) => Promise<T>) => Promise<T>;
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
  client,
  writing,
  atomically,
  betweenSlices,
}: TableInput): Table<Fields> {
  const codec = { spec, keyring, unreadable };
  const read = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const current = client();
    return await work(current).catch((cause: unknown) => Promise.reject(storeFault(spec.model, cause)));
  };
  const use = <T>(work: (delegate: Delegate) => Promise<T>): Promise<T> =>
    read((current) => work(delegateOf(current, spec)));
  const write = async (where: Fields, work: (client: Client) => Promise<number>): Promise<number> => {
    client();
    return await writing(where, work).catch((cause: unknown) => Promise.reject(storeFault(spec.model, cause)));
  };
  return {
    async find(where) {
      checkWhere(spec, where);
      const statement = findStatement(spec, where);
      const [row = null] = statement
        ? await read((current) => current.$queryRaw<Fields[]>(statement))
        : [await use((delegate) => delegate.findFirst({ where: toPrismaWhere(spec, where) }))];
      return row && fromRow(codec, row);
    },
    async list(where, options: ListOptions<Fields> = {}) {
      checkWhere(spec, where);
      const orderBy = toPrismaOrder(spec, options);
      if (orderBy.length > 0) {
        const query = { where: toPrismaWhere(spec, where), orderBy, take: options.limit, skip: options.offset };
        return (await use((delegate) => delegate.findMany(query))).map((row) => fromRow(codec, row));
      }
      const records: Fields[] = [];
      let slices = 0;
      for (const part of inParts(where, SLICE))
        for (let last: Fields | null = null; ;) {
          if (slices > 0) await betweenSlices(slices);
          slices += 1;
          const query = { ...sliceAfter(spec, last), take: SLICE };
          const asked = { AND: [toPrismaWhere(spec, part), ...query.where] };
          const rows: Fields[] = await use((delegate) => delegate.findMany({ ...query, where: asked }));
          for (const row of rows) records.push(fromRow(codec, row));
          if (rows.length < SLICE) break;
          last = rows.at(-1)!;
        }
      return records;
    },
    async count(where) {
      checkWhere(spec, where);
      let sum = 0;
      for (const [at, part] of inParts(where, SLICE).entries()) {
        if (at > 0) await betweenSlices(at);
        sum += await use((delegate) => delegate.count({ where: toPrismaWhere(spec, part) }));
      }
      return sum;
    },
    async insert(record) {
      checkRecord(spec, record);
      const statement = insertStatement({ spec, parentLock }, [toRow(codec, record, record)]);
      return (await write(record, async (current) => current.$executeRaw(statement))) === 1;
    },
    async insertAll(records) {
      const [first] = records;
      if (!first) return 0;
      for (const record of records) checkRecord(spec, record);
      if (records.some(({ shop }) => shop !== first.shop)) throw misuse(spec, "rows of several shops at once");
      const rows = records.map((record) => toRow(codec, record, record));
      return write(first, async (current) => current.$executeRaw(insertStatement({ spec, parentLock }, rows)));
    },
    async update(where, patch) {
      checkWhere(spec, where);
      checkPatch(spec, { where, patch });
      const changes = Object.entries(patch).filter(([, value]) => value !== undefined);
      if (changes.length === 0) return use((delegate) => delegate.count({ where: toPrismaWhere(spec, where) }));
      if (!changes.some(([field, value]) => spec.fields[field]!.startsWith("secret") && value !== null)) {
        const data = toRow(codec, patch, {});
        const statement = updateStatement(spec, where, data);
        if (statement) return write(where, async (current) => current.$executeRaw(statement));
        const query = { where: toPrismaWhere(spec, where), data };
        return write(where, async (current) => (await delegateOf(current, spec).updateMany(query)).count);
      }
      client();
      return atomically(where, (inside) =>
        updateSecrets({ codec, delegate: delegateOf(inside, spec), where, patch }),
      ).catch((cause: unknown) => Promise.reject(storeFault(spec.model, cause)));
    },
    async delete(where) {
      checkWhere(spec, where);
      const query = { where: toPrismaWhere(spec, where) };
      return write(where, async (current) => (await delegateOf(current, spec).deleteMany(query)).count);
    },
  };
}

/** A slice in the order of the primary key, after a given row; from the first row without one. */
function sliceAfter(spec: TableSpec, last: Fields | null): { where: Fields[]; orderBy: Fields[] } {
  const primary = spec.keys[0]!;
  const orderBy = primary.map((field) => ({ [field]: "asc" }));
  if (!last) return { where: [], orderBy };
  const behind = primary.map((field, at) => ({
    ...Object.fromEntries(primary.slice(0, at).map((same) => [same, last[same]])),
    [field]: { gt: last[field] },
  }));
  return { where: [{ OR: behind }], orderBy };
}

/** A secret's ciphertext is bound to its row, so each row gets its own statement, with the same conditions. */
async function updateSecrets(input: {
  codec: { spec: TableSpec; keyring: Keyring };
  delegate: Delegate;
  where: Fields;
  patch: Fields;
}): Promise<number> {
  const { codec, delegate, patch } = input;
  const where = toPrismaWhere(codec.spec, input.where);
  const primary = codec.spec.keys[0]!;
  const select = Object.fromEntries(["shop", ...primary].map((field) => [field, true]));
  let changed = 0;
  for (const identity of await delegate.findMany({ where, select })) {
    const row = Object.fromEntries(primary.map((field) => [field, identity[field]]));
    const data = toRow(codec, patch, identity);
    changed += (await delegate.updateMany({ where: { AND: [where, row] }, data })).count;
  }
  return changed;
}

function delegateOf(client: Client, spec: TableSpec): Delegate {
  const name = spec.model.charAt(0).toLowerCase() + spec.model.slice(1);
  return (client as unknown as Record<string, Delegate>)[name]!;
}
