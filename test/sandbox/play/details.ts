// What a store's owner types during the play: values that the default store lacks, by location. Other stores get values that fit anywhere.
import type { FormField } from "../../../app/domain/address/form-fields.ts";
import type { StatedValues } from "../../../app/components/origin/origin-intent.ts";
import type { OriginForm } from "../../../app/views/origin.ts";
import type { LocationRecord } from "../admin/state.ts";

export const SHOP_CONTACT = {
  name: "Marisol Cervantes",
  company: "Taller Copal",
  email: "envios@taller-copal.example",
  phone: null,
  reference: "Portón de madera",
  rfc: null,
};

const ANYWHERE: Partial<Record<FormField, string>> = { street_number: "S/N", area_level3: "Centro" };

const BY_NAME: Record<string, Partial<Record<FormField, string>>> = {
  "Almacén Mérida": { phone: "999 923 0404", area_level3: "Centro", reference: "Entre 51 y 53, zaguán verde" },
  "Taller Tlaquepaque": { street_number: "S/N", area_level3: "Centro", reference: "Frente al mercado de artesanías" },
};

/** Postal codes that only Shopify's own page of the location can take. */
export const MISSING_ZIP: Record<string, string> = { "Taller Tlaquepaque": "45500" };

/** The form as its page sends it: prefilled values stay, empty ones are filled in, and of the contact only what was typed goes. */
export function filledForm(location: LocationRecord, form: OriginForm): StatedValues {
  const own = BY_NAME[location.name] ?? {};
  const filled = (name: FormField, value: string): string => {
    const inherited = form.defaults[name as keyof OriginForm["defaults"]] ?? null;
    return value || own[name] || (inherited === null ? (ANYWHERE[name] ?? "") : "");
  };
  const all = (shown: Partial<Record<FormField, string>>) =>
    Object.entries(shown).map(([field, value]) => [field, filled(field as FormField, value)] as const);
  const typed = all(form.contact).filter(
    ([field, value]) => value !== form.contact[field as keyof OriginForm["contact"]],
  );
  return Object.fromEntries([...typed, ...all(form.split)]) as StatedValues;
}
