import type { PostalFacts } from "../../app/domain/mexico/postal-codes.ts";

/** What a list says of a code; a test says only what it is about. */
export const postalFacts = (over: Partial<PostalFacts> = {}): PostalFacts => ({
  code: "06700",
  state: "Ciudad de México",
  municipality: "Cuauhtémoc",
  city: "Ciudad de México",
  settlements: [{ name: "Roma Norte", kind: "Colonia" }],
  ...over,
});

export const ROMA_NORTE = postalFacts();
