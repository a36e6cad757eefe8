/**
 * The one definition of the fields that people fill in: their names, their order, which stand side by side, and how long a value may be.
 * The page of an origin, Review, the shop's contact, the address book's form and the order page's extension all render from it, and the
 * routes make their schemas of it. A field's name is also the key of its label: `common:fields.*` in the app, `field.*` in the extension.
 * No other file lists these names; test/domain/address/form-fields.test.ts looks for one that does.
 */

/** The text of a location's address, which a form repeats: six of Shopify's fields, in UTF-16 units. */
export const LONGEST_ADDRESS = 4_000;

/** The text fields of an account's credentials. An id or a secret has some sixty characters; a list of scopes, or an address, may have more. */
export const CREDENTIAL_FIELDS = ["clientId", "clientSecret", "scope", "redirectUri"] as const;
export type CredentialField = (typeof CREDENTIAL_FIELDS)[number];

/** How many characters a person may write in a credential. */
export const LONGEST_CREDENTIAL = 1_000;

/** How many characters a person may write in a field. Shopify's own fields hold 255; the service may take fewer, and says so itself. */
export function longestOf(field: string): number {
  if ((CREDENTIAL_FIELDS as readonly string[]).includes(field)) return LONGEST_CREDENTIAL;
  return field === "reference" ? 500 : 255;
}

/**
 * The fields that may be misread from a location's text, row by row. An owner confirms them together, and they lapse together when the text
 * changes.
 */
export const PLACE_ROWS = [
  ["street1"],
  ["street_number", "apartment_number"],
  ["area_level3", "area_level2"],
  ["reference"],
] as const;

/**
 * The cells of Review, line by line. The postal code comes first, because it settles the three beside it. It and the state are Shopify's and
 * are only shown.
 */
export const REVIEW_ROWS = [
  ["postal_code", "area_level3", "area_level2", "area_level1"],
  ["street1", "street_number", "apartment_number", "reference"],
] as const;

/** Fields with short values: two of them stand side by side on a phone, too. */
export const SHORT_FIELDS: readonly string[] = PLACE_ROWS[1];

/** The fields that Shopify has no place for and that a shop can fill in once for all locations, row by row. */
export const SHOP_CONTACT_ROWS = [
  ["name", "company"],
  ["email", "phone"],
  ["reference", "rfc"],
] as const;

export type SplitField = (typeof PLACE_ROWS)[number][number];
export type ContactField = (typeof SHOP_CONTACT_ROWS)[number][number];

/** Fields that several locations may well have alike, so that a value can be copied into the rows of Review that lack it. */
export const REPEATED_FIELDS = [...PLACE_ROWS[2], ...PLACE_ROWS[3]] as const;
export type RepeatedField = (typeof REPEATED_FIELDS)[number];

/** A contact field in the form of one location, where the reference belongs to the place. */
export type FormContactField = Exclude<ContactField, SplitField>;
export type FormField = SplitField | FormContactField;

export const SPLIT_FIELDS: readonly SplitField[] = PLACE_ROWS.flat();
export const CONTACT_FIELDS: readonly ContactField[] = SHOP_CONTACT_ROWS.flat();

/** The shop's contact rows without the fields that the place rows hold already. */
export const CONTACT_ROWS: readonly (readonly FormContactField[])[] = SHOP_CONTACT_ROWS.map((row) =>
  row.filter(isContactOnly),
);
export const FORM_CONTACT_FIELDS: readonly FormContactField[] = CONTACT_ROWS.flat();

/** The form of one location, in the order in which it is read. */
export const FORM_FIELDS: readonly FormField[] = [...SPLIT_FIELDS, ...FORM_CONTACT_FIELDS];

/** The place rows of an address book's template, which is edited whole: it has the fields that Shopify fills in for a location, too. */
export const TEMPLATE_PLACE_ROWS = [
  ["street1"],
  ["street_number", "apartment_number"],
  ["area_level3", "postal_code"],
  ["area_level2", "area_level1"],
  ["country_code", "reference"],
] as const;

function isContactOnly(field: ContactField): field is FormContactField {
  return !(SPLIT_FIELDS as readonly string[]).includes(field);
}

export function isContactField(field: string): field is ContactField {
  return (CONTACT_FIELDS as readonly string[]).includes(field);
}

/** One value for each field, made by a rule. */
export function eachField<F extends string, T>(fields: readonly F[], rule: (field: F) => T): Record<F, T> {
  return Object.fromEntries(fields.map((field) => [field, rule(field)])) as Record<F, T>;
}
