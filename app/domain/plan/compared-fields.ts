import { ADDRESS_FIELDS } from "../address/address.ts";
import type { Difference, OwnField } from "../records.ts";

/** What of a template is compared, by name; how, `three-way.ts` says. */

const OWN: Record<OwnField, true> = { alias_name: true, address_type: true, default: true };

/** The fields beside the address. */
export const OWN_FIELDS = Object.keys(OWN) as OwnField[];

/** Every field of a template that is compared. */
export const COMPARED_FIELDS: readonly Difference["field"][] = [...OWN_FIELDS, ...ADDRESS_FIELDS];
