import type { AddressField, Confidence, ContactDetails, ProblemCode } from "../domain/address/address.ts";
import type { ContactField, SplitField } from "../domain/address/form-fields.ts";
import type { PostalFacts } from "../domain/mexico/postal-codes.ts";
import type { JobView } from "./job.ts";
import type { ProposalView } from "./origin.ts";
import type { ConnectionSummary } from "./origins.ts";

/** What Review shows: every location that waits for its owner's word, and what the whole shop shares. */

export interface ReviewCell {
  value: string;
  confidence: Confidence;
  /** What may be chosen instead, see `FieldReading`. */
  offers: readonly string[];
  problem: ProblemCode | null;
}

export interface ReviewRowView {
  locationId: string;
  legacyId: string;
  name: string;
  shopifyLines: string[];
  revision: number;
  readFrom: string;
  /** Each is edited in place. */
  cells: Record<SplitField, ReviewCell>;
  /** As Shopify has it. */
  postalCode: string | null;
  /** The state in Shopify, and what the list of postal codes in use says of the code there; null where it says nothing. */
  state: string | null;
  postal: PostalFacts | null;
  /** Fields this address cannot be sent without. */
  required: AddressField[];
  /** What only Shopify's page of the location mends. */
  inShopify: { field: AddressField; problem: ProblemCode }[];
  /** Contact fields the location has of its own, from an earlier save or from Shopify's text. */
  ownContact: ContactDetails;
  /** Those of its contact fields, with the reference, that its owner has said for this location. */
  typed: ContactField[];
  /**
   * The account holds an address of it, which the confirmed one replaces: whether Shopify's has changed since its owner confirmed that. Null
   * where it holds none.
   */
  inAccount: "changed" | "same" | null;
  /** Templates of the account that are likely this location. */
  proposals: ProposalView[];
}

export interface ReviewView {
  rows: ReviewRowView[];
  /** Rows that come once these are confirmed. */
  more: number;
  contact: ContactDetails;
  contactRevision: number;
  job: JobView | null;
  connection: ConnectionSummary | null;
  /** Shop's locations that are confirmed already. */
  confirmed: number;
  reconciledAtMs: number | null;
  nowMs: number;
  timeZone: string;
}
