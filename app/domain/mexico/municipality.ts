import { boroughOfPostalCode, boroughOfText } from "./boroughs.ts";
import { municipalityOfCity } from "./cities.ts";
import type { Said } from "./found.ts";
import { stateOfText } from "./states.ts";
import type { State } from "./states.ts";

/**
 * `area_level2`: the municipality, and in Mexico City the alcaldía wherever it stands. Where only the postal code tells the
 * alcaldía, or the city's municipality bears another name, it is a guess for a person to confirm.
 */
export function readMunicipality(of: {
  city: string;
  zip: string;
  state: State | null;
  borough: Said | null;
}): Said | null {
  const city = withoutState(of.city, of.state);
  if (of.state?.code === "DF") return readBorough(city, of.zip, of.borough);
  if (of.borough) return of.borough;
  const municipality = of.state ? municipalityOfCity(of.state.code, city) : null;
  if (municipality !== null) return { text: municipality, isSure: false };
  return city === "" ? null : { text: city, isSure: true };
}

function readBorough(city: string, zip: string, inLines: Said | null): Said | null {
  const byPostalCode = boroughOfPostalCode(zip);
  const typed =
    boroughOfText(city) ?? boroughInCity(city) ?? (inLines ? (boroughOfText(inLines.text) ?? inLines.text) : null);
  if (typed !== null) return { text: typed, isSure: byPostalCode === null || byPostalCode === typed };
  return byPostalCode === null ? null : { text: byPostalCode, isSure: false };
}

const boroughInCity = (city: string): string | null =>
  city
    .split(/[,;/()-]/)
    .map(boroughOfText)
    .find((borough) => borough !== null) ?? null;

/** `Monterrey, N.L.` and `Guadalajara, Jalisco` without the state, which has its own field. */
function withoutState(city: string, state: State | null): string {
  const parts = city.split(/\s*[,;]\s*/);
  while (parts.length > 1 && isStateOrCountry(parts.at(-1)!, state)) parts.pop();
  return parts.join(", ");
}

const isStateOrCountry = (text: string, state: State | null): boolean =>
  (state !== null && stateOfText(text)?.code === state.code) || /^m[eé]x(?:ico|\.)?$/i.test(text);
