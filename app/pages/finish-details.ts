import type { FormField } from "../domain/address/form-fields.ts";
import { FORM_CONTACT_FIELDS, SPLIT_FIELDS } from "../domain/address/form-fields.ts";
import type { ConfirmedSplit } from "../domain/address/address.ts";
import type { Services } from "../ports.ts";
import { shownReference } from "./read-origin.ts";
import { readOriginFacts } from "../readings/read-origin-facts.ts";
import { saveOriginDetails } from "../origins/save-origin-details.ts";
import type { SaveOutcome } from "../origins/save-origin-details.ts";

export interface FinishedDetails {
  locationId: string;
  /** What the form showed: see `StatedDetails`. */
  revision: number;
  readFrom: string;
  values: Partial<Record<FormField, string>>;
}

/**
 * Saves the few fields a short form asked for; the rest of the address stays as it is read. A guess that the form did not show is
 * refused as unconfirmed: nothing unsure is ever sent unseen.
 */
export async function finishDetails(
  services: Services,
  input: { shop: string; finished: FinishedDetails },
): Promise<SaveOutcome> {
  const { shop, finished } = input;
  const { locationId, revision, readFrom, values } = finished;
  const known = await readOriginFacts(services, { shop, locationId });
  const origin = known?.origins[0];
  if (!known || !origin) return { kind: "not_found" };
  const { composed } = origin;
  const unseen = composed.problems.filter(({ field, code }) => code === "unconfirmed" && !(field in values));
  if (unseen.length > 0) return { kind: "invalid", problems: unseen };
  const split = Object.fromEntries(
    SPLIT_FIELDS.map((field) => [field, values[field] ?? composed.fields[field].value]),
  ) as ConfirmedSplit["values"];
  split.reference = values.reference ?? shownReference({ composed, shop: known.shop });
  const contact = Object.fromEntries(
    FORM_CONTACT_FIELDS.filter((field) => field in values).map((field) => [field, values[field]!]),
  );
  return saveOriginDetails(services, { shop, stated: { locationId, revision, readFrom, contact, split } });
}
