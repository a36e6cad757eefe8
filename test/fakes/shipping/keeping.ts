import { ADDRESS_FIELDS } from "../../../app/domain/address/address.ts";
import type { Field } from "../../../app/domain/plan/three-way.ts";
import type { AddressTemplate, TemplatePatch } from "../../../app/domain/records.ts";
import type { Habits } from "./habits.ts";
import { nothingIn } from "./refusals.ts";

const IN_CAPITALS: readonly Field[] = ["company", "reference", "street1"];

/** How the service stores what it is sent. */
export function createKeeping(habits: Habits) {
  const kept = (value: string | null | undefined, field?: Field) => {
    if (typeof value !== "string") return null;
    const tidied = habits.tidies ? value.replace(/\s+/g, " ").trim() : value;
    if (field === "alias_name") return habits.aliasLength ? tidied.slice(0, habits.aliasLength) : tidied;
    return habits.capitals && field && IN_CAPITALS.includes(field) ? tidied.toUpperCase() : tidied;
  };

  const apply = (template: AddressTemplate, patch: TemplatePatch, wipe: boolean): AddressTemplate => {
    const after = copyOf(template);
    if (patch.alias_name !== undefined) after.alias_name = kept(patch.alias_name, "alias_name") ?? "";
    if (patch.address_type !== undefined) after.address_type = patch.address_type;
    if (patch.default !== undefined) after.default = patch.default;
    if (patch.address_attributes) {
      for (const field of ADDRESS_FIELDS) {
        const value = patch.address_attributes[field];
        if (value !== undefined) after.address[field] = kept(value, field);
        else if (wipe) after.address[field] = nothingIn(field);
      }
    }
    return after;
  };

  const blank = (id: string, type: string): AddressTemplate => ({
    id,
    alias_name: "",
    address_type: type,
    default: false,
    address: Object.fromEntries(
      [...ADDRESS_FIELDS, "tax_id_number", "tax_id_type"].map((field) => [field, nothingIn(field)]),
    ) as AddressTemplate["address"],
    verified_carriers: [],
  });

  return { kept, apply, blank };
}

export function copyOf(template: AddressTemplate): AddressTemplate {
  const verified_carriers = template.verified_carriers.map((entry) => ({ ...entry }));
  return { ...template, address: { ...template.address }, verified_carriers };
}
