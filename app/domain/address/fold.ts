/** Shopify's delimiter between the parts of a Mexican address line (U+2060, word joiner). */
export const WORD_JOINER = "\u2060";

/** Most texts, most of the time: nothing to do. Single spaces stand between other ASCII characters alone. */
const TIDY = /^[!-~]+(?: [!-~]+)*$/;

/** Text without U+2060, with runs of white space as one space and none at the ends; composed Unicode. */
export function tidy(text: string | null | undefined): string {
  if (!text || TIDY.test(text)) return text ?? "";
  return text.normalize("NFC").replaceAll(WORD_JOINER, " ").replace(/\s+/gu, " ").trim();
}

/** Tidy text in lower case without accents: for recognising words, never for sending. */
export function fold(text: string | null | undefined): string {
  return tidy(text).normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The words and numbers of a text, folded, without punctuation. */
export function foldedWords(text: string | null | undefined): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
