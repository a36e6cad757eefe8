import { checkPatch, checkRecord, checkWhere, misuse } from "../../app/adapters/store/conformance.ts";
import { withoutNul } from "../../app/adapters/store/row.ts";
import type { TableSpec } from "../../app/adapters/store/table-spec.ts";
import { compare, meetsAll, testsOf } from "./memory-conditions.ts";
import { isSecret } from "../../app/domain/secret.ts";
import type { ListOptions } from "../../app/ports.ts";

type Fields = Record<string, unknown>;

/** Undoes one change. */
export type Undo = () => void;

/** A row that was inserted (no `before`), deleted (no `after`) or changed. The rows are the table's own, for reading only. */
export interface RowChange {
  before: Readonly<Fields> | null;
  after: Readonly<Fields> | null;
}

/**
 * The rows of one table. A row is never changed, only replaced, and every change returns a function that undoes it. So a transaction is
 * rolled back by undoing its changes, without a copy of the table.
 */
export class MemoryTable {
  readonly spec: TableSpec;
  readonly #rows = new Set<Fields>();
  readonly #indexes: Index[];
  readonly #objects: readonly string[];
  readonly #tell: (change: RowChange) => void;

  /** `tell` is called with every change, but not with one that undoes another. */
  constructor(spec: TableSpec, tell: (change: RowChange) => void = () => undefined) {
    this.spec = spec;
    this.#tell = tell;
    const ofAll = spec.keys.map((fields) => ({ fields, only: null, rows: new Map() }));
    const ofSome = (spec.partialKeys ?? []).map(({ key, ...only }) => ({ fields: key, only, rows: new Map() }));
    this.#indexes = [...ofAll, ...ofSome];
    this.#objects = Object.keys(spec.fields).filter((field) => spec.fields[field]!.startsWith("json"));
  }

  /** The rows themselves, for observers. For reading only. */
  rows(): ReadonlySet<Readonly<Fields>> {
    return this.#rows;
  }

  find(where: Fields): Fields | null {
    const [row] = this.#matching(where, 1);
    return row ? this.#copy(row) : null;
  }

  list(where: Fields, options: ListOptions<Fields>): Fields[] {
    const from = options.offset ?? 0;
    const to = options.limit === undefined ? Infinity : from + options.limit;
    const rows = this.#ordered(this.#matching(where), options, to);
    return (from === 0 && to >= rows.length ? rows : rows.slice(from, to)).map((row) => this.#copy(row));
  }

  count(where: Fields): number {
    return this.#matching(where).length;
  }

  /** Null when a unique key is taken. */
  insert(record: Fields): Undo | null {
    checkRecord(this.spec, record);
    const row = this.#copy(this.#spelled(record));
    if (this.#indexes.some((index) => taken(index, row))) return null;
    this.#add(row);
    this.#tell({ before: null, after: row });
    return () => this.#remove(row);
  }

  update(where: Fields, patch: Fields): { count: number; undo: Undo } {
    checkPatch(this.spec, { where, patch });
    const spoken = this.#spelled(Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)));
    const undos: Undo[] = [];
    const changes: RowChange[] = [];
    const undo = () => {
      for (const step of undos.reverse()) step();
    };
    for (const row of this.#matching(where)) {
      const next = this.#copy({ ...row, ...spoken });
      if (this.#indexes.some((index) => (taken(index, next) ?? row) !== row)) {
        undo();
        throw misuse(this.spec, "an update takes a unique key that is taken");
      }
      this.#remove(row);
      this.#add(next);
      changes.push({ before: row, after: next });
      undos.push(() => {
        this.#remove(next);
        this.#add(row);
      });
    }
    for (const change of changes) this.#tell(change);
    return { count: undos.length, undo };
  }

  delete(where: Fields): { count: number; undo: Undo } {
    const rows = this.#matching(where);
    for (const row of rows) {
      this.#remove(row);
      this.#tell({ before: row, after: null });
    }
    return {
      count: rows.length,
      undo: () => {
        for (const row of rows) this.#add(row);
      },
    };
  }

  #add(row: Fields): void {
    this.#rows.add(row);
    for (const index of this.#indexes) if (holds(index, row)) index.rows.set(keyOf(index.fields, row), row);
  }

  #remove(row: Fields): void {
    this.#rows.delete(row);
    for (const index of this.#indexes) if (holds(index, row)) index.rows.delete(keyOf(index.fields, row));
  }

  /** The rows in the order asked for, the first `most` at least. */
  #ordered(rows: Fields[], { orderBy, limit, offset }: ListOptions<Fields>, most: number): Fields[] {
    if (rows.length < 2) return rows;
    const asked = Object.entries(orderBy ?? {}).filter(([, direction]) => direction !== undefined);
    if (asked.length === 0 && limit === undefined && offset === undefined) return rows;
    const fields = [...asked.map(([field]) => field), ...this.spec.keys[0]!];
    const signs = fields.map((_, index) => (asked[index]?.[1] === "desc" ? -1 : 1));
    const order = (a: Fields, b: Fields) => {
      for (let index = 0; index < fields.length; index += 1) {
        const difference = compare(a[fields[index]!], b[fields[index]!]);
        if (difference !== 0) return difference * signs[index]!;
      }
      return 0;
    };
    return most <= FEW ? firstOf(rows, most, order) : rows.sort(order);
  }

  /** Rows that meet every condition, `most` at most. A story asks this millions of times: plain loops, and nothing made for each row. */
  #matching(where: Fields, most = Infinity): Fields[] {
    checkWhere(this.spec, where);
    where = this.#spelled(where);
    const tests = testsOf(where);
    const found: Fields[] = [];
    for (const row of this.#candidates(where)) {
      if (!meetsAll(row, tests)) continue;
      found.push(row);
      if (found.length === most) break;
    }
    return found;
  }

