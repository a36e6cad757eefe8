import { FORM_CONTACT_FIELDS, SPLIT_FIELDS } from "../../domain/address/form-fields.ts";
import type { OriginIntent } from "../../components/origin/origin-intent.ts";
import type { ContactDetails, ConfirmedSplit } from "../../domain/address/address.ts";
import type { StatedDetails } from "../../origins/save-origin-details.ts";

/** The form's fields as details: the reference is the place's, with the street; what is empty takes back what was said. */
export function statedDetails(locationId: string, asked: Extract<OriginIntent, { intent: "save" }>): StatedDetails {
  const { revision, readFrom, values } = asked;
  const pick = (fields: readonly (keyof typeof values)[]) =>
    Object.fromEntries(
      fields.flatMap((field) => (values[field] === undefined ? [] : [[field, values[field].trim() || null]])),
    );
  return {
    locationId,
    revision,
    readFrom,
    contact: { ...pick(FORM_CONTACT_FIELDS), reference: null } as Partial<ContactDetails>,
    split: pick(SPLIT_FIELDS) as ConfirmedSplit["values"],
  };
}
