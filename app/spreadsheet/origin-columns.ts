import { ADDRESS_FIELDS } from "../domain/address/address.ts";
import type { AddressField } from "../domain/address/address.ts";
import type { Words } from "../i18n/words.ts";

/** The columns of a file of origins, but for the carriers', which are called by the carriers' names. */

/** Who it is, and Shopify's own text of the address. */
const PLACE_COLUMNS = ["location_id", "location_name", "shopify_address"] as const;
const STATE_COLUMNS = ["state", "missing"] as const;
const END_COLUMNS = ["synced"] as const;

export type OriginColumn =
  | (typeof PLACE_COLUMNS)[number]
  | (typeof STATE_COLUMNS)[number]
  | (typeof END_COLUMNS)[number]
  | AddressField
  | `source:${AddressField}`;

/** Where a field's value comes from stands right beside it. */
const FIELD_COLUMNS: readonly OriginColumn[] = ADDRESS_FIELDS.flatMap((field) => [field, `source:${field}` as const]);

/** In the order of the file; the carriers' columns stand before the last. */
export const BEFORE_CARRIERS: readonly OriginColumn[] = [...PLACE_COLUMNS, ...STATE_COLUMNS, ...FIELD_COLUMNS];
export const AFTER_CARRIERS: readonly OriginColumn[] = END_COLUMNS;

export const ORIGIN_COLUMNS: readonly OriginColumn[] = [...BEFORE_CARRIERS, ...AFTER_CARRIERS];

export function headingOf(t: Words, column: OriginColumn): string {
  if (column.startsWith("source:"))
    return t("spreadsheet:heading.source", { field: t(`common:fields.${column.slice("source:".length)}`) });
  return isField(column) ? t(`common:fields.${column}`) : t(`spreadsheet:heading.${column}`);
}

/** A carrier's column; `FedEx` would be no heading that says what stands below. */
export function carrierHeading(t: Words, name: string): string {
  return t("spreadsheet:heading.carrier", { carrier: name });
}

export function isField(column: string): column is AddressField {
  return (ADDRESS_FIELDS as readonly string[]).includes(column);
}
