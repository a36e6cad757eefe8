import { isDisconnected } from "../domain/closed-reason.ts";
import { wholeLookAtMs } from "../readings/whole-look.ts";
import { CONTACT_FIELDS, SPLIT_FIELDS } from "../domain/address/form-fields.ts";
import type { ComposedOrigin, ContactDetails } from "../domain/address/address.ts";
import { SHOPIFYS_OWN } from "../domain/address/address.ts";
import { shopifyLines } from "../domain/address/lines.ts";
import { addressText } from "../domain/address/text.ts";
import { requiredFields } from "../domain/address/validate.ts";
import { ownSides } from "../domain/plan/adoption.ts";
import type { PostalFacts } from "../domain/mexico/postal-codes.ts";
import { postalCodeOf } from "../domain/mexico/read-location.ts";
import { legacyIdOf } from "../domain/location-id.ts";
import type { ShopRecord } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { summaryOfConnection } from "../views/connection-summary.ts";
import { composeOnce } from "../readings/compose-once.ts";
import { originStatuses } from "../readings/origin-status.ts";
import { proposeTemplates } from "../readings/propose-templates.ts";
import type { OriginRecords } from "../readings/read-origin-facts.ts";
import { readOriginFacts } from "../readings/read-origin-facts.ts";
import { readJobInReview } from "../jobs/read-job.ts";
import { shownReference } from "./read-origin.ts";
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
  const codeOf = ({ location }: OriginRecords) => postalCodeOf(location.address) ?? "";
  const listed = await services.store.postalCodes.findAll(shown.map(codeOf).filter(Boolean));
  const proposals = await proposeTemplates(services, { connection: known.connection, origins: shown });
  return {
    rows: shown.map((origin) =>
      rowOf(origin, {
        shop: known.shop,
        listed: listed.get(codeOf(origin)) ?? null,
        proposals: proposals.get(origin.location.locationId) ?? [],
      }),
    ),
    more: open.length - shown.length,
    contact: known.shop.contact,
    contactRevision: known.shop.revision,
    job: await readJobInReview(services, { shop }),
    connection: summaryOfConnection(known.connection),
    confirmed: states.filter(({ state }) => !["to_review", "incomplete", "not_included", "paused"].includes(state))
      .length,
    reconciledAtMs: wholeLookAtMs(known.shop, known.connection),
    nowMs: known.nowMs,
    timeZone: known.shop.timeZone,
  };
}

/**
 * The address as Review shows it: what the list of postal codes in use would settle is filled in for the owner to confirm, and nothing that is
 * sure already is touched. What the list has instead of a value is offered beside it.
 */
function withSuggestions(
  { location: { address }, details, composed }: OriginRecords,
  { shop, listed }: { shop: ShopRecord; listed: PostalFacts | null },
): ComposedOrigin {
  if (listed === null) return composed;
  const { fields: now } = composeOnce({ address, postal: listed, defaults: shop.contact, details });
  const fields = SPLIT_FIELDS.map((field) => {
    const [was, is] = [composed.fields[field], now[field]];
    if (was.confidence !== "sure" && is.confidence === "sure" && is.value !== null)
      return [field, { ...is, confidence: "unsure" }] as const;
    return [field, was.value === is.value && is.offers ? { ...was, offers: is.offers } : was] as const;
  });
  return { ...composed, fields: { ...composed.fields, ...Object.fromEntries(fields) } };
}

function rowOf(
  origin: OriginRecords,
  { shop, listed, proposals }: { shop: ShopRecord; listed: PostalFacts | null; proposals: ProposalView[] },
): ReviewRowView {
  const { location, details } = origin;
  const composed = withSuggestions(origin, { shop, listed });
  const cells = Object.fromEntries(
    SPLIT_FIELDS.map((field): [string, ReviewCell] => {
      const { value, confidence, offers = [] } = composed.fields[field];
      const shown = field === "reference" ? shownReference({ composed, shop }) : (value ?? "");
      const problem = composed.problems.find((each) => each.field === field && each.severity === "error");
      return [field, { value: shown, confidence, offers, problem: problem?.code ?? null }];
    }),
  ) as ReviewRowView["cells"];
  const own = ownSides(composed);
  const { source, confidence } = composed.fields.phone;
  // Shopify's, where it can be dialled; the shop's own counts else.
  const ownPhone = source === "shopify" && confidence === "sure" ? own.phone.value : null;
  return {
    locationId: location.locationId,
    legacyId: legacyIdOf(location.locationId),
    name: location.name,
    shopifyLines: shopifyLines(location.address),
    revision: details?.revision ?? 0,
    readFrom: addressText(location.address),
    cells,
    postalCode: composed.fields.postal_code.value,
    state: composed.fields.area_level1.value,
    postal: listed,
    required: [...requiredFields(location.address.countryCode)],
    inShopify: composed.problems
      .filter(({ field, severity }) => severity === "error" && SHOPIFYS_OWN.includes(field))
      .map(({ field, code }) => ({ field, problem: code })),
    ownContact: Object.fromEntries(
      CONTACT_FIELDS.map((field) => [field, details?.contact[field] ?? (field === "phone" ? ownPhone : null)]),
    ) as ContactDetails,
    typed: CONTACT_FIELDS.filter((field) => own[field].typed),
    inAccount: inAccount(origin),
    proposals,
  };
}

/** With no account connected nothing can be said of what a confirmation does there. */
function inAccount({ link, connection, composed }: OriginRecords): ReviewRowView["inAccount"] {
  if (isDisconnected(connection) || link === null || link.syncedAtMs === null || link.missingSinceMs !== null)
    return null;
  const hasMoved = composed.splitLapsed || composed.problems.some(({ code }) => code === "moved_elsewhere");
  return hasMoved ? "changed" : "same";
}
