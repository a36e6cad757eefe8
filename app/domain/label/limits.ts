import type { LabelLine } from "./lines.ts";

/**
 * How many characters a carrier takes in one line of a label, by a document of its own that is public. docs/labels.md names each document.
 * A carrier that is not listed publishes none that we know of; null says the same of one line.
 */
export interface PublishedLimits {
  carrier: string;
  limits: Record<LabelLine, number | null>;
}

export const PUBLISHED_LIMITS: readonly PublishedLimits[] = [
  { carrier: "dhl", limits: { name: 255, street: 45, reference: null } },
  { carrier: "fedex", limits: { name: 70, street: 35, reference: null } },
  { carrier: "ups", limits: { name: 35, street: 35, reference: null } },
];

/** The widths that every address is shown in. UPS prints 30 on labels of returns; 35 and 45 are the widths above. */
export const WIDTHS: readonly number[] = [30, 35, 45];

/** The carriers whose document names this width for the line. */
export function carriersAt(line: LabelLine, width: number): string[] {
  return PUBLISHED_LIMITS.filter(({ limits }) => limits[line] === width).map(({ carrier }) => carrier);
}

/** Of these carriers, those without a public document that we know of. */
export function withoutLimits(carriers: readonly string[]): string[] {
  return carriers.filter((carrier) => !PUBLISHED_LIMITS.some((published) => published.carrier === carrier));
}
