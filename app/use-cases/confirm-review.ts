import type { ContactDetails, FieldProblem } from "../domain/address.ts";
import { chunksOf } from "../domain/chunks.ts";
import { contactProblems, tidyContact } from "../domain/contact-details.ts";
import type { Services, Tables } from "../ports.ts";
import { keepContact } from "./keep-contact.ts";
import type { LinkRefusal } from "./link-origin.ts";
import { linkTemplate } from "./link-origin.ts";
import { raiseTarget } from "./raise-target.ts";
import type { DetailsRefusal, StatedDetails } from "./save-origin-details.ts";
import { storeDetails } from "./save-origin-details.ts";
import { startJob } from "./start-job.ts";

export interface ReviewedRow extends StatedDetails {
  /** The proposed template to link; `create` makes another all the same; null leaves it to the run. */
  templateId: string | "create" | null;
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

/** Rows a transaction: the next one in line waits no longer than a page should. */
const CHUNK = 25;

/**
 * Stores the shop-wide contact, confirms the rows that can be and starts their sync as one job. A row that is refused keeps what
 * was said on the page and stops no other.
 */
export async function confirmReview(
  services: Services,
  input: { shop: string; contact: ContactDetails; contactRevision: number; rows: ReviewedRow[] },
): Promise<ReviewOutcome> {
  const { shop, rows } = input;
  const contact = tidyContact(input.contact);
  const problems = contactProblems(contact).filter(({ severity }) => severity === "error");
  if (problems.length > 0) return { kind: "contact_invalid", problems };
  const stored = await services.store.transaction((tables) =>
    keepContact(services, tables, { shop, contact, revision: input.contactRevision }),
  );
  if (!stored) return { kind: "contact_stale" };
  const confirmed: string[] = [];
  const refused: Extract<ReviewOutcome, { kind: "confirmed" }>["refused"] = [];
  for (const chunk of chunksOf(rows, CHUNK)) {
    await services.store.transaction(async (tables) => {
      for (const row of chunk) {
        const refusal = await confirmRow(services, tables, { shop, row });
        if (refusal) refused.push({ locationId: row.locationId, refusal });
        else confirmed.push(row.locationId);
      }
    });
  }
  const job =
    confirmed.length > 0
      ? await startJob(services, { shop, kind: "sync", carriers: null, locationIds: confirmed })
      : null;
  return {
    kind: "confirmed",
    count: confirmed.length,
    jobId: job?.kind === "nothing" ? null : (job?.jobId ?? null),
    refused,
  };
}

/** What was said and the run that acts on it are one, whether or not a job can follow them. */
async function confirmRow(services: Services, tables: Tables, { shop, row }: { shop: string; row: ReviewedRow }) {
  const { locationId, templateId } = row;
  const location = await tables.locations.find({ shop, locationId });
  if (!location) return { kind: "not_found" } as const;
  const refusal = await storeDetails(services, tables, { shop, stated: row });
  if (refusal) return refusal;
  const key = { shop, kind: "location", key: locationId } as const;
  await raiseTarget(services, tables, key);
  if (templateId === null) return null;
  if (templateId !== "create") return linkTemplate(services, tables, { location, templateId, how: "adopted" });
  await tables.details.update({ shop, locationId }, { adoption: "create" });
  return null;
}
