import type { LocationRecord } from "../state.ts";

const FIELDS: Readonly<Record<string, (location: LocationRecord) => string>> = {
  id: (location) => String(location.id),
  name: (location) => location.name,
  active: (location) => String(location.isActive),
  legacy: (location) => String(location.isFulfillmentService),
  address1: (location) => location.address.address1 ?? "",
  city: (location) => location.address.city ?? "",
  province: (location) => location.address.province ?? "",
  country: (location) => location.address.countryCode,
  zip: (location) => location.address.zip ?? "",
};

/** Shopify's search syntax as far as locations need it: `field:value` and plain words, all of which must hold. */
export function matchesQuery(location: LocationRecord, query: string | null | undefined): boolean {
  const terms = (query ?? "").match(/(?:[a-z_0-9]+:)?(?:"[^"]*"|'[^']*'|\S+)/gi) ?? [];
  return terms.filter((term) => term.toUpperCase() !== "AND").every((term) => matchesTerm(location, term));
}

function matchesTerm(location: LocationRecord, term: string): boolean {
  const [, name, raw] = /^(?:([a-z_0-9]+):)?["']?(.*?)["']?$/i.exec(term) ?? [];
  const value = (raw ?? "").toLowerCase();
  if (name === undefined) return Object.values(FIELDS).some((read) => read(location).toLowerCase().includes(value));
  const read = FIELDS[name];
  if (!read) return true;
  const own = read(location).toLowerCase();
  return value.endsWith("*")
    ? own.startsWith(value.slice(0, -1))
    : own === value || (name === "name" && own.includes(value));
}
