import type { ContactField, SplitField } from "../domain/address/form-fields.ts";
import { CONTACT_FIELDS, SPLIT_FIELDS } from "../domain/address/form-fields.ts";
import type { AddressField, ConfirmedSplit } from "../domain/address/address.ts";
import { composeOrigin } from "../domain/address/compose.ts";
import { addressText } from "../domain/address/text.ts";
import { newLink } from "../domain/new-records.ts";
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
  | NotFound;

/** Lets an existing template of the account stand for a location; the run then sends what differs. */
export function linkOrigin(
  services: Services,
  { shop, locationId, templateId }: { shop: string; locationId: string; templateId: string },
): Promise<Changed | LinkRefusal> {
  return changeOrigin(services, {
    shop,
    locationId,
    change: (tables, location) => linkTemplate(services, tables, { location, templateId, how: "chosen" }),
  });
}

/**
 * The writing half, in the caller's transaction; null when it is linked. Linking is the owner's consent: it confirms the origin,
 * and what the location lacks is taken from the template, which had it.
 */
export async function linkTemplate(
  services: Services,
  tables: Tables,
  { location, templateId, how }: { location: LocationRecord; templateId: string; how: LinkRecord["how"] },
): Promise<LinkRefusal | null> {
  const { shop, locationId } = location;
  const record = await tables.shops.find({ shop });
  const connection = await tables.connections.find({ shop, current: true });
  const known = connection && (await tables.templates.find({ shop, connectionId: connection.id, templateId }));
  if (!record || !connection || !known) return { kind: "not_found" };
  if (await tables.links.find({ shop, connectionId: connection.id, locationId })) return { kind: "already_linked" };
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
