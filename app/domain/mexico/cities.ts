import { foldedWords } from "../address/fold.ts";

/** Cities whose municipality has another name than the city that people write: Shopify's province code, city, municipality. */
const CITIES: readonly (readonly [provinceCode: string, city: string, municipality: string])[] = [
  ["Q ROO", "Cancún", "Benito Juárez"],
  ["Q ROO", "Playa del Carmen", "Solidaridad"],
  ["Q ROO", "Chetumal", "Othón P. Blanco"],
  ["CHIH", "Ciudad Juárez", "Juárez"],
  ["TAB", "Villahermosa", "Centro"],
  ["SIN", "Los Mochis", "Ahome"],
  ["SON", "Ciudad Obregón", "Cajeme"],
  ["BCS", "Cabo San Lucas", "Los Cabos"],
  ["BCS", "San José del Cabo", "Los Cabos"],
  ["CAMP", "Ciudad del Carmen", "Carmen"],
  ["TAMPS", "Ciudad Victoria", "Victoria"],
  ["NAY", "Nuevo Vallarta", "Bahía de Banderas"],
  ["NAY", "Nuevo Nayarit", "Bahía de Banderas"],
  ["MEX", "Ciudad Satélite", "Naucalpan de Juárez"],
  ["COAH", "Ciudad Acuña", "Acuña"],
];

const key = (text: string): string => foldedWords(text).join(" ").replace(/^cd /, "ciudad ");

/** The municipality of a city that has another name; null for any other city. */
export function municipalityOfCity(provinceCode: string, city: string): string | null {
  return CITIES.find(([code, name]) => code === provinceCode && key(name) === key(city))?.[2] ?? null;
}
