import type { AddressField } from "../../domain/address/address.ts";
import type { FormField } from "../../domain/address/form-fields.ts";
import { FORM_FIELDS } from "../../domain/address/form-fields.ts";
import type { TypedAddress } from "../../domain/label/lines.ts";
import type { OriginView } from "../../views/origin.ts";

/**
 * An origin's address as a label would have it: what the form holds now, where an empty contact field is the shop's; but the account's own
 * value where that stays, by the owner's choice or until they choose, and nothing else is typed.
 */
export function typedOrigin(
  { fields, form }: Pick<OriginView, "fields" | "form">,
  values: Record<FormField, string>,
): TypedAddress {
  const address: TypedAddress = Object.fromEntries(fields.map(({ field, value }) => [field, value]));
  const defaults: Partial<Record<AddressField, string | null>> = form.defaults;
  for (const field of FORM_FIELDS) address[field] = values[field].trim() || (defaults[field] ?? null);
  const saved: Partial<Record<AddressField, string>> = { ...form.contact, ...form.split };
  const typed: Partial<Record<AddressField, string>> = values;
  for (const { field, fate, there } of fields) {
    const stays = fate === "kept" || fate === "undecided";
    if (stays && typed[field] === saved[field]) address[field] = there;
  }
  return address;
}
