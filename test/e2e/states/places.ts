import type { LocationInput } from "../../sandbox/admin/locations.ts";

/** Locations as Shopify's own form writes them: all there, but where a place says otherwise. */

export const ROMA = "Tienda Roma Norte";
export const MONTERREY = "Bodega Monterrey";
export const TLAQUEPAQUE = "Taller Tlaquepaque";
export const MERIDA = "Almacén Mérida";

const PLACES: [name: string, street: string, colonia: string, city: string, provinceCode: string, zip: string][] = [
  [ROMA, "Calle Orizaba", "Roma Norte", "Ciudad de México", "DF", "06700"],
  [MONTERREY, "Avenida Lázaro Cárdenas", "Valle Oriente", "San Pedro Garza García", "NL", "66269"],
  [TLAQUEPAQUE, "Calle Independencia", "Centro", "San Pedro Tlaquepaque", "JAL", "45500"],
  [MERIDA, "Calle 60", "Centro", "Mérida", "YUC", "97000"],
  ["Centro de Distribución del Bajío", "Boulevard Bernardo Quintana", "Álamos", "Querétaro", "QRO", "76160"],
  ["Local Puebla", "Calle 5 de Mayo", "Centro", "Puebla", "PUE", "72000"],
];

/** The same six places; with more, each again under a further number. */
export function places(count: number): LocationInput[] {
  return Array.from({ length: count }, (_one, index) => {
    const [name, street, colonia, city, provinceCode, zip] = PLACES[index % PLACES.length]!;
    const round = Math.floor(index / PLACES.length);
    return {
      name: round === 0 ? name : `${name} ${round + 1}`,
      address: {
        countryCode: "MX",
        provinceCode,
        city,
        zip,
        address1: `${street} \u2060${index + 10}`,
        address2: `\u2060${colonia}`,
        phone: `+52 55 5264 ${String(1000 + index)}`,
      },
    };
  });
}

/** Typed by somebody in a hurry: the colonia has to be asked. */
export function inAHurry(location: LocationInput, index: number): LocationInput {
  const address1 = `Calle ${index + 3} x ${index + 10} y ${index + 12}`;
  return { ...location, address: { ...location.address, address1, address2: null } };
}

/** What the service says of a phone that it refuses. */
export const NO_PHONE = "no es un teléfono válido";
