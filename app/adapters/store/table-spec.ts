import type { Secret } from "../../domain/secret.ts";

/** How the fields of a record are stored. Their kinds follow from the record's types, so that a wrong kind does not compile. */

type BaseKind<K, V> = [V] extends [Secret]
  ? "secret"
  : [V] extends [string]
    ? "text"
    : [V] extends [boolean]
      ? "boolean"
      : [V] extends [number]
        ? K extends `${string}Ms`
          ? "time"
          : "int"
        : "json";

/** A `?` marks a field that may be null. */
type KindOf<K, V> = null extends V ? `${BaseKind<K, NonNullable<V>>}?` : BaseKind<K, V>;

export type BaseFieldKind = "text" | "boolean" | "int" | "time" | "json" | "secret";
export type FieldKind = BaseFieldKind | `${BaseFieldKind}?`;

export interface TableSpec<R = Record<string, unknown>> {
  /** The Prisma model; also the name of the SQL table, unless `table` names another. */
  model: string;
  /** The table's name on disk. */
  table?: string;
  /** Columns whose names on disk differ from their fields' names. */
  columns?: Readonly<Partial<Record<keyof R & string, string>>>;
  /** The unique keys; the first is the primary key. Rows with a null in a key are all different. */
  keys: readonly (readonly (keyof R & string)[])[];
  /** Unique keys among the rows that have this value in this field. */
  partialKeys?: readonly { key: readonly (keyof R & string)[]; field: keyof R & string; value: string | boolean }[];
  fields: Readonly<Record<keyof R & string, FieldKind>>;
}

export type CheckedSpec<R> = TableSpec<R> & { fields: { readonly [K in keyof R & string]-?: KindOf<K, R[K]> } };

export function baseKind(kind: FieldKind): BaseFieldKind {
  return kind.replace("?", "") as BaseFieldKind;
}

/** The field's column, quoted for a statement. */
export function columnOf(spec: TableSpec, field: string): string {
  return `"${spec.columns?.[field] ?? field}"`;
}

/** The table's name on disk, quoted for a statement. */
export function tableOf(spec: TableSpec): string {
  return `"${spec.table ?? spec.model}"`;
}

export function isNullable(kind: FieldKind): boolean {
  return kind.endsWith("?");
}
