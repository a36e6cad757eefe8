import type { PostalFacts } from "../postal-codes.ts";

/** What may be chosen for a field of an address: what is offered for this very address first, then what the list says of its postal code. */
export function suggestionsFor(
  field: string,
  { facts, offers = [] }: { facts: PostalFacts | null; offers?: readonly string[] },
): string[] {
  if (field === "area_level3") return coloniasOf(facts, offers);
  return field === "area_level2" ? municipalitiesOf(facts, offers) : [];
}

/** Whether a field may ever have suggestions. */
export const isSuggested = (field: string): boolean => field === "area_level3" || field === "area_level2";

/** The settlements of the code, each name once. */
function coloniasOf(facts: PostalFacts | null, offers: readonly string[]): string[] {
  const names = (facts?.settlements ?? []).map(({ name }) => name);
  return [...new Set([...offers, ...names])];
}

/** The code's municipality, and the city that people write in its place. */
function municipalitiesOf(facts: PostalFacts | null, offers: readonly string[]): string[] {
  return [...new Set([...offers, facts?.municipality, facts?.city])].filter((name) => typeof name === "string");
}
