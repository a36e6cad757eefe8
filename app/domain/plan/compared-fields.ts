import { ADDRESS_FIELDS } from "../address/address.ts";
import type { Difference, OwnField } from "../records.ts";

/** What of a template is compared, by name; how, `three-way.ts` says. */

const OWN: Record<OwnField, true> = { alias_name: true, address_type: true, default: true };

/** The fields beside the address. */
export const OWN_FIELDS = Object.keys(OWN) as OwnField[];

/**
 * Whether another person's value may stand in the place of ours. Not the type's: parcels leave from an address of our type alone, so its owner
 * takes that back, or unlinks the template.
 */
export function mayBeTheirs(field: Difference["field"]): boolean {
  return field !== "address_type";
}

/** Every field of a template that is compared. */
export const COMPARED_FIELDS: readonly Difference["field"][] = [...OWN_FIELDS, ...ADDRESS_FIELDS];
