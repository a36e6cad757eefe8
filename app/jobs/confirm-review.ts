import type { ContactDetails, FieldProblem, OriginDetails } from "../domain/address/address.ts";
import { chunksOf } from "../domain/chunks.ts";
import { contactProblems, tidyContact } from "../domain/address/contact-details.ts";
import { restored } from "../domain/address/long-text.ts";
import type { AdoptionChoices } from "../domain/plan/adoption.ts";
import { versionOf } from "../domain/plan/template-version.ts";
import { newDetails } from "../domain/new-records.ts";
import type { LinkRecord, LocationRecord } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { keepContact } from "../shop/keep-contact.ts";
import type { LinkRefusal } from "../origins/link-origin.ts";
import { detailsLinked, linkTemplate } from "../origins/link-origin.ts";
import { requestWork } from "../runs/request-work.ts";
import type { DetailsRefusal, StatedDetails } from "../origins/save-origin-details.ts";
import { storeDetails } from "../origins/save-origin-details.ts";
import { startJob } from "./start-job.ts";
import type { Asked, JobStart } from "./start-job.ts";

export interface ReviewedRow extends StatedDetails {
  /** The proposed template to link; `create` makes another all the same; null leaves it to the run. */
  templateId: string | "create" | null;
  /** Which content of the proposed template the page showed; null where none is to be linked. */
  templateVersion: string | null;
  /** Which value stays, where the template and the location differ and the owner chose; see `adoptedFields`. */
  choices?: AdoptionChoices | undefined;
}

export type ReviewOutcome =
  | {
      kind: "confirmed";
      count: number;
      jobId: string | null;
      refused: { locationId: string; refusal: DetailsRefusal | LinkRefusal }[];
    }
  | { kind: "contact_invalid"; problems: FieldProblem[] }
  /** Somebody changed the shop's settings since they were shown. */
  | { kind: "contact_stale" };

/** How many rows one transaction confirms, so that nobody waits for the database longer than a page should. */
const CHUNK = 5;

/**
 * Stores the shop-wide contact, confirms the rows that can be and starts their sync as one job. A row that is refused keeps what
 * was said on the page and stops no other.
 */
export async function confirmReview(
  services: Services,
  input: { shop: string; contact: ContactDetails; contactRevision: number; rows: ReviewedRow[] },
): Promise<ReviewOutcome> {
  const { shop, rows } = input;
  const there = (await services.store.shops.find({ shop }))?.contact;
  const contact = restored(tidyContact(input.contact), there);
  const problems = contactProblems(contact, there).filter(({ severity }) => severity === "error");
  if (problems.length > 0) return { kind: "contact_invalid", problems };
  const stored = await services.store.transaction(shop, (tables) =>
    keepContact(services, tables, { shop, contact, revision: input.contactRevision }),
  );
  if (!stored) return { kind: "contact_stale" };
  const sinceMs = services.clock.nowMs();
  const confirmed = new Map<string, Asked>();
  const refused: Extract<ReviewOutcome, { kind: "confirmed" }>["refused"] = [];
  for (const chunk of chunksOf(rows, CHUNK)) {
    const outcomes = await services.store.transaction(shop, async (tables) => {
      const done = [];
      for (const row of chunk) done.push({ row, ...(await confirmRow(services, tables, { shop, row })) });
      return done;
    });
    for (const { row, ...done } of outcomes) {
      if ("asked" in done) confirmed.set(row.locationId, done.asked);
      else refused.push({ locationId: row.locationId, refusal: done.refusal });
    }
  }
  const locationIds = [...confirmed.keys()];
  const request = { shop, kind: "sync", carriers: null, locationIds, asked: { sinceMs, rows: confirmed } } as const;
  const job = confirmed.size > 0 ? await startJob(services, request) : null;
  return {
    kind: "confirmed",
    count: confirmed.size,
    jobId: job && isTheirs(job) ? job.jobId : null,
    refused,
  };
}

/** The rows are in it: one of their own, or the sync that took them in. A verification that runs meanwhile says nothing of them. */
function isTheirs(job: JobStart): job is Exclude<JobStart, { kind: "nothing" }> {
  return job.kind === "started" || (job.kind === "busy" && job.of === "sync");
}

/**
 * What was said and the run that acts on it are one, whether or not a job can follow them. A row whose template cannot be linked keeps
 * what was said and stays to be confirmed.
 */
async function confirmRow(
  services: Services,
  tables: Tables,
  { shop, row }: { shop: string; row: ReviewedRow },
): Promise<{ refusal: DetailsRefusal | LinkRefusal } | { asked: Asked }> {
  const { locationId } = row;
  const location = await tables.locations.find({ shop, locationId });
  if (!location) return { refusal: { kind: "not_found" } };
  const confirmedAtMs = (await tables.details.find({ shop, locationId }))?.confirmedAtMs ?? null;
  const isNew = !(await linkOf(tables, { shop, locationId }));
  const stated = await withTemplate(tables, { location, row });
  const refusal = await storeDetails(services, tables, { shop, stated });
  if (refusal) return { refusal };
  const link = await adopt(services, tables, { location, row });
  if ("refusal" in link) {
    await tables.details.update({ shop, locationId }, { confirmedAtMs });
    return link;
  }
  const { workItemId, generation } = await requestWork(services, tables, { shop, kind: "location", key: locationId });
  const confirmed = isNew ? link : null;
  return { asked: { workItemId, since: generation - 1, generation, confirmed } };
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
  };
  const { template } = known;
  const linked = detailsLinked({ location, defaults: record.contact, details, template, choices }).details;
  return { ...stated, contact: linked.contact, split: linked.split?.values ?? stated.split };
}

/** Which template it shall be, where the owner said so. */
async function adopt(
  services: Services,
  tables: Tables,
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
