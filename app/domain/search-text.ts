import { fold } from "./address/fold.ts";

/** Whether every word of a search occurs in the text; case and accents are ignored. */
export function holdsWords(text: string, search: string): boolean {
  const within = fold(text);
  return fold(search)
    .split(" ")
    .every((word) => within.includes(word));
}
