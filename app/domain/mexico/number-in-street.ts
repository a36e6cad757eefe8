import { cutLine } from "./pieces.ts";
import { findHouseNumber } from "./find-house-number.ts";
import { readTokens } from "./tokens.ts";

/** No street is longer. */
const LONGEST_READ = 500;

/**
 * The house number that stands among a street's words, as a location's text is read; null where there is none, where the figure is the
 * street's name (`Calle 60`), and where another reading is as good.
 */
export function numberInStreet(street: string): string | null {
  if (street.length > LONGEST_READ) return null;
  const line = readTokens(street);
  const found = findHouseNumber(line, cutLine(line, "street"));
  return found !== null && found.isSure && ["number", "plain"].includes(found.kind) ? found.text : null;
}
