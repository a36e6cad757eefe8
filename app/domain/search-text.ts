/** Text as a search compares it: case and accents are nothing. */
export function folded(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase();
}

/** Whether every word of a search stands somewhere in the text. */
export function holdsWords(text: string, search: string): boolean {
  const within = folded(text);
  return folded(search)
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => within.includes(word));
}
