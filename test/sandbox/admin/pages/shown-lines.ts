import { formatted } from "../graphql/nodes.ts";
import type { LocationAddress } from "../state.ts";
import type { Words } from "../words.ts";

/** An address as the admin's pages show it: the country by its name in the visitor's language, without the marks between street and number. */
export function shownLines({ mexico }: Words, address: LocationAddress): string[] {
  const lines = formatted(address).map((line) => line.replaceAll("\u2060", ""));
  return address.countryCode === "MX" ? [...lines.slice(0, -1), mexico] : lines;
}