  #candidates(where: Fields): Iterable<Fields> {
    const index = this.#indexes.find(
      ({ fields, only }) => !only && fields.every((field) => typeof where[field] === "string"),
    );
    if (!index) return this.#rows;
    const known = index.rows.get(keyOf(index.fields, where));
    return known ? [known] : [];
  }

  /** As every store keeps texts, and looks for them. Objects are kept as they are. */
  #spelled(fields: Fields): Fields {
    let spelled = fields;
    for (const field of Object.keys(fields)) {
      const value = fields[field];
      if (hasNul(value) && !this.#objects.includes(field)) spelled = { ...spelled, [field]: withoutAnyNul(value) };
    }
    return spelled;
  }

  #copy(row: Fields): Fields {
    const copy = { ...row };
    for (const field of this.#objects) copy[field] = copyJson(copy[field]);
    return copy;
  }
}

/** A unique key's rows; with `only`, of those rows alone that have its value. */
interface Index {
  fields: readonly string[];
  only: { field: string; value: unknown } | null;
  rows: Map<string, Fields>;
}

/** Rows with a null in a key are all different. */
function holds({ fields, only }: Index, row: Fields): boolean {
  return (!only || row[only.field] === only.value) && fields.every((field) => row[field] !== null);
}

/** The row that has the key already. */
function taken(index: Index, row: Fields): Fields | undefined {
  return holds(index, row) ? index.rows.get(keyOf(index.fields, row)) : undefined;
}

function keyOf(fields: readonly string[], row: Fields): string {
  let key = "";
  for (const field of fields) key += `${row[field]}\u0000`;
  return key;
}

/** The worker asks for the first one, or four, each time it looks for work: for so few the others are not sorted. */
const FEW = 4;

function firstOf(rows: readonly Fields[], most: number, order: (a: Fields, b: Fields) => number): Fields[] {
  const first: Fields[] = [];
  for (const row of rows) {
    let at = first.length;
    while (at > 0 && order(row, first[at - 1]!) < 0) at -= 1;
    if (at === most) continue;
    first.splice(at, 0, row);
    if (first.length > most) first.pop();
  }
  return first;
}

/** A text, or a condition on one. */
function hasNul(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\0");
  // A secret shows no fields.
  return typeof value === "object" && value !== null && Object.values(value).some(hasNul);
}

function withoutAnyNul(value: unknown): unknown {
  if (typeof value === "string") return withoutNul(value);
  if (Array.isArray(value)) return value.map(withoutAnyNul);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutAnyNul(one)]));
}

/** The value as JSON would return it, without undefined properties. */
function copyJson(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : copyJson(item)));
  if (isSecret(value)) return value.toJSON();
  const copy: Fields = {};
  for (const key in value) {
    const item = (value as Fields)[key];
    if (item !== undefined) copy[key] = copyJson(item);
  }
  return copy;
}
