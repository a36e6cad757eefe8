import type { LocationInput } from "../admin/locations.ts";
import type { StoreInput } from "../admin/server.ts";
import { DEFAULT_LOCATIONS, ordersFrom } from "./default-store.ts";

const NAMED: [handle: string, name: string][] = [
  ["taller-copal", "Taller Copal"],
  ["casa-jacaranda", "Casa Jacaranda"],
];

/** The sandbox's stores: the first has locations and orders, the second has nothing yet, any further ones are like the first. */
export function storesOf(
  count: number,
  locations: (LocationInput & { id?: number })[] = DEFAULT_LOCATIONS,
): StoreInput[] {
  return Array.from({ length: Math.max(1, count) }, (_one, index) => {
    const [handle, name] = NAMED[index] ?? [`tienda-${index + 1}`, `Tienda ${index + 1}`];
    if (index === 1) return { handle, name, locations: [] };
    return { handle, name, locations: index === 0 ? locations : DEFAULT_LOCATIONS, orders: ordersFrom };
  });
}
