import type { LocationInput } from "../../sandbox/admin/locations.ts";

/** A chain of stores as wide as the country, in Shopify's own form of a Mexican address; every sixteenth lacks its colonia. */

const CITIES: [city: string, provinceCode: string, zip: string][] = [
  ["Guadalajara", "JAL", "44"],
  ["Monterrey", "NL", "64"],
  ["Puebla", "PUE", "72"],
  ["Mérida", "YUC", "97"],
  ["Querétaro", "QRO", "76"],
  ["León", "GTO", "37"],
  ["Hermosillo", "SON", "83"],
  ["Xalapa", "VER", "91"],
];
const STREETS = ["Calle Allende", "Avenida Juárez", "Calle 5 de Mayo", "Boulevard Hidalgo", "Calle Morelos"];
const COLONIAS = ["Centro", "Del Valle", "Las Flores", "San Miguel", "Jardines"];

export const isOpen = (index: number): boolean => index % 16 === 0;

export function thousandLocations(count: number): LocationInput[] {
  return Array.from({ length: count }, (_one, index) => {
    const [city, provinceCode, zip] = CITIES[index % CITIES.length]!;
    const street = STREETS[index % STREETS.length]!;
    const colonia = COLONIAS[Math.floor(index / STREETS.length) % COLONIAS.length]!;
    return {
      name: `${city} ${String(index + 1).padStart(4, "0")}`,
      address: {
        countryCode: "MX",
        provinceCode,
        city,
        zip: `${zip}${String(100 + (index % 800)).padStart(3, "0")}`,
        address1: `${street} \u2060${index + 10}`,
        address2: isOpen(index) ? null : `\u2060${colonia}`,
        phone: `+52 55 5264 ${String(1000 + index).slice(-4)}`,
      },
    };
  });
}
