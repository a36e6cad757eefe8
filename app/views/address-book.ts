import type { AddressAttributes, AddressField } from "../domain/address/address.ts";
import type { CarrierStanding } from "../domain/verification/carrier-standing.ts";
import type { AddressTemplate, UnreadableRow } from "../domain/records.ts";
import type { FailureView } from "./failure.ts";
import type { ConnectionSummary } from "./origins.ts";
import type { TimelineEntry } from "./timeline.ts";

/** What the address book shows: every template of the account, as last seen. */

/**
 * `linked`: stands for one of the shop's locations. `elsewhere`: for another store's. `orphan`: we made it once and nobody has it
 * now. `by_hand`: made by somebody, for something else. `coming`: of a location that is to move. `former`: of one that has moved, kept as its
 * owner chose.
 */
export type TemplateOwnership = "linked" | "elsewhere" | "coming" | "former" | "orphan" | "by_hand";

export const BOOK_TABS = ["all", "linked", "orphan", "by_hand"] as const;

export type BookTab = (typeof BOOK_TABS)[number];

export interface BookQuery {
  tab: BookTab;
  search: string;
  page: number;
}

/** A row that the last reading of the book could not read. */
export interface UnreadableView extends Pick<UnreadableRow, "what" | "requestId"> {
  templateId: string | null;
  /** Without our marker; null when the service sent none that can be read. */
  name: string | null;
  sinceMs: number;
  location: { legacyId: string; name: string } | null;
}

export interface BookRowView {
  templateId: string;
  /** Which content of the template this shows; sent back when it is linked. */
  version: string;
  /** Without our marker. */
  alias: string;
  contactName: string | null;
  address: string;
  addressType: string;
  isDefault: boolean;
  ownership: TemplateOwnership;
  location: { legacyId: string; name: string } | null;
  standings: CarrierStanding[];
  /** What is shown is from before: its row cannot be read any more. */
  unreadable: boolean;
}

export interface BookView {
  query: BookQuery;
  rows: BookRowView[];
  counts: Record<BookTab, number>;
  total: number;
  pages: number;
  unreadable: UnreadableView[];
  /** Why the whole book cannot be read: once that lasts, and at once where it is too long. */
  failure: FailureView | null;
  connection: ConnectionSummary | null;
  /** When the whole account was last read. */
  bookReadAtMs: number | null;
  nowMs: number;
}

export interface TemplateView {
  templateId: string;
  alias: string;
  /** As the form shows it; sent back with it, so that only what the person changed goes out. */
  base: AddressTemplate;
  address: AddressAttributes;
  /** Fields that are empty there and that the form shows as they were: the next write puts them back. */
  emptied: AddressField[];
  ownership: TemplateOwnership;
  location: { legacyId: string; name: string } | null;
  standings: CarrierStanding[];
  readAtMs: number;
  timeline: TimelineEntry[];
  unreadable: Pick<UnreadableView, "what" | "requestId" | "sinceMs"> | null;
  /** What the change by hand that is under way fails of, or waits for; null when none is, or nothing is in its way. */
  change: FailureView | null;
  /** A change by hand has not ended yet, whatever becomes of it. */
  underWay: boolean;
  /** Carriers to offer beside those known here. */
  otherCarriers: string[];
  connection: ConnectionSummary | null;
  nowMs: number;
}
