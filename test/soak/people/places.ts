import type { LocationAddress } from "../../sandbox/admin/state.ts";

/** Addresses in Shopify's own delimited form, which leave nothing unsure, so that no change needs a confirmation. */

export const STREETS = ["Avenida Vallarta", "Calle Morelos", "Avenida Hidalgo", "Calle 5 de Mayo", "Calle Orizaba"];

export const INSIDE = ["", "Int. 4", "Piso 3", "Local B"];

type Town = Pick<LocationAddress, "city" | "provinceCode" | "zip"> & { colonia: string };

export const TOWNS: readonly Town[] = [
  { city: "Guadalajara", provinceCode: "JAL", zip: "44160", colonia: "Americana" },
  { city: "Zapopan", provinceCode: "JAL", zip: "45040", colonia: "Jardines de Guadalupe" },
  { city: "Monterrey", provinceCode: "NL", zip: "64000", colonia: "Centro" },
  { city: "Mérida", provinceCode: "YUC", zip: "97000", colonia: "Centro" },
  { city: "Cuauhtémoc", provinceCode: "DF", zip: "06700", colonia: "Roma Norte" },
];

export function streetOf(street: string, number: string): Partial<LocationAddress> {
  return { address1: `${street} \u2060${number}` };
}

export function townOf({ colonia, ...town }: Town, inside = ""): Partial<LocationAddress> {
  return { ...town, address2: `${inside} \u2060${colonia}`, countryCode: "MX" };
}

export function streetAddress(street: string, number: string): Partial<LocationAddress> {
  return { ...streetOf(street, number), ...townOf(TOWNS[0]!) };
}

/** Another flat at the same address. */
export function insideOf(address2: string | null, inside: string): Partial<LocationAddress> {
  const colonia = (address2 ?? "").split("\u2060")[1] ?? "";
  return { address2: `${inside} \u2060${colonia}` };
}
