/** Reads JSON from outside: every value is `unknown` until one of these functions has checked it. Pure. */

/**
 * `undefined`, which JSON cannot hold, when the text is no JSON. A byte-order mark at its start is skipped. A whole number that JavaScript
 * cannot represent stays text: it may be an id, and rounding would make it another template's.
 */
export function parseJson(text: string): unknown {
  try {
    const json = text.replace(/^\ufeff+/, "");
    return MAY_HOLD_LONG.test(json) ? (JSON.parse(json, keepLong) as unknown) : (JSON.parse(json) as unknown);
  } catch {
    return undefined;
  }
}

/** Numbers above `Number.MAX_SAFE_INTEGER` have at least sixteen digits. */
const MAY_HOLD_LONG = /\d{16}/;

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
