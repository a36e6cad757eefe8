import type { OriginDetails } from "../domain/address/address.ts";
import { composeOrigin } from "../domain/address/compose.ts";
import type { AdoptionChoices } from "../domain/plan/adoption-choices.ts";
import { versionOf } from "../domain/plan/template-version.ts";
import { newDetails } from "../domain/new-records.ts";
import type {
  DetailsRecord,
  JobItemRecord,
  LinkRecord,
  LocationRecord,
  RowConfirmed,
  StatedDetails,
} from "../domain/records.ts";
import type { Services, Tables, Transaction } from "../ports.ts";
import type { LinkRefusal } from "../origins/link-origin.ts";
import { detailsLinked, linkTemplate } from "../origins/link-origin.ts";
import { requestWork } from "../runs/request-work.ts";
import type { DetailsRefusal } from "../origins/save-origin-details.ts";
import { storeDetails } from "../origins/save-origin-details.ts";

export interface ReviewedRow extends StatedDetails {
  /** The proposed template to link; `create` makes another all the same; null leaves it to the run. */
  templateId: string | "create" | null;
  /** Which content of the proposed template the page showed; null where none is to be linked. */
  templateVersion: string | null;
  /** Which value stays, where the template and the location differ and the owner chose; see `adoptedFields`. */
  choices?: AdoptionChoices | undefined;
}

/** What a job asked of a work item. */
export type Asked = Pick<JobItemRecord, "workItemId" | "since" | "generation" | "confirmed">;

/** How many rows one transaction confirms, so that nobody waits for the database longer than a page should. */
export const ROWS_AT_ONCE = 5;

/**
 * What was said and the run that acts on it are one, whether or not a job can follow them. A row whose template cannot be linked keeps
 * what was said and stays to be confirmed.
 */
export async function confirmRow(
  services: Services,
  tables: Transaction,
  { shop, row }: { shop: string; row: ReviewedRow },
): Promise<{ refusal: DetailsRefusal | LinkRefusal } | { asked: Asked }> {
  const { locationId } = row;
  const location = await tables.locations.find({ shop, locationId });
  if (!location) return { refusal: { kind: "not_found" } };
  const details = await tables.details.find({ shop, locationId });
  const confirmedAtMs = details?.confirmedAtMs ?? null;
  const found = await whatRowFinds(tables, { location, details });
  const stated = await withTemplate(tables, { location, row });
  const refusal = await storeDetails(services, tables, { shop, stated });
  if (refusal) return { refusal };
  const link = await adopt(services, tables, { location, row });
  if ("refusal" in link) {
    await tables.details.update({ shop, locationId }, { confirmedAtMs });
    return link;
  }
  const { workItemId, generation } = await requestWork(services, tables, { shop, kind: "location", key: locationId });
  const confirmed = found && (await whatRowChanged(tables, { location, found, linkId: link.linkId ?? found.linkId }));
  return { asked: { workItemId, since: generation - 1, generation, confirmed } };
}

type Found = Required<Omit<RowConfirmed, "revision">>;

/**
 * How a row finds a location without a template; null where it has one that this job did not link. What the same job said of it just
 * before, and nobody since, counts as this row's own.
 */
async function whatRowFinds(
  tables: Tables,
  { location, details }: { location: LocationRecord; details: DetailsRecord | null },
): Promise<Found | null> {
  const { shop, locationId } = location;
  const job = await tables.jobs.find({ shop, state: "running" });
  const item = job && (await tables.jobItems.find({ jobId: job.id, shop, locationId, state: "waiting" }));
  const said = item?.confirmed;
  if (said && details && said.revision === details.revision)
    return { linkId: said.linkId, stood: said.stood ?? false, adoption: said.adoption ?? "ask" };
  if (await linkOf(tables, { shop, locationId })) return null;
  const record = await tables.shops.find({ shop });
  const isConfirmed = details !== null && details.confirmedAtMs !== null;
  const stood =
    isConfirmed &&
    record !== null &&
    composeOrigin({ ...location, defaults: record.contact, details }).attributes !== null;
  return { linkId: null, stood, adoption: details?.adoption ?? "ask" };
}

/** What a cancel may take back of a row; null where it said nothing that the location did not have already. */
async function whatRowChanged(
  tables: Tables,
  { location: { shop, locationId }, found, linkId }: { location: LocationRecord; found: Found; linkId: string | null },
): Promise<RowConfirmed | null> {
  const after = (await tables.details.find({ shop, locationId }))!;
  if (found.stood && linkId === null && after.adoption === found.adoption) return null;
  return { ...found, linkId, revision: after.revision };
}

/**
 * What the owner said, with what stays of the chosen template: an address that lacks a contact may have it from there. The template is taken
 * only as it was shown; else the link is refused below.
 */
async function withTemplate(
  tables: Tables,
  { location, row }: { location: LocationRecord; row: ReviewedRow },
): Promise<StatedDetails> {
  const { shop, locationId } = location;
  const { templateId, templateVersion, choices, ...stated } = row;
  if (templateId === null || templateId === "create") return stated;
  const record = await tables.shops.find({ shop });
  const connection = await tables.connections.find({ shop, current: true });
  const known = connection && (await tables.templates.find({ shop, connectionId: connection.id, templateId }));
  if (!record || !known || versionOf(known.template) !== templateVersion) return stated;
  const before = ((await tables.details.find({ shop, locationId })) ?? newDetails({ shop, locationId })).contact;
  const details: OriginDetails = {
    contact: { ...before, ...stated.contact },
    split: { values: stated.split, readFrom: stated.readFrom },
    // What is stated is the whole place, also of one that is held.
    held: null,
  };
  const { template } = known;
  const linked = detailsLinked({ location, defaults: record.contact, details, template, choices }).details;
  return { ...stated, contact: linked.contact, split: linked.split?.values ?? stated.split };
}

/** Which template it shall be, where the owner said so. */
async function adopt(
  services: Services,
  tables: Transaction,
  { location, row }: { location: LocationRecord; row: ReviewedRow },
): Promise<{ linkId: string | null } | { refusal: LinkRefusal }> {
  const { shop, locationId } = location;
  const { templateId, templateVersion, choices } = row;
  if (templateId === "create") await tables.details.update({ shop, locationId }, { adoption: "create" });
  if (templateId === null || templateId === "create") return { linkId: null };
  const refusal = await linkTemplate(services, tables, {
    location,
    shown: { templateId, templateVersion, choices },
    how: "adopted",
  });
  if (refusal) return { refusal };
  return { linkId: (await linkOf(tables, { shop, locationId }))?.id ?? null };
}

async function linkOf(tables: Tables, key: { shop: string; locationId: string }): Promise<LinkRecord | null> {
  const connection = await tables.connections.find({ shop: key.shop, current: true });
  return connection && tables.links.find({ ...key, connectionId: connection.id });
}
