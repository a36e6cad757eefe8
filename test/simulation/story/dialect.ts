import type { Scenery } from "./scenery.ts";
import type { Tally } from "./tally.ts";

/** The service's habits, which stay the same through a story. Each is counted once for each story. */
const DIALECT: Record<string, (scenery: Scenery) => boolean> = {
  "newest first": ({ habits }) => habits.order === "newest",
  "aliases shortened": ({ habits }) => habits.aliasLength !== undefined,
  "bodies altered, some fields in capitals": ({ habits }) => habits.capitals === true,
  "bodies altered, text tidied": ({ habits }) => habits.tidies,
  "a partial update empties the rest": ({ habits }) => habits.wipes,
  "a carrier that says the same again": ({ habits }) => habits.repeatsItself === true,
  "a carrier that does not verify": ({ habits }) => habits.refuses.length > 0,
  "numbers as text": ({ habits }) => habits.textNumbers === true,
  "byte-order mark": ({ habits }) => habits.byteOrderMark === true,
  "tokens end within minutes": ({ tokens }) => tokens.livesSeconds[0] < 7_200,
  "tokens can be refreshed": ({ tokens }) => tokens.refreshes,
};

export const DIALECT_KINDS = [
  ...Object.keys(DIALECT).map((kind) => `dialect: ${kind}`),
  "dialect: Shopify's tokens end within minutes",
];

export function countDialect(tally: Tally, scenery: Scenery): void {
  for (const [kind, isSpoken] of Object.entries(DIALECT)) if (isSpoken(scenery)) tally.count(`dialect: ${kind}`);
  if (scenery.tokens.shopifyLivesSeconds < 3_600) tally.count("dialect: Shopify's tokens end within minutes");
}
