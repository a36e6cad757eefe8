import { ADDRESS_FIELDS } from "../../../app/domain/address/address.ts";
import type { AddressField } from "../../../app/domain/address/address.ts";
import type { AddressTemplate, TemplatePatch } from "../../../app/domain/records.ts";

type Address = AddressTemplate["address"];

/** The oracle's memory of what updates emptied without naming it, and nobody has filled in since. */
export interface Emptied {
  readonly of: ReadonlyMap<string, Partial<Address>>;
  note(before: AddressTemplate, after: AddressTemplate, patch: TemplatePatch): void;
}

export function createEmptied(): Emptied {
  const of = new Map<string, Partial<Address>>();
  return {
    of,
    note(before, after, { address_attributes: named }) {
      const known = { ...before.address, ...of.get(before.id) };
      const isLeft = (field: AddressField) => known[field] && !after.address[field] && named?.[field] === undefined;
      of.set(before.id, Object.fromEntries(ADDRESS_FIELDS.filter(isLeft).map((field) => [field, known[field]])));
    },
  };
}
