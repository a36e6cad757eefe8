import { isSecret } from "../../domain/secret.ts";
import { encrypt, type Keyring } from "./encryption.ts";
import { baseKind, type TableSpec } from "./table-spec.ts";
import { openSecret, type Unreadable } from "./unreadable.ts";

/** Converts between a record of the domain and its row. */

type Fields = Record<string, unknown>;

/** The row's part of a secret's additional data: its primary key. */
function rowKey(spec: TableSpec, record: Fields): string {
  return spec.keys[0]!.map((field) => String(record[field])).join(" ");
}

interface Codec {
  spec: TableSpec;
  keyring: Keyring;
  unreadable: Unreadable;
}

/** The columns for `fields`; `identity` names the shop and the primary key, which secrets are bound to. */
export function toRow({ spec, keyring }: Pick<Codec, "spec" | "keyring">, fields: Fields, identity: Fields): Fields {
  const row: Fields = {};
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    row[field] = isSecret(value)
      ? encrypt(keyring, value, { model: spec.model, field, shop: String(identity.shop), row: rowKey(spec, identity) })
      : toColumn(spec, field, value);
  }
  return row;
}

/** Converts one value; secrets are handled elsewhere. */
export function toColumn(spec: TableSpec, field: string, value: unknown): unknown {
  if (value === null) return null;
  switch (baseKind(spec.fields[field]!)) {
    case "time":
      return BigInt(value as number);
    case "json":
      return JSON.stringify(value);
    case "text":
      return withoutNul(value as string);
    default:
      return value;
  }
}

/** PostgreSQL keeps no NUL in a text, and no person types one. Every store leaves it out. */
export function withoutNul(text: string): string {
  return text.replaceAll("\0", "");
}

/** A secret that does not decrypt does not spoil its row: it becomes a `Secret` that cannot be revealed. */
export function fromRow({ spec, ...codec }: Codec, row: Fields): Fields {
  const record: Fields = {};
  for (const [field, kind] of Object.entries(spec.fields)) {
    const value = row[field];
    if (value === null || value === undefined) record[field] = null;
    else if (kind.startsWith("time")) record[field] = Number(value);
    else if (kind.startsWith("json")) record[field] = JSON.parse(value as string);
    else if (kind.startsWith("secret")) {
      const place = { model: spec.model, field, shop: String(row.shop), row: rowKey(spec, row) };
      record[field] = openSecret(codec, value as string, place);
    } else record[field] = value;
  }
  return record;
}
