/** In which letters a file is written, told from its bytes. */

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** How many bytes tell whether every second one is empty, as in UTF-16 without a mark. */
const LOOKED_AT = 4_096;

/**
 * The encoding of a text file; null for what is no text: a workbook, an archive, a picture. A file without a mark whose bytes are no UTF-8 is
 * taken for Windows-1252, in which spreadsheets of Western languages write CSV.
 */
export function encodingOf(bytes: Uint8Array): Encoding | null {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const wide = wideOf(bytes.subarray(0, LOOKED_AT));
  if (wide !== null) return wide;
  // No text has a NUL; workbooks, archives and pictures have them at once.
  if (bytes.subarray(0, LOOKED_AT).includes(0)) return null;
  if (isUtf8(bytes) || (first === 0xef && second === 0xbb && third === 0xbf)) return "utf-8";
  return "windows-1252";
}

/** What begins a file that a spreadsheet opens and that is no CSV: a workbook of Excel's or an archive, an older workbook, a PDF. */
const BEGINNINGS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x50, 0x4b, 0x05, 0x06],
  [0xd0, 0xcf, 0x11, 0xe0],
  [0x25, 0x50, 0x44, 0x46],
  [0x1f, 0x8b],
] as const;

/** Whether the bytes are a workbook, an archive or a document, whatever the file's name says. */
export function isWorkbook(bytes: Uint8Array): boolean {
  return BEGINNINGS.some((begin) => begin.every((byte, place) => bytes[place] === byte));
}

function wideOf(bytes: Uint8Array): Encoding | null {
  if (bytes.length < 4) return null;
  const empty = [0, 0];
  for (const [place, byte] of bytes.entries()) if (byte === 0) empty[place % 2]! += 1;
  const half = bytes.length / 2;
  // Letters of Western languages: nearly every second byte is empty, and none of the others.
  if (empty[1]! > 0.7 * half && empty[0] === 0) return "utf-16le";
  return empty[0]! > 0.7 * half && empty[1] === 0 ? "utf-16be" : null;
}

/**
 * What MS-DOS's and the old Macintosh's letters with accents look like in Windows-1252: "Le¢n", "QuerŽtaro". Nobody writes these signs within
 * a word.
 */
const OLDER_SIGNS = /\p{L}[¢£¤¥¡]\p{L}|\p{L}‚|[\u0081\u0090]|\p{Ll}Ž|\p{L}[Ž‡]\p{Ll}|\p{Lu}[„ƒ]\p{Lu}/u;
/** And these, which somebody may write: "Ju rez" with a hard space, "Mu–oz", "Cancœn". The s is of names such as McDonald’s. */
const DOUBTFUL_SIGNS = /\p{L}[\u00A0–—’](?!s(?!\p{L}))\p{Ll}|\p{L}œ(?![uiv])\p{Ll}/u;
const ACCENTS = /[áéíóúüñÁÉÍÓÚÜÑ]/;

/**
 * Whether a text that was read as Windows-1252 was written in the letters of MS-DOS or of the old Macintosh, which Excel still offers for
 * CSV. Where the text has letters with accents, a doubtful sign means what it is.
 */
export function hasOlderLetters(text: string): boolean {
  return OLDER_SIGNS.test(text) || (DOUBTFUL_SIGNS.test(text) && !ACCENTS.test(text));
}

/** How many bytes are decoded in one go, so that no second copy of a large file is held. */
const AT_A_TIME = 64 * 1024;

function isUtf8(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for (let at = 0; at < bytes.length; at += AT_A_TIME)
      decoder.decode(bytes.subarray(at, at + AT_A_TIME), { stream: at + AT_A_TIME < bytes.length });
    return true;
  } catch {
    return false;
  }
}
