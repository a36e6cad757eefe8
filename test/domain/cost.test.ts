import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { redactorOf } from "../../app/adapters/shipping/wire/redact.ts";
import { ADDRESS_FIELDS, NO_ADDRESS } from "../../app/domain/address/address.ts";
import type { AddressAttributes } from "../../app/domain/address/address.ts";
import { differsForThem, likelySame, placeOf } from "../../app/domain/address/compare.ts";
import { eachField } from "../../app/domain/address/form-fields.ts";
import { warningsOf } from "../../app/domain/label/warnings.ts";
import { aliasWithMarker, isShortFormOf, keepingMarker, shortenedTo } from "../../app/domain/marker.ts";
import { normalisePhone } from "../../app/domain/mexico/phone.ts";
import { readLocationAddress } from "../../app/domain/mexico/read-location.ts";
import { findState } from "../../app/domain/mexico/states.ts";
import { readTokens } from "../../app/domain/mexico/tokens.ts";
import { differs } from "../../app/domain/plan/three-way.ts";
import { holdsWords } from "../../app/domain/search-text.ts";
import { Secret } from "../../app/domain/secret.ts";
import { placeWords } from "../../app/domain/verification/field-words.ts";
import { postalFacts } from "../fakes/postal-codes.ts";
import { IS_WHOLE } from "../whole.ts";
import { DOMAIN, exportedFunctions } from "./exported-functions.ts";
import type { ExportedFunction, Filling } from "./exported-functions.ts";

/**
 * What reads a text of a person, of Shopify or of the service takes twice as long for twice the text, far beyond what a form takes:
 * one request with an odd text must not hold up all shops. The cost is compared with itself in one run; noise only adds to it, so the
 * least of several measurements counts.
 *
 * The text is doubled three times between the two measurements, and each doubling may take 2.5 times on the average. One doubling alone
 * may take more without being quadratic: the longer text can be the first that no longer fits the processor's cache.
 *
 * Every exported function of app/domain is measured, with arguments made of its types, so that a new one cannot be forgotten.
 */

/**
 * A reference has 500 characters. A template may hold far more: whoever made it was not held to our forms, and the worker reads it. So at
 * length (`test/whole.ts`) texts are far longer, too.
 */
const LENGTHS = IS_WHOLE ? [640, 20_000] : [640];
/** A cost below this, for a text of so many characters, holds nobody up, and is too short to be compared. */
const nothingMs = (length: number) => Math.max(0.05, 20 * (length / 20_000) ** 2);
const DOUBLINGS = 3;
const MOST_TIMES = 2.5 ** DOUBLINGS;
/** Ten of the longest steps seen in a thread's clock: what is measured that long is measured to a tenth. */
const CLOCK_STEPS_MS = 40;
/** Long enough that the clock's step does not count, and short enough to be over before another process has its turn. */
const BRIEFLY_MS = 2;
const BRIEF_LOOKS = 3;
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
const ENDS = IS_WHOLE ? ["", "!", " 1", ")"] : ["!"];

