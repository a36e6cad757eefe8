/** What services of this kind say of a field, as far as its meaning is plain; everything else is quoted. */
export type ServiceWord = "blank" | "too_long" | "too_short" | "taken" | "invalid";

/** In order: "is too long" says more than "invalid". English and Spanish, as Rails-like services write them. */
const PATTERNS: readonly (readonly [ServiceWord, RegExp])[] = [
  [
    "blank",
    /can'?t be blank|is required|must be (present|filled)|no puede estar (en blanco|vac[ií])|es (obligatorio|requerido)|es necesario/i,
  ],
  ["too_long", /too long|demasiado larg|m[aá]ximo (de )?\d+ car|maximum (is )?\d+ char/i],
  ["too_short", /too short|demasiado cort|m[ií]nimo (de )?\d+ car|minimum (is )?\d+ char/i],
  ["taken", /already (been )?taken|already exists|ya (est[aá] en uso|existe|ha sido tomad)/i],
  ["invalid", /is invalid|is not valid|not a valid|inv[aá]lid[oa]|no es v[aá]lid|incorrect/i],
];

/** Null when nobody should guess. */
export function serviceWordIn(message: string): ServiceWord | null {
  return PATTERNS.find(([, pattern]) => pattern.test(message))?.[0] ?? null;
}

/** The length a message names, for one that is about length. */
export function lengthIn(message: string): number | null {
  const found = /\d+/.exec(message);
  return found ? Number(found[0]) : null;
}
