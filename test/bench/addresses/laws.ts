import { concatenateAddress1, concatenateAddress2 } from "@shopify/worldwide";

import type { AddressReading, LocationField, ShopifyAddress } from "../../../app/domain/address/address.ts";
import { foldedWords } from "../../../app/domain/address/fold.ts";
import type { PostalFacts } from "../../../app/domain/mexico/postal-codes.ts";
import { readLocationAddress } from "../../../app/domain/mexico/read-location.ts";
import { STATES } from "../../../app/domain/mexico/states.ts";
import type { AddressRow } from "./address-row.ts";
import type { Chance } from "./chance.ts";
import { drawStyle } from "./styles.ts";
import { typeRow } from "./typist.ts";

/** What holds of every reading, whatever was typed: the four laws, and addresses to try them on. */
export const LAWS = ["answers", "no word in two fields", "nothing invented", "read again, the same"] as const;
export type Law = (typeof LAWS)[number];

/** The fields whose words are cut out of the two lines. */
const CUT = [
  "street1",
  "street_number",
  "apartment_number",
  "area_level3",
  "reference",
] as const satisfies LocationField[];

/** The first law that a reading breaks, with what breaks it; null when all hold. */
export function brokenLaw(address: ShopifyAddress, postal: PostalFacts | null): [law: Law, what: string] | null {
  let reading: AddressReading;
  try {
    reading = readLocationAddress(address, postal);
  } catch (error) {
    return ["answers", String(error)];
  }
  const twice = wordTwice(address, reading);
  if (twice !== null) return ["no word in two fields", twice];
  const invented = inventedWord(address, { reading, postal });
  if (invented !== null) return ["nothing invented", invented];
  const other = readAgain(address, { reading, postal });
  return other === null ? null : ["read again, the same", other];
}

/** A word that is in the fields more often than in the lines. The city may stand in the colonia's place. */
function wordTwice({ address1, address2, city }: ShopifyAddress, reading: AddressReading): string | null {
  const left = new Map<string, number>();
  for (const word of foldedWords(`${address1} ${address2} ${city}`)) left.set(word, (left.get(word) ?? 0) + 1);
  const noNumber = reading.street_number.value === "S/N";
  for (const field of CUT) {
    if (field === "street_number" && noNumber) continue;
    for (const word of foldedWords(reading[field].value)) {
      const times = left.get(word) ?? 0;
      if (times === 0) return `${word} (${field})`;
      left.set(word, times - 1);
    }
  }
  return null;
}

/** Words of an alcaldía's full name which a text leaves out that names it. */
const FULL_NAMES = [
  ["Cuajimalpa", "de"],
  ["Cuajimalpa", "morelos"],
  ["Magdalena Contreras", "la"],
  ["Gustavo Madero", "a"],
] as const;

/** A word of a field that neither the text nor the list holds. What the first digits of a code tell is a guess and says so. */
function inventedWord(
  address: ShopifyAddress,
  { reading, postal }: { reading: AddressReading; postal: PostalFacts | null },
): string | null {
  const state = STATES.find(({ code }) => code === address.provinceCode)?.name;
  const told = new Set(
    foldedWords([...Object.values(address), state, postal?.state, postal?.municipality, postal?.city, "S N"].join(" ")),
  );
  for (const [short, more] of FULL_NAMES) if (foldedWords(short).every((word) => told.has(word))) told.add(more);
  for (const [field, { value, source }] of Object.entries(reading)) {
    if (field === "area_level2" && source === "guess") continue;
    const word = foldedWords(value).find(
      (each) => !told.has(each) && !told.has(`0${each}`) && each !== `0${address.zip}`,
    );
    if (word !== undefined) return `${word} (${field})`;
  }
  return null;
}

/** The same text gives the same reading; and what is sure of all parts is read as the same parts from Shopify's own form. */
function readAgain(
  address: ShopifyAddress,
  { reading, postal }: { reading: AddressReading; postal: PostalFacts | null },
): string | null {
  const again = readLocationAddress(address, postal);
  if (JSON.stringify(again) !== JSON.stringify(reading)) return "the same text";
  const { street1, street_number, apartment_number, area_level3, reference } = reading;
  const parts = [street1, street_number, apartment_number, area_level3];
  const isWhole = [street1, street_number, area_level3].every(({ value }) => value !== null);
  if (!isWhole || reference.value !== null || parts.some(({ confidence }) => confidence === "unsure")) return null;
  const typed = {
    ...address,
    address1: concatenateAddress1({
      countryCode: "MX",
      streetName: street1.value!,
      streetNumber: street_number.value!,
    }),
    address2: concatenateAddress2({
      countryCode: "MX",
      line2: apartment_number.value ?? "",
      neighborhood: area_level3.value!,
    }),
  };
  const second = readLocationAddress(typed, postal);
  const other = CUT.find((field) => second[field].value !== reading[field].value);
  return other === undefined ? null : `${other}: «${reading[other].value}», then «${second[other].value}»`;
}

/** An address of a row, typed as stores do, or with its parts in any order, with any marks and breaks between them. */
export function anyAddress(row: AddressRow, chance: Chance): ShopifyAddress {
  const { address } = typeRow(row, drawStyle(chance));
  if (chance.next() < 0.5) return address;
  const parts = [
    row.street,
    `${one(MARKS, chance)}${row.number ?? "S/N"}`,
    `${one(KINDS, chance)}${row.colonia}`,
    ...(row.interior === null ? [] : [row.interior]),
    ...(chance.next() < 0.3 ? [one(MORE, chance)] : []),
    ...(chance.next() < 0.2 ? [row.municipality] : []),
  ];
  const shuffled = parts
    .map((part): [number, string] => [chance.next(), part])
    .toSorted(([one], [other]) => one - other)
    .map(([, part]) => part);
  const cut = Math.floor(chance.next() * (shuffled.length + 1));
  const line = (some: string[]) => some.map((part) => part + one(BREAKS, chance)).join("") || null;
  return { ...address, address1: line(shuffled.slice(0, cut)), address2: line(shuffled.slice(cut)) };
}

const one = <T>(from: readonly T[], chance: Chance): T => from[Math.floor(chance.next() * from.length)]!;

const MARKS = ["", "#", "# ", "No. ", "Núm. ", "N° ", "Ext. ", "No. Ext. ", "Km ", "Mz ", "Lote ", "Int. "];
const KINDS = [
  "",
  "Col. ",
  "Colonia ",
  "Fracc. ",
  "Barrio ",
  "Ejido ",
  "Zona Federal ",
  "Paraje ",
  "Exhacienda ",
  "Privada ",
  "SM ",
  "U. Hab. ",
];
const MORE = [
  "entre Morelos y Allende",
  "esq. Juárez",
  "C.P. 06700",
  "frente al parque",
  "Local 4, Plaza Fiesta",
  "Alcaldía Cuauhtémoc",
  "x 61 y 63",
  "S/N",
  "(Centro)",
];
const BREAKS = [" ", " ", ", ", ",", "; ", " - ", "  "];
