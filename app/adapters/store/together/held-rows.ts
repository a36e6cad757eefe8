import type { ListOptions, RowKeys, Table } from "../../../ports.ts";
import { checkPatch, checkRecord, checkWhere } from "../conformance.ts";
import { toColumn } from "../row.ts";
import type { TableSpec } from "../table-spec.ts";
import { TABLE_SPECS } from "../table-specs.ts";

/**
 * Rows that a group of small works has read, while its works change them in memory. What they changed is written in one statement a table
 * and kind of change (`statements.ts`). The group has the turns of its shops, so nobody else writes these rows meanwhile.
 */

export type Fields = Record<string, unknown>;

/** The unique key by which each table's rows are named. */
export const NAMED_BY = {
  shops: ["shop"],
  receipts: ["shop", "webhookId"],
  locations: ["shop", "locationId"],
  workItems: ["shop", "kind", "key"],
} as const satisfies Record<"shops" | keyof RowKeys, readonly string[]>;

export type HeldName = keyof typeof NAMED_BY;

export interface HeldRows {
  spec: TableSpec;
  /** The keys of the rows that may be asked for, each as the values of `NAMED_BY`. */
  named: Map<string, string[]>;
  /** As they were read. */
  loaded: Map<string, Fields>;
  /** As they are to be. */
  rows: Map<string, Fields>;
}

/** Undoes what was done last, first. */
export type Undo = (() => void)[];

export function holdRows(name: HeldName, keys: readonly Fields[]): HeldRows {
  const spec = specOf(name);
  const named = new Map<string, string[]>();
  for (const key of keys) {
    const values = NAMED_BY[name].map((field) => String(toColumn(spec, field, key[field])));
    named.set(textOf(values), values);
  }
  return { spec, named, loaded: new Map(), rows: new Map() };
}

function specOf(name: HeldName): TableSpec {
  return TABLE_SPECS[name] as unknown as TableSpec;
}

/** @param read the records of all named rows that are there. */
export function fillRows(name: HeldName, held: HeldRows, read: readonly Fields[]): void {
  for (const record of read) {
    const key = textOf(NAMED_BY[name].map((field) => String(record[field])));
    held.loaded.set(key, record);
    held.rows.set(key, record);
  }
}

/** The table as one small work sees it: of its shop, and of the rows that were named. Anything else is refused and noted by `refuse`. */
export function heldTable(
  { name, held, shop }: { name: HeldName; held: HeldRows; shop: string },
  { undo, refuse }: { undo: Undo; refuse: (why: string) => Error },
): Table<Fields> {
  const { spec, rows } = held;

  const put = (key: string, record: Fields) => {
    const before = rows.get(key);
    undo.push(() => (before ? rows.set(key, before) : rows.delete(key)));
    rows.set(key, record);
  };

  /** Those of the named rows that the condition can mean. */
  const meant = (where: Fields): [string, Fields][] => {
    checkWhere(spec, where);
    const own = { ...where, shop };
    if (where.shop !== undefined && where.shop !== shop) throw refuse("rows of another shop");
    const keys = keysIn(name, own);
    if (keys?.some((key) => !held.named.has(key))) throw refuse("rows that it did not name");
    const known = keys ? keys.filter((key) => rows.has(key)) : keysOfId(held, own);
    if (!keys && known.length === 0) throw refuse("rows that it did not name");
    return known
      .map((key): [string, Fields] => [key, rows.get(key)!])
      .filter(([, row]) => Object.entries(own).every(([field, asked]) => meets(row[field], asked, refuse)));
  };

  return {
    async find(where) {
      const [first] = meant(where);
      return first ? structuredClone(first[1]) : null;
    },
    async list(where, options: ListOptions<Fields> = {}) {
      if (Object.keys(options).length > 0) throw refuse("an order");
      const [primary] = spec.keys[0]!.filter((field) => field !== "shop");
      const found = meant(where).map(([, row]) => structuredClone(row));
      return found.sort((a, b) => (String(a[primary!]) < String(b[primary!]) ? -1 : 1));
    },
    async count(where) {
      return meant(where).length;
    },
    async insert(record) {
      checkRecord(spec, record);
      if (record.shop !== shop || name === "shops") throw refuse("a row of another shop");
      const [key] = keysIn(name, record)!;
      if (!held.named.has(key!)) throw refuse("a row that it did not name");
      if (rows.has(key!)) return false;
      put(key!, structuredClone(record));
      return true;
    },
    async update(where, patch) {
      checkPatch(spec, { where, patch });
      const changes = Object.entries(patch).filter(([, value]) => value !== undefined);
      if (name === "shops" || changes.some(([field]) => isIn(NAMED_BY[name], field)))
        throw refuse("a change of keys or of a shop");
      const found = meant(where);
      for (const [key, row] of found) put(key, { ...row, ...structuredClone(Object.fromEntries(changes)) });
      return found.length;
    },
    insertAll: () => Promise.reject(refuse("many rows at once")),
    delete: () => Promise.reject(refuse("to delete")),
  };
}

/** The keys that the condition names, as texts; null where it does not name whole ones. */
function keysIn(name: HeldName, where: Fields): string[] | null {
  const spec = specOf(name);
  let keys: string[][] = [[]];
  for (const field of NAMED_BY[name]) {
    const values = listed(where[field]);
    if (!values) return null;
    keys = keys.flatMap((key) => values.map((value) => [...key, String(toColumn(spec, field, value))]));
  }
  return keys.map(textOf);
}

/** The row with the primary key that the condition names, where it was read. */
function keysOfId({ spec, rows }: HeldRows, where: Fields): string[] {
  const primary = spec.keys[0]!;
  return [...rows].filter(([, row]) => primary.every((field) => row[field] === where[field])).map(([key]) => key);
}

function listed(condition: unknown): readonly unknown[] | null {
  if (typeof condition === "string") return [condition];
  const isList = typeof condition === "object" && condition !== null && "in" in condition;
  return isList ? (condition.in as readonly unknown[]) : null;
}

function meets(value: unknown, asked: unknown, refuse: (why: string) => Error): boolean {
  if (asked === null || typeof asked !== "object") return value === asked;
  const values = listed(asked);
  if (!values) throw refuse("more than equal values");
  return values.includes(value);
}

function isIn(fields: readonly string[], field: string): boolean {
  return fields.includes(field);
}

function textOf(values: readonly string[]): string {
  return JSON.stringify(values);
}
