/** Shopify's own codes of Mexico's states, which are not ISO's, with the names it shows. */
export const MEXICAN_PROVINCES: readonly (readonly [code: string, name: string])[] = [
  ["AGS", "Aguascalientes"],
  ["BC", "Baja California"],
  ["BCS", "Baja California Sur"],
  ["CAMP", "Campeche"],
  ["CHIS", "Chiapas"],
  ["CHIH", "Chihuahua"],
  ["DF", "Ciudad de México"],
  ["COAH", "Coahuila"],
  ["COL", "Colima"],
  ["DGO", "Durango"],
  ["GTO", "Guanajuato"],
  ["GRO", "Guerrero"],
  ["HGO", "Hidalgo"],
  ["JAL", "Jalisco"],
  ["MEX", "Estado de México"],
  ["MICH", "Michoacán"],
  ["MOR", "Morelos"],
  ["NAY", "Nayarit"],
  ["NL", "Nuevo León"],
  ["OAX", "Oaxaca"],
  ["PUE", "Puebla"],
  ["QRO", "Querétaro"],
  ["Q ROO", "Quintana Roo"],
  ["SLP", "San Luis Potosí"],
  ["SIN", "Sinaloa"],
  ["SON", "Sonora"],
  ["TAB", "Tabasco"],
  ["TAMPS", "Tamaulipas"],
  ["TLAX", "Tlaxcala"],
  ["VER", "Veracruz"],
  ["YUC", "Yucatán"],
  ["ZAC", "Zacatecas"],
];

const COUNTRIES: Readonly<Record<string, string>> = { MX: "Mexico", US: "United States" };

export function countryName(countryCode: string): string {
  return COUNTRIES[countryCode] ?? countryCode;
}

/** The name of a Mexican state by Shopify's code; undefined for other countries, whose names stay as given. */
export function provinceName(countryCode: string, provinceCode: string | null): string | undefined {
  if (countryCode !== "MX" || provinceCode === null) return undefined;
  return MEXICAN_PROVINCES.find(([code]) => code === provinceCode)?.[1];
}
