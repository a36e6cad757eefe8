import { expect, test } from "vitest";
import { redactorOf } from "../../app/adapters/shipping/wire/redact.ts";
import { NO_ADDRESS } from "../../app/domain/address/address.ts";
import type { AddressAttributes } from "../../app/domain/address/address.ts";
import { canonicalAddress, differsForThem, likelySame, placeOf } from "../../app/domain/address/compare.ts";
import { fold, foldedWords, tidy } from "../../app/domain/address/fold.ts";
import { ADDRESS_FIELDS } from "../../app/domain/address/address.ts";
import { eachField, LONGEST_VALUE } from "../../app/domain/address/form-fields.ts";
import { addressText } from "../../app/domain/address/text.ts";
import { tooLong, validateAddress } from "../../app/domain/address/validate.ts";
import {
  aliasWithMarker,
  isShortFormOf,
  keepingMarker,
  markerIn,
  shortenedTo,
  withoutMarker,
} from "../../app/domain/marker.ts";
import { normalisePhone } from "../../app/domain/mexico/phone.ts";
import { readLocationAddress } from "../../app/domain/mexico/read-location.ts";
import { checkRfc } from "../../app/domain/mexico/rfc.ts";
import { stateOfText } from "../../app/domain/mexico/states.ts";
import { differs, valuesOfTemplate } from "../../app/domain/plan/three-way.ts";
import type { AddressTemplate } from "../../app/domain/records.ts";
import { holdsWords } from "../../app/domain/search-text.ts";
import { createTemplateIndex } from "../../app/domain/template-index.ts";
import { carrierKey, carrierName } from "../../app/domain/verification/carriers.ts";
import { lengthIn, serviceWordIn } from "../../app/domain/verification/service-words.ts";
import { addressTemplate } from "../fakes/records.ts";

/**
 * What reads a text of a person, of Shopify or of the service takes twice as long for twice the text, up to the longest a form may send:
 * one request with an odd text must not hold up all shops. The cost is compared with itself in one run; noise only adds to it, so the
 * least of several measurements counts.
 */

/** A cost below this, at the longest text, holds nobody up, and is too short to be compared. */
const NOTHING_MS = 20;
const MOST_TIMES = 2.5;
const TRIES = 12;

/** What an odd text is made of: marks that the readings look for, in long rows. */
const UNITS = [
  ..." (),.-/#&'@[|\n01a",
  ..."é😀\u2060\u0301",
  ...["x1 ", "ext ", "s/n ", "col. ", "no.", "int 1 ", "1-", "a.", "1a", "a@a.", "km 1 ", "x y ", "1 y ", "mz 1 "],
  ...[
    "calle ",
    "entre ",
    "colonia ",
    "[OR-",
    "%20",
    "52",
    "lote ",
    "cp ",
    "mexico ",
    "de la ",
    "ext. 1 x",
    "&amp;",
    "\\u00",
  ],
];
const ENDS = ["", "!", " 1", ")"];

const address = (text: string): AddressAttributes => ({
  ...NO_ADDRESS,
  ...eachField(ADDRESS_FIELDS, () => text),
  country_code: "MX",
});
const withWords = (text: string): AddressTemplate => ({
  ...addressTemplate(),
  alias_name: text,
  address: { ...addressTemplate().address, ...address(text) },
});
const location = (text: string) => ({
  address1: text,
  address2: text,
  city: text,
  zip: text,
  province: text,
  provinceCode: null,
  country: "Mexico",
  countryCode: "MX",
  phone: text,
});

const READERS: Record<string, (text: string) => unknown> = {
  readLocationAddress: (text) => readLocationAddress(location(text)),
  normalisePhone: (text) => normalisePhone(text, "MX"),
  "normalisePhone, elsewhere": (text) => normalisePhone(`+1${text}`, "US"),
  validateAddress: (text) => validateAddress(address(text)),
  tooLong: (text) => tooLong(address(text)),
  checkRfc,
  stateOfText,
  tidy,
  fold,
  foldedWords,
  addressText: (text) => addressText(location(text)),
  canonicalAddress: (text) => canonicalAddress(address(text)),
  differsForThem: (text) => differsForThem("street1", text, `${text}.`),
  likelySame: (text) => likelySame(placeOf(address(text)), placeOf(address(`${text}1`))),
  differs: (text) => differs("alias_name", text, `${text}.`),
  valuesOfTemplate: (text) => valuesOfTemplate(withWords(text)),
  markerIn,
  withoutMarker,
  aliasWithMarker: (text) => aliasWithMarker(`{name} ${text}`, text.slice(0, 255), "7K2M9QXF", 100),
  keepingMarker: (text) => keepingMarker(text, `${text} [OR-7K2M9QXF]`, 100),
  shortenedTo: (text) => shortenedTo(`${text}!`, text),
  isShortFormOf: (text) => isShortFormOf(`${text} [OR-7K2M9QXF]`, `${text}! [OR-7K2M9QXF]`),
  holdsWords: (text) => holdsWords(text, text.slice(0, 200)),
  "template index": (text) => createTemplateIndex([withWords(text)]),
  carrierKey,
  carrierName,
  serviceWordIn,
  lengthIn,
  redactor: (text) => redactorOf(["a-secret of some length"])(text),
};

/** The thread's own time, which a busy machine hardly changes. */
function costMs(read: (text: string) => unknown, text: string): number {
  const began = process.threadCpuUsage();
  read(text);
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1_000;
}

const textOf = (unit: string, end: string, length: number) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length) + end;

test.each(Object.entries(READERS))("%s", (_name, read) => {
  const odd = UNITS.flatMap((unit) => ENDS.map((end) => ({ unit, end })));
  for (const { unit, end } of odd) {
    const [half, whole] = [textOf(unit, end, LONGEST_VALUE / 2), textOf(unit, end, LONGEST_VALUE)];
    let [halfMs, wholeMs] = [Infinity, Infinity];
    const times = () => (wholeMs < NOTHING_MS ? 0 : wholeMs / halfMs);
    for (let tries = 0; tries === 0 || (tries < TRIES && times() > MOST_TIMES); tries += 1) {
      halfMs = Math.min(halfMs, costMs(read, half));
      wholeMs = Math.min(wholeMs, costMs(read, whole));
    }
    expect(times(), `${JSON.stringify(unit)} … ${JSON.stringify(end)}`).toBeLessThanOrEqual(MOST_TIMES);
  }
});
