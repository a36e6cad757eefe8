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

const NAMES: Record<string, string> = {
  fedex: "FedEx",
  dhl: "DHL",
  estafeta: "Estafeta",
  paquetexpress: "Paquetexpress",
  ninetynineminutes: "99minutos",
  jtexpress: "J&T Express",
  ampm: "AMPM",
};

/** A carrier's name as people write it; a carrier that is not listed here keeps the service's spelling. */
export function carrierName(carrier: string): string {
  return NAMES[carrier] ?? carrier;
}

/** A typed name as the service spells them: lower case, no spaces. Null when nothing is left. */
export function carrierKey(typed: string): string | null {
  return typed.trim().toLowerCase().replace(/\s+/g, "") || null;
}
