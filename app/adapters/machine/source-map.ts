/** A place in a text, both counted from 0. */
export interface Place {
  line: number;
  column: number;
}

export interface SourceMap {
  sources: readonly string[];
  mappings: string;
}

/** By the code of the letter. */
const DIGITS = new Uint8Array(128);
for (const [digit, letter] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].entries())
  DIGITS[letter.charCodeAt(0)] = digit;
const COMMA = ",".charCodeAt(0);
const SEMICOLON = ";".charCodeAt(0);

/**
 * Where the nearest place at or before `of`, in the same line, stands in its source; null where the map knows none. It goes through the
 * mappings once (ECMA-426) and holds nothing of them: Node's own `SourceMap` and the packages for it decode all of a map first, which for a
 * bundle's takes most of a second and ninety megabytes.
 */
export function originOf({ sources, mappings }: SourceMap, of: Place): (Place & { source: string }) | null {
  let line = 0;
  // Column in the text; source, line and column there; name. The first begins anew with each line, the others go on.
  const at = new Int32Array(5);
  let found: (Place & { source: string }) | null = null;
  let [field, value, shift] = [0, 0, 0];
  for (let index = 0; index <= mappings.length; index += 1) {
    const code = index < mappings.length ? mappings.charCodeAt(index) : SEMICOLON;
    if (code === COMMA || code === SEMICOLON) {
      if (line === of.line && field > 0 && at[0]! > of.column) return found;
      if (line === of.line && field >= 4) found = { source: sources[at[1]!]!, line: at[2]!, column: at[3]! };
      field = 0;
      if (code === COMMA) continue;
      if (line === of.line) return found;
      line += 1;
      at[0] = 0;
      continue;
    }
    const digit = DIGITS[code]!;
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    at[field]! += value & 1 ? -(value >> 1) : value >> 1;
    field += 1;
    [value, shift] = [0, 0];
  }
  return null;
}
