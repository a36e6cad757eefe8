/**
 * A value as a cell of a CSV file, and back. A spreadsheet runs a cell that begins like a formula, and rewrites one that looks like a number
 * or a date: 06700 loses its zero, 525512345678 becomes 5.25512E+11, the house number 12-3 becomes the third of December, and 1 A becomes
 * one in the morning. An apostrophe before the value keeps a spreadsheet from all that, and `unguarded` takes it away again, so that "+52…"
 * survives.
 */

const GUARD = "'";

/** What a spreadsheet runs, in half and full width, and the guard itself. A blank may stand before it. */
const FORMULA = /^\s*[=+\-@＝＋－＠|'%]|^[\t\r\n]/;
/**
 * Where a formula would begin inside a value. A spreadsheet that parts cells at semicolons or tabs begins one there, and one at the end of a line,
 * for a quotation mark in the middle of a row means nothing to it.
 */
const FORMULA_WITHIN = /([;\t\r\n][" ]*)('*)(?=[=+\-@＝＋－＠|%])/g;
/** Digits that a spreadsheet shortens: with a zero in front, or more than it shows. */
const REWRITTEN_NUMBER = /^(?:0\d+|\d{11,}|\d+(?:[.,]\d+)?e[+-]?\d+)$/i;
/** Streets are called so, too: 5 de Mayo, 16 de Septiembre. */
const MONTH =
  /^(?:\d{1,2}(?:[-/. ]+| +de +))?(?:ene|jan|feb|mar|abr|apr|may|jun|jul|ago|aug|sep|sept|oct|nov|dic|dec)[a-z]*\.?(?:(?:[-/. ]+| +del? +)\d{1,4})?$/i;
/** "1 A" is one in the morning. */
const TIME = /^\d{1,4}:\d{2}(?::\d{2})?(?:\s*[ap]\.?\s?m?\.?)?$|^\d{1,2}\s+[ap]m?$/i;
const DATE = /^\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?$/;

/** The value as it is written into a file. */
export function guarded(value: string): string {
  const isSpoilt = [FORMULA, REWRITTEN_NUMBER, DATE, TIME, MONTH].some((form) => form.test(value));
  const within = value.replace(FORMULA_WITHIN, `$1${GUARD}$2`);
  return isSpoilt ? GUARD + within : within;
}

/** The value that a cell stands for: without the white space around it, and without the guards. */
export function unguarded(cell: string): string {
  const text = cell.trim();
  const bare = text.startsWith(GUARD) ? text.slice(GUARD.length) : text;
  return bare
    .replace(FORMULA_WITHIN, (_, before: string, guards: string) => before + guards.slice(GUARD.length))
    .trim();
}

/** What a spreadsheet did to a cell, when it can be told from the cell alone. */
export type Spoilt = "number" | "date" | "time" | "formula_error" | "letters";

const SHORTENED = /^\d(?:[.,]\d+)?e\+?\d{1,3}$/i;
const DAY_AND_MONTH =
  /^\d{1,2}[-/. ](?:ene|jan|feb|mar|abr|apr|may|jun|jul|ago|aug|sept?|oct|nov|dic|dec)\.?(?:[-/. ]\d{2,4})?$/i;
const MONTH_AND_YEAR = /^(?:ene|jan|feb|mar|abr|apr|may|jun|jul|ago|aug|sept?|oct|nov|dic|dec)\.?[-/. ]\d{2,4}$/i;
const WHOLE_DATE = /^(?:\d{1,2}[-/.]\d{1,2}[-/.](?:\d{2}|\d{4})|\d{4}-\d{2}-\d{2})(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?$/;
const TIME_OF_DAY = /^\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]\.?\s?m\.?)?$/i;
const ERROR =
  /^#(?:REF|VALUE|VALOR|¡REF|¡VALOR|¡DIV\/0|DIV\/0|NAME|¿NOMBRE|N\/A|NULL|¡NULO|NUM|¡NUM|SPILL|CALC)[!?]?$|^#+$/i;

/** Letters with accents that were read as another encoding: "MÃ©xico", or marks in place of what could not be read. */
const OTHER_LETTERS = /[ÃÂ][\u0080-\u00BF\u0152-\u0192\u02C6\u02DC\u2013-\u203A\u20AC\u2122]|\uFFFD/;

/** Null for a cell that nothing spoilt, as far as can be seen. */
export function spoiltBy(cell: string): Spoilt | null {
  const text = cell.trim();
  if (OTHER_LETTERS.test(text)) return "letters";
  // What the guard kept is as it was written.
  if (text.startsWith(GUARD)) return null;
  if (SHORTENED.test(text)) return "number";
  if (DAY_AND_MONTH.test(text) || MONTH_AND_YEAR.test(text) || WHOLE_DATE.test(text)) return "date";
  if (TIME_OF_DAY.test(text)) return "time";
  return ERROR.test(text) ? "formula_error" : null;
}

/** Whether a cell is a number's text without the zeros in front of it. */
export function lostItsZeros(cell: string, was: string): boolean {
  return cell !== "" && /^0\d+$/.test(was) && cell !== was && cell === was.replace(/^0+/, "");
}
