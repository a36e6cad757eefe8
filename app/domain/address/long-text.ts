import { longestOf } from "./form-fields.ts";

/**
 * Texts that are longer than their field takes. A form's schema lets each in as its short form: the beginning and a digest. So nothing
 * behind the schema reads, stores or sends the rest of it, `tooLong` refuses it in words beside its field, and a value that stood there
 * before, however long, is still known again.
 */

/** A text of a form as it comes in: itself, or its short form, which is still too long for the field. */
export function letIn(field: string, text: string): string {
  const longest = longestOf(field);
  if (text.length <= longest) return text;
  const trimmed = text.trim();
  if (trimmed.length <= longest) return trimmed;
  return `${trimmed.slice(0, longest).toWellFormed()}…${digestOf(trimmed)}`;
}

/** Whether a text that came in is what stands there. */
export function isStanding(field: string, said: string | null, there: string | null | undefined): boolean {
  return said === there || (said !== null && typeof there === "string" && said === letIn(field, there));
}

/** What came in, with what stands there in place of the short forms of it. */
export function restored<T extends Partial<Record<string, string | null>>>(
  said: T,
  there: Partial<Record<string, string | null>> | undefined,
): T {
  const whole = Object.entries(said).map(([field, text]) => {
    const standing = there?.[field];
    return [field, text != null && typeof standing === "string" && isLong(field, text, standing) ? standing : text];
  });
  return Object.fromEntries(whole) as T;
}

function isLong(field: string, said: string, standing: string): boolean {
  return said.length > longestOf(field) && said === letIn(field, standing);
}

/**
 * 53 bits of the text (cyrb53), and its length. It need not withstand attacks: whoever finds another text with the same digest keeps what
 * stood there. `mixed` (marker.ts) would take a tenth of a second for the largest body.
 */
export function digestOf(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let place = 0; place < text.length; place += 1) {
    const unit = text.charCodeAt(place);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return `${(4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36)}.${text.length}`;
}
