/** What a service's message about a field means, where that is plain; every other message is quoted. */
export type ServiceWord = "blank" | "too_long" | "too_short" | "taken" | "invalid";

/** In this order, because "is too long" says more than "invalid". English and Spanish, in the words of Rails-like services. */
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

/** Null when the meaning would be a guess. */
export function serviceWordIn(message: string): ServiceWord | null {
  return PATTERNS.find(([, pattern]) => pattern.test(message))?.[0] ?? null;
}

/** The length that a message names, if it is about length. */
export function lengthIn(message: string): number | null {
  const found = /\d+/.exec(message);
  return found ? Number(found[0]) : null;
}
