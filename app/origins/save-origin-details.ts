import type { ContactField, SplitField } from "../domain/address/form-fields.ts";
import { CONTACT_FIELDS, SPLIT_FIELDS } from "../domain/address/form-fields.ts";
import type { ComposedOrigin, ConfirmedSplit, ContactDetails, FieldProblem } from "../domain/address/address.ts";
import { SHOPIFYS_OWN } from "../domain/address/address.ts";
import { composeOrigin } from "../domain/address/compose.ts";
import { restored } from "../domain/address/long-text.ts";
import { tooLong } from "../domain/address/validate.ts";
import { addressText } from "../domain/address/text.ts";
import type { DetailsRecord, LocationRecord, ShopRecord } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { ensureDetails } from "./ensure-details.ts";
import { keepContact } from "../shop/keep-contact.ts";
import { contactForAll, onlyOriginOf } from "../readings/only-origin.ts";
import { requestWork } from "../runs/request-work.ts";
import { readOriginFacts } from "../readings/read-origin-facts.ts";
import { recordActivity } from "../activity/record-activity.ts";
import type { RunProgress } from "../runs/run-now.ts";
import { runNow } from "../runs/run-now.ts";

/** What one person says of one location, and which state of things they were looking at. */
export interface StatedDetails {
  locationId: string;
  revision: number;
  /** `addressText` of the location as it was shown. */
  readFrom: string;
  contact: Partial<ContactDetails>;
  split: ConfirmedSplit["values"];
}

export type SaveOutcome = { kind: "done"; progress: RunProgress } | DetailsRefusal;

export type DetailsRefusal =
  | { kind: "invalid"; problems: FieldProblem[] }
  /** Somebody saved this origin since it was shown. */
  | { kind: "stale" }
  /** Shopify's text of the location changed since it was shown. */
  | { kind: "moved" }
  | { kind: "not_found" };

/** Stores what the owner said, which confirms the origin, and runs its sync at once. */
export async function saveOriginDetails(
  services: Services,
  input: { shop: string; stated: StatedDetails },
): Promise<SaveOutcome> {
  const { shop, stated } = input;
  const known = await readOriginFacts(services, { shop });
  const only = known !== null && onlyOriginOf(known.origins) === stated.locationId;
  const stored = await services.store.transaction(shop, async (tables) => {
    const refusal = await storeDetails(services, tables, { ...input, only });
    if (refusal) return refusal;
    return requestWork(services, tables, {
      shop,
      kind: "location",
      key: stated.locationId,
    });
  });
  if ("kind" in stored) return stored;
  return { kind: "done", progress: await runNow(services, { shop, ...stored }) };
}

/**
 * The writing half, in the caller's transaction: null when it is stored. Checks before it writes. Of the `only` origin the contact is
 * kept for the whole shop: it is all that its owner has said so far of whom to call.
 */
export async function storeDetails(
  services: Services,
  tables: Tables,
  { shop, stated, only = false }: { shop: string; stated: StatedDetails; only?: boolean },
): Promise<DetailsRefusal | null> {
  const { locationId, revision, readFrom } = stated;
  const location = await tables.locations.find({ shop, locationId });
  const record = await tables.shops.find({ shop });
  if (!location || !record) return { kind: "not_found" };
  const nowMs = services.clock.nowMs();
  const before = await ensureDetails(tables, { shop, locationId });
  if (before.revision !== revision) return { kind: "stale" };
  if (addressText(location.address) !== readFrom) return { kind: "moved" };
  const shown = picked([...CONTACT_FIELDS], (field) => before.contact[field] ?? record.contact[field]);
  // The reference is the place's, and the shop's as long as nobody gave the place one.
  const there = { ...shown, ...before.split?.values };
  const said = restored(tidied(stated.contact, CONTACT_FIELDS), shown);
  const forAll = only ? contactForAll(location.address).filter((field) => field in said) : [];
  // What is emptied gives way to the shop's, unless the shop's is what was shown.
  const emptied = (field: ContactField) => (before.contact[field] === null ? null : record.contact[field]);
  const shared = { ...record.contact, ...picked(forAll, (field) => said[field] ?? emptied(field)) };
  const contact = { ...before.contact, ...said, ...picked(forAll, () => null) };
  const split: ConfirmedSplit = {
    values: restored(tidied(stated.split, SPLIT_FIELDS), there) as ConfirmedSplit["values"],
    readFrom,
  };
  const composed = composeOrigin({
    address: location.address,
    postal: location.postal,
    defaults: shared,
    details: { contact, split },
  });
  const long = tooLong({ ...said, ...split.values }, there);
  // What is Shopify's keeps the origin incomplete and does not stop a save.
  const problems = [...long, ...composed.problems].filter(
    ({ field, severity }) => severity === "error" && !SHOPIFYS_OWN.includes(field),
  );
  if (problems.length > 0) return { kind: "invalid", problems };
  const after: Partial<DetailsRecord> = {
    contact,
    split,
    confirmedAtMs: before.confirmedAtMs ?? nowMs,
    revision: revision + 1,
  };
  const changed = await tables.details.update({ shop, locationId, revision }, after);
  if (changed === 0) return { kind: "stale" };
  await keepContact(services, tables, { shop, contact: shared, revision: record.revision });
  await recordActivity(services, tables, {
    shop,
    actor: "owner",
    kind: before.confirmedAtMs === null ? "origin_confirmed" : "details_saved",
    outcome: "done",
    locationId,
    locationName: location.name,
    fields: changesOf({ before, shown: shownOf({ location, record, before }), contact, split }),
  });
  return null;
}

function picked<F extends string>(fields: F[], value: (field: F) => string | null): Partial<Record<F, string | null>> {
  return Object.fromEntries(fields.map((field) => [field, value(field)])) as Partial<Record<F, string | null>>;
}

function tidied<F extends string>(
  values: Partial<Record<F, string | null>>,
  fields: readonly F[],
): Partial<Record<F, string | null>> {
  return Object.fromEntries(
    fields.filter((field) => field in values).map((field) => [field, values[field]?.trim() || null]),
  ) as Partial<Record<F, string | null>>;
}

/** What the form showed of the split: what a person said before, or what was read in the location's text. */
function shownOf({
  location,
  record,
  before,
}: {
  location: LocationRecord;
  record: ShopRecord;
  before: DetailsRecord;
}): Record<SplitField, string | null> {
  const { address, postal } = location;
  const { fields } = composeOrigin({ address, postal, defaults: record.contact, details: before });
  const own = ({ value, source }: ComposedOrigin["fields"][SplitField]) => (source === "shop" ? null : value || null);
  return Object.fromEntries(SPLIT_FIELDS.map((field) => [field, own(fields[field])])) as Record<
    SplitField,
    string | null
  >;
}

function changesOf({
  before,
  shown,
  contact,
  split,
}: {
  before: DetailsRecord;
  shown: Record<SplitField, string | null>;
  contact: ContactDetails;
  split: ConfirmedSplit;
}) {
  const contacts = CONTACT_FIELDS.map((field) => ({
    field: field as string,
    from: before.contact[field],
    to: contact[field],
  }));
  const splits = SPLIT_FIELDS.map((field) => ({
    field: field as string,
    from: shown[field],
    to: split.values[field],
  }));
  return [...contacts, ...splits].filter(({ from, to }) => from !== to);
}
