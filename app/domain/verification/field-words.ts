import type { AddressField } from "../address/address.ts";
import { ADDRESS_FIELDS } from "../address/address.ts";
import { fold } from "../address/fold.ts";
import type { CarrierStanding } from "./carrier-standing.ts";

/**
 * Which field of an address the words of a service or a carrier speak of, in Spanish and in English. Longer names come first: `numero de la
 * calle` is not the street. Null: the words are of nothing that a form holds, and what they are of is no field beside it.
 */
const NAMES: readonly (readonly [AddressField | null, RegExp])[] = [
  [null, /\b(?:alias(?: name)?|carrier(?: name)?|user ?name|account name|template name|nombre de usuario)\b/g],
  ["postal_code", /\b(?:codigo postal|c ?\. ?p\b\.?|cp|zip ?code|zip|postal ?code|post ?code)\b/g],
  ["company", /\b(?:company(?: name)?|razon social|nombre de la empresa|empresa)\b/g],
  ["email", /\b(?:correo(?: electronico)?|e-?mail(?: address)?)\b/g],
  ["phone", /\b(?:telefono|celular|tel|phone(?: number)?|telephone|mobile)\b/g],
  ["rfc", /\b(?:rfc|tax (?:id|number))\b/g],
  [
    "apartment_number",
    /\b(?:numero interior|num interior|no interior|interior number|apartment(?: number)?|unit number)\b/g,
  ],
  [
    "street_number",
    /\b(?:numero (?:exterior|de la calle)|num exterior|no exterior|(?:exterior|street|house) number)\b/g,
  ],
  ["area_level3", /\b(?:(?:nombre de la )?colonia|asentamiento|neighbou?rhood|suburb|area level ?3)\b/g],
  [
    "area_level2",
    /\b(?:(?:nombre del )?municipio|alcaldia|delegacion|ciudad|municipality|city(?: name)?|area level ?2)\b/g,
  ],
  // A lone `estado` is as often the state of a request.
  [
    "area_level1",
    /\b(?:entidad federativa|provincia|province|area level ?1|nombre del estado|state (?:name|code|or province))\b/g,
  ],
  ["street1", /\b(?:(?:nombre de la )?calle|street ?(?:1|line ?1|address|name)?|address ?line ?1|address ?1)\b/g],
  ["country_code", /\b(?:pais|country(?: code)?)\b/g],
  ["reference", /\b(?:referencias?|reference)\b/g],
  ["name", /\b(?:nombre(?: (?:de|del) contacto)?|contact(?: name)?|contacto|(?:full |person )?name)\b/g],
];

/** Words that name a field by themselves, as other interfaces call it, and say something else within a sentence. */
const LONE_NAMES = new Map<string, AddressField>([
  ["state", "area_level1"],
  ["estado", "area_level1"],
  ["number", "street_number"],
  ["numero", "street_number"],
  ["address1", "street1"],
  ["tax id", "rfc"],
]);

/** A message is no longer than this (`wire/problem.ts`). */
const LONGEST_READ = 2_000;

/** The one field that a sentence speaks of. Null where it speaks of several, or of none that can be told. */
export function fieldIn(sentence: string): AddressField | null {
  let left = plain(sentence.slice(0, LONGEST_READ));
  const found = new Set<AddressField>();
  for (const [field, pattern] of NAMES) {
    const without = left.replace(pattern, "|");
    if (field !== null && without !== left) found.add(field);
    left = without;
  }
  const [only] = found;
  return found.size === 1 ? only! : null;
}

/** The field that a name in an answer stands for, whatever its interface calls it. Null where it is no field's. */
export function fieldNamed(name: string): AddressField | null {
  if ((ADDRESS_FIELDS as readonly string[]).includes(name)) return name as AddressField;
  const words = plain(name).trim();
  return LONE_NAMES.get(words) ?? fieldIn(name);
}

/** `addressLine1`, `postal_code` and `CÓDIGO-POSTAL` as folded words. */
function plain(text: string): string {
  return fold(text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")).replace(/[_\-"'`#/]+/g, " ");
}

export interface PlacedWords {
  /** By field, each in the words that were said. What is said of something that is no field of an address keeps its name. */
  fields: Record<string, string[]>;
  /** What can be told of no field, whole; null when nothing is left. */
  message: string | null;
}

/** As the shipping adapter joins what an answer says. */
const BETWEEN = " · ";

/**
 * What an answer says, each where it belongs: beside the field that it speaks of where that can be told, and else as it was said.
 *
 * @param message what the answer says besides, as the shipping adapter joins it: sentences, and perhaps `name: messages` of named members.
 */
export function placeWords({
  fields,
  message,
}: {
  fields: Readonly<Record<string, readonly string[]>>;
  message: string | null;
}): PlacedWords {
  const placed = new Map<string, string[]>();
  const add = (field: string, words: readonly string[]) => placed.set(field, [...(placed.get(field) ?? []), ...words]);
  const quoted = new Map<string, string>();
  for (const [name, words] of Object.entries(fields)) {
    const field = fieldNamed(name);
    add(field ?? name, words);
    quoted.set(`${name}: ${words.join(", ")}`, field === null ? name : "");
  }
  const rest: string[] = [];
  for (const part of (message ?? "").split(BETWEEN).filter(Boolean)) {
    const name = quoted.get(part);
    if (name === "") continue;
    const field = name === undefined ? fieldIn(part) : null;
    if (field === null) rest.push(part);
    else add(field, [part]);
  }
  // A message may be one sentence of several, so what it leaves out of the named members is added.
  const left = [...quoted].flatMap(([part, name]) => (name === "" || rest.includes(part) ? [] : [part]));
  return { fields: Object.fromEntries(placed), message: [...rest, ...left].join(BETWEEN) || null };
}

/** What a carrier answered about one field, in its own words. */
export interface CarrierWords {
  field: AddressField;
  carrier: string;
  words: string;
  /** The answer is known for a refusal; otherwise nobody here knows what it means. */
  refused: boolean;
}

/**
 * What carriers answered about a field of the address as it is now, where they refused it or gave an answer that nobody knows. Beside the
 * carrier it is quoted whole.
 */
export function carrierWords(
  standings: readonly Pick<CarrierStanding, "carrier" | "outcome" | "stale" | "status">[],
): CarrierWords[] {
  return standings
    .filter(({ outcome, stale }) => !stale && (outcome === "refused" || outcome === "unknown"))
    .flatMap(({ carrier, status, outcome }) =>
      (status ?? "").split(BETWEEN).flatMap((words) => {
        const field = fieldIn(words);
        return field === null ? [] : [{ field, carrier, words, refused: outcome === "refused" }];
      }),
    );
}
