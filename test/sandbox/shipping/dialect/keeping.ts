/** An address and an alias as the service keeps them, by its dialect. */
import type { Behaviour } from "./behaviour.ts";
import { ADDRESS_FIELDS } from "../validation.ts";

/** The given address as the service stores it. */
export function keptAddress(behaviour: Behaviour, given: Record<string, unknown>): Record<string, unknown> {
  const address: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(given)) {
    if (behaviour.dropFields.includes(field)) continue;
    if (behaviour.unknownAddressFields === "drop" && !ADDRESS_FIELDS.some((known) => known === field)) continue;
    address[field] = keptValue(behaviour, { field, value });
  }
  return withNumber(behaviour, address);
}

/** A field's value as the service stores it; `alias_name` too. */
export function keptValue(behaviour: Behaviour, { field, value }: { field: string; value: unknown }): unknown {
  const { trimText, textLimits, capitals, plainLetters, emptyAs, nullsAs } = behaviour;
  if (value === null) return nullsAs === "empty" ? "" : null;
  if (typeof value !== "string") return value;
  if (value === "") return emptyAs === "null" ? null : "";
  let text = trimText ? value.trim().replace(/\s+/g, " ") : value;
  if (plainLetters) text = text.normalize("NFD").replace(/\p{M}/gu, "");
  if (capitals) text = text.toUpperCase();
  const limit = textLimits[field];
  return limit?.over === "cut" ? [...text].slice(0, limit.length).join("") : text;
}

function withNumber({ streetNumber }: Behaviour, address: Record<string, unknown>): Record<string, unknown> {
  const { street1, street_number: number } = address;
  if (streetNumber === "apart" || typeof number !== "string" || number === "") return address;
  const isThere = typeof street1 === "string" && street1.endsWith(` ${number}`);
  const joined = streetNumber === "in-street" && !isThere ? `${String(street1)} ${number}` : street1;
  return { ...address, street1: joined, street_number: null };
}
