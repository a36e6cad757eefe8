/** Carriers to suggest. An account may have others, so any name can be typed. */
export const SUGGESTED_CARRIERS: readonly string[] = [
  "fedex",
  "dhl",
  "estafeta",
  "paquetexpress",
  "ninetynineminutes",
  "jtexpress",
  "ampm",
];

const NAMES = new Map([
  ["fedex", "FedEx"],
  ["dhl", "DHL"],
  ["estafeta", "Estafeta"],
  ["paquetexpress", "Paquetexpress"],
  ["ninetynineminutes", "99minutos"],
  ["jtexpress", "J&T Express"],
  ["ampm", "AMPM"],
  ["ups", "UPS"],
  ["redpack", "Redpack"],
]);

/** How many carriers a shop may choose, and how many may be asked at once. */
export const MOST_CARRIERS = 30;

/** Of how many carriers a template keeps what was asked and said: a service may show 300, and a shop may ask others. */
export const MOST_CARRIERS_KEPT = 400;

/** A name as a service could spell it: it begins with a letter or a digit. */
const FORM = /^[\p{L}\p{N}][\p{L}\p{N}._&+-]{0,39}$/u;

/** A carrier's name as people write it; a carrier that is not listed here keeps the service's spelling. */
export function carrierName(carrier: string): string {
  return NAMES.get(carrier) ?? carrier;
}

/** A typed name as the service spells them: lower case, no spaces. Null when it has not the form of a name. */
export function carrierKey(typed: string): string | null {
  const key = typed.trim().toLowerCase().replace(/\s+/g, "");
  return FORM.test(key) ? key : null;
}
