import { foldedWords } from "../address/fold.ts";

/** The sixteen alcaldías of Mexico City; a postal code's first two digits are those of its alcaldía. */
const BOROUGHS: readonly (readonly [postalPrefix: string, name: string, alsoWritten?: string])[] = [
  ["01", "Álvaro Obregón"],
  ["02", "Azcapotzalco"],
  ["03", "Benito Juárez"],
  ["04", "Coyoacán"],
  ["05", "Cuajimalpa de Morelos", "Cuajimalpa"],
  ["06", "Cuauhtémoc"],
  ["07", "Gustavo A. Madero", "Gustavo Madero"],
  ["08", "Iztacalco"],
  ["09", "Iztapalapa"],
  ["10", "La Magdalena Contreras", "Magdalena Contreras"],
  ["11", "Miguel Hidalgo"],
  ["12", "Milpa Alta"],
  ["13", "Tláhuac"],
  ["14", "Tlalpan"],
  ["15", "Venustiano Carranza"],
  ["16", "Xochimilco"],
];

const key = (text: string): string => foldedWords(text).join(" ");

const byName = new Map(BOROUGHS.flatMap(([, name, also]) => [name, also ?? name].map((text) => [key(text), name])));
byName.set("gam", "Gustavo A. Madero");

/** The alcaldía whose full name is all of the text (with or without `Alcaldía`, `Del.`); null otherwise. */
export function boroughOfText(text: string): string | null {
  return byName.get(key(text).replace(/^(?:alcaldia|delegacion|deleg|del) (?:de )?/, "")) ?? null;
}

/** The alcaldía a postal code of Mexico City lies in. */
export function boroughOfPostalCode(postalCode: string | null): string | null {
  return BOROUGHS.find(([prefix]) => postalCode?.startsWith(prefix))?.[1] ?? null;
}
