import { NO_ADDRESS } from "../../app/domain/address/address.ts";
import type { ContactDetails } from "../../app/domain/address/address.ts";
import type { ProposalView } from "../../app/views/origin.ts";
import type { ReviewRowView, ReviewView } from "../../app/views/review.ts";
import { NO_CONTACT, NOW_MS } from "./records.ts";
import { CONTACT } from "./world.ts";

/** What Review's pages are made of: a location that lacks nothing but a reference, and templates that may be it. */

export const cell = (value: string) => ({ value, confidence: "sure" as const, offers: [], problem: null });

export const proposal = (how: ProposalView["how"]): ProposalView => ({
  templateId: "t-1",
  version: "v-1",
  ownVersion: "o-1",
  alias: "Bodega",
  address: "",
  there: NO_ADDRESS,
  how,
  differences: [],
  contact: [],
});

export function row(over: Partial<ReviewRowView> = {}): ReviewRowView {
  return {
    locationId: "1",
    legacyId: "1",
    name: "Bodega",
    shopifyLines: [],
    revision: 0,
    readFrom: "text",
    cells: {
      street1: cell("Av. Vallarta"),
      street_number: cell("100"),
      apartment_number: cell(""),
      area_level3: cell("Americana"),
      area_level2: cell("Guadalajara"),
      reference: cell(""),
    },
    postalCode: "44160",
    state: "Jalisco",
    postal: null,
    required: ["name", "street1", "area_level3", "area_level2", "phone", "email", "reference"],
    inShopify: [],
    ownContact: { ...NO_CONTACT, phone: "3336150000" },
    typed: [],
    inAccount: null,
    proposals: [],
    ...over,
  };
}

export function view(rows: ReviewRowView[], contact: ContactDetails = CONTACT): ReviewView {
  const rest = {
    more: 0,
    contactRevision: 0,
    job: null,
    connection: null,
    confirmed: 0,
    reconciledAtMs: null,
    nowMs: NOW_MS,
    timeZone: "UTC",
  };
  return { rows, contact, ...rest };
}