const address = (text: string): AddressAttributes => ({
  ...NO_ADDRESS,
  ...eachField(ADDRESS_FIELDS, () => text),
  country_code: "MX",
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

/** Where one argument has to fit another, or a text be one that a function looks into. */
const TOGETHER: Record<string, (text: string) => unknown> = {
  readLocationAddress: (text) => readLocationAddress(location(text), null),
  "readLocationAddress, with a list": (text) => readLocationAddress({ ...location(text), zip: "06700" }, LISTED),
  "readLocationAddress, with such names": (text) =>
    readLocationAddress({ ...location("Roma Norte"), zip: "06700" }, namesLike(text)),
  "warningsOf, without a number": (text) => warningsOf({ ...address(text), street_number: "" }),
  "normalisePhone, elsewhere": (text) => normalisePhone(`+1${text}`, "US"),
  differsForThem: (text) => differsForThem("street1", text, `${text}.`),
  likelySame: (text) => likelySame(placeOf(address(text)), placeOf(address(`${text}1`))),
  differs: (text) => differs("alias_name", text, `${text}.`),
  aliasWithMarker: (text) => aliasWithMarker(`{name} ${text}`, text.slice(0, 255), "7K2M9QXF", 100),
  keepingMarker: (text) => keepingMarker(text, `${text} [OR-7K2M9QXF]`, 100),
  shortenedTo: (text) => shortenedTo(`${text}!`, text),
  isShortFormOf: (text) => isShortFormOf(`${text} [OR-7K2M9QXF]`, `${text}! [OR-7K2M9QXF]`),
  holdsWords: (text) => holdsWords(text, text.slice(0, 200)),
  placeWords: (text) => placeWords({ fields: { [text]: [text] }, message: `${text} · ${text}` }),
  redactor: (text) => redactorOf(["a-secret of some length"])(text),
};

/** The thread's own time, which a busy machine hardly changes. */
function costMs(read: (text: string) => unknown, text: string): number {
  const began = process.threadCpuUsage();
  // The clock of a thread can advance in steps of 4 ms, so a short reading is repeated until its share of a step is small.
  for (let readings = 1; ; readings += 1) {
    read(text);
    const { user, system } = process.threadCpuUsage(began);
    const spentMs = (user + system) / 1_000;
    if (spentMs >= CLOCK_STEPS_MS) return spentMs / readings;
  }
}

/** The wall clock's steps are fine enough for a few readings, but it counts what the machine does besides. */
function brieflyMs(read: (text: string) => unknown, text: string): number {
  const beganMs = performance.now();
  for (let readings = 1; ; readings += 1) {
    read(text);
    const spentMs = performance.now() - beganMs;
    if (spentMs >= BRIEFLY_MS) return spentMs / readings;
  }
}

function onceMs(read: (text: string) => unknown, text: string): number {
  const beganMs = performance.now();
  read(text);
  return performance.now() - beganMs;
}

interface Look {
  textOfLength: (length: number) => string;
  length: number;
  /** How often what seems too dear is looked at. */
  most: number;
}

/** How many times as long the reading takes for eight times the text; null where it takes no time. */
function timesAsLong(read: (text: string) => unknown, { textOfLength, length, most }: Look) {
  const [part, whole] = [textOfLength(length / 2 ** DOUBLINGS), textOfLength(length)];
  let partMs = onceMs(read, part);
  let wholeMs = onceMs(read, whole);
  if (wholeMs < nothingMs(length) || wholeMs / partMs <= MOST_TIMES) return null;
  const isDear = () => wholeMs / partMs > MOST_TIMES;
  // Most seem dear because something came between, or because the shorter text takes no time that a single reading could show.
  for (let looks = 0; looks < BRIEF_LOOKS; looks += 1) {
    partMs = Math.min(partMs, brieflyMs(read, part));
    wholeMs = Math.min(wholeMs, brieflyMs(read, whole));
  }
  if (wholeMs < nothingMs(length) || !isDear()) return null;
  [partMs, wholeMs] = [Infinity, Infinity];
  for (let tries = 0; tries === 0 || (tries < most && isDear()); tries += 1) {
    partMs = Math.min(partMs, costMs(read, part));
    wholeMs = Math.min(wholeMs, costMs(read, whole));
  }
  return wholeMs < nothingMs(length) ? null : wholeMs / partMs;
}

/** The first odd text for which it takes more than its share, with how many times as long; null where there is none. */
function tooDear(read: (text: string) => unknown, most = TRIES): string | null {
  for (const length of LENGTHS)
    for (const unit of UNITS)
      for (const end of ENDS) {
        const textOfLength = (of: number) => unit.repeat(Math.ceil(of / unit.length)).slice(0, of) + end;
        const times = timesAsLong(read, { textOfLength, length, most });
        if (times !== null && times > MOST_TIMES)
          return `${length} characters of ${JSON.stringify(unit)} … ${JSON.stringify(end)}: ${times.toFixed(1)} times`;
      }
  return null;
}

test("a reading that takes four times as long for twice the text is found", () => {
  const pairs = (text: string) => {
    let equal = 0;
    for (const one of text) for (const other of text) if (one === other) equal += 1;
    return equal;
  };
  expect(tooDear(pairs, 2)).toMatch(/times$/);
});

test.each(Object.entries(TOGETHER))("%s", (_name, read) => {
  expect(tooDear(read)).toBeNull();
});

describe("every exported function of app/domain that takes a text", () => {
  let lastLine = readTokens("");
  const types = new Map<string, (filling: Filling) => unknown>([
    // A line's tokens fit its text. All functions that read the same text read the same line.
    ["Line", ({ text }) => (lastLine.text === text ? lastLine : (lastLine = readTokens(text)))],
    ["State", () => findState("JAL", null)],
    ["Secret", ({ text }) => new Secret(text)],
    ["Uint8Array", ({ text }) => Buffer.from(text)],
  ]);
  const names = new Map([
    ["country_code", "MX"],
    ["countryCode", "MX"],
    ["provinceCode", "JAL"],
  ]);
  const taking = exportedFunctions({ types, names }).filter(({ takesText }) => takesText);

  test("is known by its types", () => {
    expect(taking.length).toBeGreaterThan(200);
  });

  test.each(taking.map((each) => [each.file, each.name, each] as const))("%s: %s", async (file, name, each) => {
    const module = (await import(join(DOMAIN, file))) as Record<string, (...args: unknown[]) => unknown>;
    const { read, hasAnswered } = reader(each, module[name]!);
    expect(tooDear(read)).toBeNull();
    expect(hasAnswered(), "it throws whatever it is given: what it takes has to be made otherwise (`types`)").toBe(
      true,
    );
  });
});

/** Calls it as often as its numbers ask for. It may throw for some of what it is given, but not for all, and never for the length of a text. */
function reader({ takesNumber, argumentsOf }: ExportedFunction, call: (...args: unknown[]) => unknown) {
  let answered = false;
  const numbers = takesNumber ? [0, 100] : [0];
  const read = (text: string) => {
    for (const number of numbers) {
      const args = argumentsOf({ text, number });
      try {
        call(...args);
        answered = true;
      } catch (error) {
        if (error instanceof RangeError && error.message.includes("call stack")) throw error;
      }
    }
  };
  return { read, hasAnswered: () => answered };
}
