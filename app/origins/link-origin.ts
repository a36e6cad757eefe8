import type { ContactDetails, OriginDetails } from "../domain/address/address.ts";
import { composeOrigin } from "../domain/address/compose.ts";
import { addressText } from "../domain/address/text.ts";
import { newLink } from "../domain/new-records.ts";
import { adoptedDetails, adoptedFields, ownSides, ownVersion } from "../domain/plan/adoption.ts";
import type { AdoptionChoices } from "../domain/plan/adoption-choices.ts";
import { versionOf } from "../domain/plan/template-version.ts";
import type {
  ActivityRecord,
  AddressTemplate,
  ConnectionRecord,
  DetailsRecord,
  LinkRecord,
  LocationRecord,
} from "../domain/records.ts";
import type { Services, Tables, Transaction } from "../ports.ts";
import { changeOrigin } from "./change-origin.ts";
import { ensureDetails } from "./ensure-details.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { unclearThere } from "../runs/held-template.ts";
import type { Changed, NotFound } from "../runs/run-now.ts";

export type LinkRefusal =
  /** The location has a template already. */
  | { kind: "already_linked" }
  /** The template stands for another location, or for another shop's. */
  | { kind: "taken" }
  /** The template, or what is written of the location, is not as the owner saw it: nobody chose between the values of now. */
  | { kind: "changed_since" }
  | NotFound;

/** A template as its owner was shown it, and what of it the owner chose to keep. */
export interface ShownTemplate {
  templateId: string;
  /** Which content of it was shown; see `versionOf`. */
  templateVersion: string | null;
  /** What of the location's own was shown beside it; see `ownVersion`. Absent where the caller has made sure of that otherwise. */
  ownVersion?: string | undefined;
  choices?: AdoptionChoices | undefined;
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
 * The writing half, in the caller's transaction; null when it is linked. Linking is the owner's consent: it confirms the origin, and what
 * stays of the template is from then on what the location says. The consent is to the values that the owner saw: they are what the run
 * compares with.
 */
export async function linkTemplate(
  services: Services,
  tables: Transaction,
  { location, shown, how }: { location: LocationRecord; shown: ShownTemplate; how: LinkRecord["how"] },
): Promise<LinkRefusal | null> {
  const { shop, locationId } = location;
  const { templateId } = shown;
  const found = await findShown(tables, { location, shown });
  if ("kind" in found) return found;
  const { connection, template } = found;
  const bare = newLink({ id: services.random.id(), connection, locationId, templateId, how });
  const unclear = await unclearThere(services, tables, bare);
  const linked = await tables.links.insert({ ...bare, answered: template, unclear });
  if (!linked) return { kind: "taken" };
  await recordActivity(services, tables, {
    shop,
    actor: "owner",
    kind: "linked",
    outcome: "done",
    locationId,
    locationName: location.name,
    templateId,
    fields: await adopt(services, tables, { ...found, location }),
  });
  return null;
}

interface FoundTemplate {
  connection: ConnectionRecord;
  template: AddressTemplate;
  details: DetailsRecord;
  /** What the location's details become. */
  adopted: OriginDetails;
}

/** What is to be linked, if it can be, and is as its owner saw it. Writes nothing but empty details. */
async function findShown(
  tables: Tables,
  { location, shown }: { location: LocationRecord; shown: ShownTemplate },
): Promise<FoundTemplate | LinkRefusal> {
  const { shop, locationId } = location;
  const { templateId } = shown;
  const record = await tables.shops.find({ shop });
  const connection = await tables.connections.find({ shop, current: true });
  const known = connection && (await tables.templates.find({ shop, connectionId: connection.id, templateId }));
  if (!record || !connection || !known) return { kind: "not_found" };
  if (await tables.links.find({ shop, connectionId: connection.id, locationId })) return { kind: "already_linked" };
  const { template } = known;
  if (versionOf(template) !== shown.templateVersion) return { kind: "changed_since" };
  const details = await ensureDetails(tables, { shop, locationId });
  const after = detailsLinked({ location, defaults: record.contact, details, template, choices: shown.choices });
  if (shown.ownVersion !== undefined && shown.ownVersion !== after.ownVersion) return { kind: "changed_since" };
  return { connection, template, details, adopted: after.details };
}

/** What the details of a location become if a template stands for it, and the version of what it says without. */
export function detailsLinked({
  location: { address, postal },
  defaults,
  details,
  template,
  choices,
}: {
  location: LocationRecord;
  defaults: ContactDetails;
  details: OriginDetails;
  template: AddressTemplate;
  choices: AdoptionChoices | undefined;
}): { details: OriginDetails; ownVersion: string } {
  const composed = composeOrigin({ address, postal, defaults, details });
  const theirs = template.address;
  const fields = adoptedFields({ own: ownSides(composed), theirs, choices });
  const readFrom = addressText(address);
  return {
    details: adoptedDetails({ details, composed, readFrom, defaults, theirs, fields }),
    ownVersion: ownVersion(composed),
  };
}

/** Stores what stays of the template. Gives what changed in the location's details. */
async function adopt(
  services: Services,
  tables: Tables,
  { location, details, adopted }: Pick<FoundTemplate, "details" | "adopted"> & { location: LocationRecord },
): Promise<ActivityRecord["fields"]> {
  const { shop, locationId } = location;
  await tables.details.update(
    { shop, locationId },
    {
      ...adopted,
      inclusion: details.inclusion === "never" ? "always" : details.inclusion,
      confirmedAtMs: details.confirmedAtMs ?? services.clock.nowMs(),
      revision: details.revision + 1,
    },
  );
  return changesBetween(details, adopted);
}

function changesBetween(before: OriginDetails, after: OriginDetails): ActivityRecord["fields"] {
  const said = ({ contact, split }: OriginDetails): Record<string, string | null> => ({
    ...contact,
    ...(split && { ...split.values, reference: split.values.reference ?? contact.reference }),
  });
  const [from, to] = [said(before), said(after)];
  return Object.keys(to)
    .map((field) => ({ field, from: from[field] ?? null, to: to[field] ?? null }))
    .filter((change) => change.from !== change.to);
}
