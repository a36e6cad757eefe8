import type { ContactField, SplitField } from "./form-fields.ts";

/**
 * The domain: what is true of addresses, plans and verification, whatever the framework, the store or the network. Pure. The domain imports
 * only itself and a list of pure packages, which a test holds. Nothing here reads a clock, a row or a socket.
 */

/**
 * The fields of `address_attributes` (docs/shipping-interface.md, 2.2 and 4.3), named as the interface names them. They stand in the order
 * in which a Mexican reads an address, because every list of fields on a page follows this order: the person, then from the street to the
 * country, then phone and e-mail.
 */
export const ADDRESS_FIELDS = [
  "name",
  "company",
  "street1",
  "street_number",
  "apartment_number",
  "area_level3",
  "postal_code",
  "area_level2",
  "area_level1",
  "country_code",
  "reference",
  "email",
  "phone",
  "rfc",
] as const;

export type AddressField = (typeof ADDRESS_FIELDS)[number];

/** An address as the service takes it. `null` says "no value". A partial update leaves out the fields that it does not change. */
export type AddressAttributes = Record<AddressField, string | null>;

/** An address without any value. */
export const NO_ADDRESS = Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, null])) as AddressAttributes;

/** What Shopify keeps of a location's address (Admin API, `LocationAddress`). */
export interface ShopifyAddress {
  address1: string | null;
  address2: string | null;
  city: string | null;
  province: string | null;
  provinceCode: string | null;
  countryCode: string | null;
  zip: string | null;
  phone: string | null;
}

/** The fields that can be read from a location's own text. */
export type LocationField = Extract<
  AddressField,
  | "street1"
  | "street_number"
  | "apartment_number"
  | "postal_code"
  | "area_level1"
  | "area_level2"
  | "area_level3"
  | "country_code"
  | "phone"
  | "reference"
>;

/** The fields that an owner can correct only on Shopify's own page of the location. */
export const SHOPIFYS_OWN: readonly AddressField[] = [
  "postal_code",
  "area_level1",
  "country_code",
] satisfies readonly LocationField[];

/** Shop-wide details; a location's own override them field by field. */
export type ContactDetails = Record<ContactField, string | null>;

/** A split of an address that a person confirmed, with the Shopify text it was read from (`addressText`). */
export interface ConfirmedSplit {
  values: Record<SplitField, string | null>;
  readFrom: string;
}

/** The fields that say where an address is. */
export type PlaceField = SplitField | "postal_code" | "area_level1" | "country_code";

export type PlaceValues = Record<PlaceField, string | null>;

/** A place that stands for Shopify's address of a location. */
export interface HeldPlace {
  values: PlaceValues;
  /** Shopify's text (`addressText`) that it was held against. Once Shopify shows another one, the owner is asked. */
  against: string;
  /** `moved`: the location has moved here, and Shopify shows the former place. `early`: Shopify shows the coming place before the day. */
  why: "moved" | "early";
}

/** What the app keeps of one location. */
export interface OriginDetails {
  contact: ContactDetails;
  split: ConfirmedSplit | null;
  /** Null where Shopify's own address holds. */
  held: HeldPlace | null;
}

/** Where a field's value comes from; `list` is the list of postal codes. */
export type FieldSource = "shopify" | "list" | "owner" | "shop" | "guess" | "none";

/** `sure` may be sent; `unsure` waits for a person; `absent` means the text does not hold it. */
export type Confidence = "sure" | "unsure" | "absent";

export interface FieldReading {
  value: string | null;
  source: FieldSource;
  confidence: Confidence;
  /**
   * What the list of postal codes has instead: what the code says where the address says otherwise, the city where the municipality stands
   * in its place, or settlements with nearly this name. Absent where there is nothing to offer.
   */
  offers?: readonly string[];
}

/** A location's text, read. */
export type AddressReading = Record<LocationField, FieldReading>;

/** What is wrong with a field; the locales hold a message for each code (`problem.<code>`). */
export type ProblemCode =
  | "missing"
  | "unconfirmed"
  | "postal_code_format"
  | "postal_code_state"
  | "email_format"
  | "phone_format"
  | "rfc_format"
  | "rfc_check_digit"
  | "country_code_format"
  | "too_long"
  /** Shopify shows neither the place that is held nor the one that it was held against. */
  | "moved_elsewhere";

export interface FieldProblem {
  field: AddressField;
  code: ProblemCode;
  /** A warning is shown and does not stop the address from being sent. */
  severity: "error" | "warning";
}

/** A location, its details and the shop's defaults, put together. */
export interface ComposedOrigin {
  fields: Record<AddressField, FieldReading>;
  /** The address as it will be sent. Null while a problem of severity `error` remains, so that an address is never sent in part. */
  attributes: AddressAttributes | null;
  problems: FieldProblem[];
  /** True when a confirmed split exists and the Shopify text it was read from has changed since. */
  splitLapsed: boolean;
}
