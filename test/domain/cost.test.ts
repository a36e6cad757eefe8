import { expect, test } from "vitest";
import { redactorOf } from "../../app/adapters/shipping/wire/redact.ts";
import { NO_ADDRESS } from "../../app/domain/address/address.ts";
import type { AddressAttributes } from "../../app/domain/address/address.ts";
import { canonicalAddress, differsForThem, likelySame, placeOf } from "../../app/domain/address/compare.ts";
import { fold, foldedWords, tidy } from "../../app/domain/address/fold.ts";
import { ADDRESS_FIELDS } from "../../app/domain/address/address.ts";
import { eachField } from "../../app/domain/address/form-fields.ts";
import { letIn } from "../../app/domain/address/long-text.ts";
import { cutAt } from "../../app/domain/label/lines.ts";
import { shorterFields } from "../../app/domain/label/shorten.ts";
import { warningsOf } from "../../app/domain/label/warnings.ts";
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
import { fieldIn, fieldNamed, placeWords } from "../../app/domain/verification/field-words.ts";
import { lengthIn, serviceWordIn } from "../../app/domain/verification/service-words.ts";
import { addressTemplate } from "../fakes/records.ts";
import { postalFacts } from "../fakes/postal-codes.ts";

/**
 * What reads a text of a person, of Shopify or of the service takes twice as long for twice the text, far beyond what a form takes:
 * one request with an odd text must not hold up all shops. The cost is compared with itself in one run; noise only adds to it, so the
 * least of several measurements counts.
 *
 * The text is doubled three times between the two measurements, and each doubling may take 2.5 times on the average. One doubling alone
 * may take more without being quadratic: the longer text can be the first that no longer fits the processor's cache.
 */

/**
 * Far more than any form takes in a field. A template may hold it all the same: whoever made it was not held to our forms, and the worker
 * reads it.
 */
const LONGEST_TEXT = 20_000;
/** A cost below this, at the longest text, holds nobody up, and is too short to be compared. */
const NOTHING_MS = 20;
const DOUBLINGS = 3;
const MOST_TIMES = 2.5 ** DOUBLINGS;
/** Ten of the longest steps seen in a thread's clock: what is measured that long is measured to a tenth. */
const CLOCK_STEPS_MS = 40;
/** Many, because a neighbour on the same core slows some of them for a second; only a text that seems too dear is measured so often. */
const TRIES = 20;

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

const LISTED = postalFacts({
  settlements: ["Roma Norte", "Centro", "Lomas 1a Sección"].map((name) => ({ name, kind: "Colonia" })),
});
const namesLike = (text: string) => postalFacts({ settlements: [{ name: text, kind: text }], municipality: text });

const READERS: Record<string, (text: string) => unknown> = {
  readLocationAddress: (text) => readLocationAddress(location(text), null),
  "readLocationAddress, with a list": (text) => readLocationAddress({ ...location(text), zip: "06700" }, LISTED),
  "readLocationAddress, with such names": (text) =>
    readLocationAddress({ ...location("Roma Norte"), zip: "06700" }, namesLike(text)),
  shorterFields: (text) => shorterFields(address(text)),
  warningsOf: (text) => warningsOf(address(text)),
  "warningsOf, without a number": (text) => warningsOf({ ...address(text), street_number: "" }),
  cutAt: (text) => cutAt(text, 35),
  normalisePhone: (text) => normalisePhone(text, "MX"),
  "normalisePhone, elsewhere": (text) => normalisePhone(`+1${text}`, "US"),
  validateAddress: (text) => validateAddress(address(text)),
  letIn: (text) => letIn("street1", text),
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
  fieldIn,
  fieldNamed,
  placeWords: (text) => placeWords({ fields: { [text]: [text] }, message: `${text} · ${text}` }),
  lengthIn,
  redactor: (text) => redactorOf(["a-secret of some length"])(text),
};

/**
 * The thread's own time, which a busy machine hardly changes. The clock of a thread can advance in steps of 4 ms, so a short reading is
 * repeated until its share of a step is small.
 */
function costMs(read: (text: string) => unknown, text: string, atLeastMs = CLOCK_STEPS_MS): number {
  const began = process.threadCpuUsage();
  for (let readings = 1; ; readings += 1) {
    read(text);
    const { user, system } = process.threadCpuUsage(began);
    const spentMs = (user + system) / 1_000;
    if (spentMs >= atLeastMs) return spentMs / readings;
  }
}

const textOf = (unit: string, end: string, length: number) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length) + end;

test.each(Object.entries(READERS))("%s", (_name, read) => {
  const odd = UNITS.flatMap((unit) => ENDS.map((end) => ({ unit, end })));
  for (const { unit, end } of odd) {
    const [part, whole] = [textOf(unit, end, LONGEST_TEXT / 2 ** DOUBLINGS), textOf(unit, end, LONGEST_TEXT)];
    if (costMs(read, whole, 0) < NOTHING_MS) continue;
    let [partMs, wholeMs] = [Infinity, Infinity];
    for (let tries = 0; tries === 0 || (tries < TRIES && wholeMs / partMs > MOST_TIMES); tries += 1) {
      partMs = Math.min(partMs, costMs(read, part));
      wholeMs = Math.min(wholeMs, costMs(read, whole));
    }
    expect(wholeMs / partMs, `${JSON.stringify(unit)} … ${JSON.stringify(end)}`).toBeLessThanOrEqual(MOST_TIMES);
  }
});
