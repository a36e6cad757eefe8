import type { ContactField, SplitField } from "./form-fields.ts";
import { CONTACT_FIELDS, eachField, SPLIT_FIELDS } from "./form-fields.ts";
import { fold, tidy } from "./fold.ts";
import { addressText } from "./text.ts";
import { isMexico, validateAddress } from "./validate.ts";
import { ADDRESS_FIELDS } from "./address.ts";
import type {
  AddressAttributes,
  AddressField,
  AddressReading,
  ComposedOrigin,
  ConfirmedSplit,
  ContactDetails,
  FieldProblem,
  FieldReading,
  HeldPlace,
  OriginDetails,
  PlaceField,
  ShopifyAddress,
} from "./address.ts";
import { PLACE_FIELDS } from "./place.ts";
import type { PostalFacts } from "../mexico/postal-codes.ts";
import { normalisePhone } from "../mexico/phone.ts";
import { readLocationAddress } from "../mexico/read-location.ts";
import { normaliseRfc } from "../mexico/rfc.ts";

const NOTHING: FieldReading = { value: null, source: "none", confidence: "absent" };
/** The owner says that there is none. */
const ABSENT: FieldReading = { value: null, source: "owner", confidence: "absent" };

/**
 * Puts together a location's address in Shopify, its owner's details and the shop's defaults. An address is sent whole or not at all: while
 * a part of it is unsure or a required field is missing, `attributes` is null.
 */
export function composeOrigin(given: {
  address: ShopifyAddress;
  /** What the list of postal codes said of the address's code; null when it said nothing. */
  postal: PostalFacts | null;
  defaults: ContactDetails;
  details: OriginDetails | null;
}): ComposedOrigin {
  const { address, postal, defaults, details } = given;
  const text = addressText(address);
  const held = details?.held ?? null;
  // A held place is whole: no part of it is read from the text of another.
  const split = held === null ? (details?.split ?? null) : null;
  const holds = split !== null && split.readFrom === text;
  const reading = readingOf(address, postal);
  const place = { ...reading, ...(held ? heldFields(held) : holds ? confirmedFields(split) : {}) };
  const fields = { ...place, ...contactFields({ place, defaults, own: details?.contact ?? null }) };
  const attributes = attributesOf(fields);
  const problems = [
    ...unconfirmed(fields),
    ...withAnotherState(fields, validateAddress(attributes)),
    ...(holds || held ? [] : missingNumber(attributes)),
    ...(held !== null && held.against !== text ? [MOVED_ELSEWHERE] : []),
  ];
  return {
    fields,
    attributes: problems.some(({ severity }) => severity === "error") ? null : attributes,
    problems,
    splitLapsed: split !== null && !holds,
  };
}

const MOVED_ELSEWHERE: FieldProblem = { field: "street1", code: "moved_elsewhere", severity: "error" };

/** By the address itself: what was read of it stays, whatever its owner says beside it, and goes with it. */
const readings = new WeakMap<ShopifyAddress, { postal: PostalFacts | null; reading: AddressReading }>();

function readingOf(address: ShopifyAddress, postal: PostalFacts | null): AddressReading {
  const before = readings.get(address);
  if (before?.postal === postal) return before.reading;
  const reading = readLocationAddress(address, postal);
  readings.set(address, { postal, reading });
  return reading;
}

function said(value: string | null | undefined, source: "owner" | "shop"): FieldReading | null {
  return tidy(value) === "" ? null : { value: tidy(value), source, confidence: "sure" };
}

function confirmedFields(split: ConfirmedSplit): Record<SplitField, FieldReading> {
  const entries = SPLIT_FIELDS.map((field) => [field, said(split.values[field], "owner") ?? ABSENT]);
  return Object.fromEntries(entries) as Record<SplitField, FieldReading>;
}

function heldFields({ values }: HeldPlace): Record<PlaceField, FieldReading> {
  return eachField(PLACE_FIELDS, (field) => said(values[field], "owner") ?? ABSENT);
}

function contactFields(given: {
  place: AddressReading;
  own: ContactDetails | null;
  defaults: ContactDetails;
}): Record<ContactField, FieldReading> {
  const { place, own, defaults } = given;
  const entries = CONTACT_FIELDS.map((field) => {
    const owners = said(own?.[field], "owner");
    const shops = said(defaults[field], "shop");
    if (field === "reference") return [field, referenceOf(place.reference, owners ?? shops)];
    if (field === "phone")
      return [field, owners ?? (place.phone.confidence === "sure" ? place.phone : (shops ?? place.phone))];
    return [field, owners ?? shops ?? NOTHING];
  });
  return Object.fromEntries(entries) as Record<ContactField, FieldReading>;
}

/** The cross streets that the address names come first, then the owner's reference: neither is dropped for the other. */
function referenceOf(fromPlace: FieldReading, words: FieldReading | null): FieldReading {
  if (fromPlace.value === null || fromPlace.source === "owner")
    return fromPlace.value === null ? (words ?? NOTHING) : fromPlace;
  if (words === null) return fromPlace;
  const value = fold(words.value).includes(fold(fromPlace.value)) ? words.value : `${fromPlace.value}, ${words.value}`;
  return { value, source: words.source, confidence: fromPlace.confidence };
}

function attributesOf(fields: Record<AddressField, FieldReading>): AddressAttributes {
  const country = fields.country_code.value ?? "";
  const formed: Partial<Record<AddressField, (value: string) => string>> = {
    phone: (value) => normalisePhone(value, country) ?? value,
    rfc: (value) => (isMexico(country) ? normaliseRfc(value) : value),
  };
  const entries = ADDRESS_FIELDS.map((field) => {
    const { value } = fields[field];
    return [field, value === null ? null : (formed[field]?.(value) ?? value)];
  });
  return Object.fromEntries(entries) as AddressAttributes;
}

function unconfirmed(fields: Record<AddressField, FieldReading>): FieldProblem[] {
  return SPLIT_FIELDS.filter((field) => fields[field].confidence === "unsure" && fields[field].value !== null).map(
    (field) => ({ field, code: "unconfirmed", severity: "error" }),
  );
}

/** A state that the postal code's own contradicts is Shopify's to mend, like one that its first digits contradict. */
function withAnotherState(fields: Record<AddressField, FieldReading>, problems: FieldProblem[]): FieldProblem[] {
  const contradicts = fields.area_level1.confidence === "unsure" && fields.area_level1.offers !== undefined;
  const isTold = problems.some(({ field }) => field === "postal_code");
  return contradicts && !isTold
    ? [...problems, { field: "postal_code", code: "postal_code_state", severity: "error" }]
    : problems;
}

/** Warns of a missing number: the service does not require one, but a driver needs it. */
function missingNumber({ country_code, street1, street_number }: AddressAttributes): FieldProblem[] {
  const lacks = isMexico(country_code) && street1 !== null && street_number === null;
  return lacks ? [{ field: "street_number", code: "missing", severity: "warning" }] : [];
}
