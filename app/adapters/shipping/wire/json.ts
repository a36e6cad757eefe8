/** Reads JSON from outside: every value is `unknown` until one of these functions has checked it. Pure. */

/**
 * `undefined`, which JSON cannot hold, when the text is no JSON. A byte-order mark at its start is skipped. A whole number that JavaScript
 * cannot represent stays text: it may be an id, and rounding would make it another template's.
 */
export function parseJson(text: string): unknown {
  try {
    const json = text.replace(/^\ufeff+/, "");
    return mayHoldLong(json) ? (JSON.parse(json, keepLong) as unknown) : (JSON.parse(json) as unknown);
  } catch {
    return undefined;
  }
}

/** Numbers above `Number.MAX_SAFE_INTEGER` have at least so many digits. */
const LONG_DIGITS = 16;

/**
 * Whether so many digits stand in a row. Among any so many characters in a row there must be one that we look at, so most are not looked at:
 * a regular expression looked at all, and took longer than what it saved `JSON.parse`.
 */
function mayHoldLong(text: string): boolean {
  let end = LONG_DIGITS - 1;
  while (end < text.length) {
    let start = end;
    while (start > end - LONG_DIGITS && isDigit(text.charCodeAt(start))) start -= 1;
    if (start === end - LONG_DIGITS) return true;
    // The next row of digits can begin behind the character that is none.
    end = start + LONG_DIGITS;
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function keepLong(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? "";
  return typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value;
}

export function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

/** A string, or a number as text; null for anything else. */
export function asText(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : null;
}

/** A whole number not below zero, also written as text, or null. */
export function asCount(value: unknown): number | null {
  const number = asNumber(value);
  return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** A number, also written as text, or null. */
export function asNumber(value: unknown): number | null {
  if (typeof value === "string") return /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : null;
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** `true` or `false`, also written as text or as 1 and 0, or null. */
export function asBoolean(value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  const word = asText(value)?.trim().toLowerCase();
  if (word === "true" || word === "1") return true;
  return word === "false" || word === "0" ? false : null;
}
