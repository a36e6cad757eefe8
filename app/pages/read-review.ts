import { CONTACT_FIELDS, SPLIT_FIELDS } from "../domain/address/form-fields.ts";
import type { ContactDetails } from "../domain/address/address.ts";
import { SHOPIFYS_OWN } from "../domain/address/address.ts";
import { shopifyLines } from "../domain/address/lines.ts";
import { addressText } from "../domain/address/text.ts";
import { requiredFields } from "../domain/address/validate.ts";
import { legacyIdOf } from "../domain/location-id.ts";
import type { ShopRecord } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { summaryOfConnection } from "../views/connection-summary.ts";
import { originStatuses } from "../readings/origin-status.ts";
import { proposeTemplates } from "../readings/propose-templates.ts";
import type { OriginRecords } from "../readings/read-origin-facts.ts";
import { readOriginFacts } from "../readings/read-origin-facts.ts";
import { readJob } from "../jobs/read-job.ts";
import { ownReference } from "./read-origin.ts";
import type { ProposalView } from "../views/origin.ts";
import type { ReviewCell, ReviewRowView, ReviewView } from "../views/review.ts";

/** Rows shown at once: more would make the page slow to type in. */
const ROWS_SHOWN = 100;

/** Every location that waits for its owner's word; null when the shop is unknown. */
export async function readReview(services: Services, { shop }: { shop: string }): Promise<ReviewView | null> {
  const known = await readOriginFacts(services, { shop });
  if (!known) return null;
  const states = await originStatuses(services, known.origins);
  const open = states
    .filter(({ state }) => state === "to_review" || state === "incomplete")
    .map(({ origin }) => origin);
  const shown = open.slice(0, ROWS_SHOWN);
  const proposals = await proposeTemplates(services, { connection: known.connection, origins: shown });
  return {
    rows: shown.map((origin) => rowOf(origin, known.shop, proposals.get(origin.location.locationId) ?? [])),
    more: open.length - shown.length,
    contact: known.shop.contact,
    contactRevision: known.shop.revision,
    job: await readJob(services, { shop, kind: "sync" }),
    connection: summaryOfConnection(known.connection),
    confirmed: states.filter(({ state }) => !["to_review", "incomplete", "not_included", "paused"].includes(state))
      .length,
    reconciledAtMs: known.shop.reconciledAtMs,
    nowMs: known.nowMs,
    timeZone: known.shop.timeZone,
  };
}

function rowOf(origin: OriginRecords, shop: ShopRecord, proposals: ProposalView[]): ReviewRowView {
  const { location, details, composed } = origin;
  const cells = Object.fromEntries(
    SPLIT_FIELDS.map((field): [string, ReviewCell] => {
      const { value, confidence } = composed.fields[field];
      const shown = field === "reference" ? ownReference({ composed, shop }) : (value ?? "");
      const problem = composed.problems.find((each) => each.field === field && each.severity === "error");
      return [field, { value: shown, confidence, problem: problem?.code ?? null }];
    }),
  ) as ReviewRowView["cells"];
  return {
    locationId: location.locationId,
    legacyId: legacyIdOf(location.locationId),
    name: location.name,
    shopifyLines: shopifyLines(location.address),
    revision: details?.revision ?? 0,
    readFrom: addressText(location.address),
    cells,
    required: [...requiredFields(location.address.countryCode)],
    inShopify: composed.problems
      .filter(({ field, severity }) => severity === "error" && SHOPIFYS_OWN.includes(field))
      .map(({ field, code }) => ({ field, problem: code })),
    ownContact: Object.fromEntries(
      CONTACT_FIELDS.map((field) => [
        field,
        details?.contact[field] ?? (field === "phone" ? location.address.phone : null),
      ]),
    ) as ContactDetails,
    proposals,
  };
}
