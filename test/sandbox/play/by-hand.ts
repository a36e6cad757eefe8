// What an owner fills into the form of a new template.
import { ADDRESS_FIELDS } from "../../../app/domain/address/address.ts";
import type { TemplateDraft } from "../../../app/domain/records.ts";

/** The form as the page posts it, whole; an alias and a street of its own tell one template from another. */
export function formByHand(alias: string, street1 = "Calle Juárez"): TemplateDraft {
  const empty = Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, null]));
  const address_attributes = {
    ...empty,
    name: "Ana",
    street1,
    street_number: "5",
    postal_code: "20000",
    area_level1: "Aguascalientes",
    area_level2: "Aguascalientes",
    area_level3: "Centro",
    country_code: "MX",
    phone: "4491234567",
    email: "ana@example.com",
    reference: "Portón",
  } as never;
  return { alias_name: alias, address_type: "from", default: false, address_attributes };
}
