import type { ContactField, SplitField } from "../domain/address/form-fields.ts";
import { CONTACT_FIELDS, SPLIT_FIELDS } from "../domain/address/form-fields.ts";
import type { AddressField, ConfirmedSplit } from "../domain/address/address.ts";
import { composeOrigin } from "../domain/address/compose.ts";
import { addressText } from "../domain/address/text.ts";
import { newLink } from "../domain/new-records.ts";
import { versionOf } from "../domain/plan/template-version.ts";
import type { AddressTemplate, LinkRecord, LocationRecord, ShopRecord } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { changeOrigin } from "./change-origin.ts";
import { ensureDetails } from "./ensure-details.ts";
import { recordActivity } from "../activity/record-activity.ts";
import type { Changed, NotFound } from "../runs/run-now.ts";

export type LinkRefusal =
  /** The location has a template already. */
  | { kind: "already_linked" }
  /** The template stands for another location, or for another shop's. */
  | { kind: "taken" }
  /** The template is not as its owner saw it: the run would take what somebody said since for what the owner saw. */
  | { kind: "changed_since" }
  | NotFound;

/** A template as its owner was shown it. */
export interface ShownTemplate {
  templateId: string;
  /** Which content of it was shown; see `versionOf`. */
  templateVersion: string | null;
}

/** Lets an existing template of the account stand for a location; the run then sends what differs. */
export function linkOrigin(
  services: Services,
  { shop, locationId, ...shown }: { shop: string; locationId: string } & ShownTemplate,
): Promise<Changed | LinkRefusal> {
  return changeOrigin(services, {
    shop,
    locationId,
    change: (tables, location) => linkTemplate(services, tables, { location, shown, how: "chosen" }),
  });
}

/**
 * The writing half, in the caller's transaction; null when it is linked. Linking is the owner's consent: it confirms the origin,
 * and what the location lacks is taken from the template, which had it. The consent is to the values that the owner saw: they are what
 * the run compares with.
 */
export async function linkTemplate(
  services: Services,
  tables: Tables,
  { location, shown, how }: { location: LocationRecord; shown: ShownTemplate; how: LinkRecord["how"] },
): Promise<LinkRefusal | null> {
  const { shop, locationId } = location;
  const { templateId, templateVersion } = shown;
  const record = await tables.shops.find({ shop });
  const connection = await tables.connections.find({ shop, current: true });
  const known = connection && (await tables.templates.find({ shop, connectionId: connection.id, templateId }));
  if (!record || !connection || !known) return { kind: "not_found" };
  if (await tables.links.find({ shop, connectionId: connection.id, locationId })) return { kind: "already_linked" };
  if (versionOf(known.template) !== templateVersion) return { kind: "changed_since" };
  const bare = newLink({ id: services.random.id(), connection, locationId, templateId, how });
  const linked = await tables.links.insert({ ...bare, answered: known.template });
  if (!linked) return { kind: "taken" };
  await takeWhatIsLacking(services, tables, { location, record, template: known.template });
  await recordActivity(services, tables, {
    shop,
    actor: "owner",
    kind: "linked",
    outcome: "done",
    locationId,
    locationName: location.name,
    templateId,
  });
  return null;
}

async function takeWhatIsLacking(
  services: Services,
  tables: Tables,
  { location, record, template }: { location: LocationRecord; record: ShopRecord; template: AddressTemplate },
): Promise<void> {
  const { shop, locationId, address } = location;
  const nowMs = services.clock.nowMs();
  const details = await ensureDetails(tables, { shop, locationId });
  const composed = composeOrigin({ address, defaults: record.contact, details });
  const lacking = new Set<AddressField>(
    composed.problems.filter(({ code }) => code === "missing" || code === "unconfirmed").map(({ field }) => field),
  );
  const contact = { ...details.contact };
  for (const field of CONTACT_FIELDS) if (lacking.has(field)) contact[field] = template.address[field];
  const value = (field: SplitField) => (lacking.has(field) ? template.address[field] : composed.fields[field].value);
  const split: ConfirmedSplit | null = SPLIT_FIELDS.some((field) => lacking.has(field) && !isContact(field))
    ? {
        values: Object.fromEntries(SPLIT_FIELDS.map((field) => [field, value(field)])) as ConfirmedSplit["values"],
        readFrom: addressText(address),
      }
    : details.split;
  await tables.details.update(
    { shop, locationId },
    {
      contact,
      split,
      inclusion: details.inclusion === "never" ? "always" : details.inclusion,
      confirmedAtMs: details.confirmedAtMs ?? nowMs,
      revision: details.revision + 1,
    },
  );
}

function isContact(field: AddressField): field is ContactField {
  return (CONTACT_FIELDS as readonly AddressField[]).includes(field);
}
