import type { ContactDetails, FieldProblem } from "../domain/address/address.ts";
import { chunksOf } from "../domain/chunks.ts";
import { contactProblems, tidyContact } from "../domain/address/contact-details.ts";
import { restored } from "../domain/address/long-text.ts";
import type { Services } from "../ports.ts";
import { keepContact } from "../shop/keep-contact.ts";
import type { LinkRefusal } from "../origins/link-origin.ts";
import type { DetailsRefusal } from "../origins/save-origin-details.ts";
import { confirmRow, ROWS_AT_ONCE } from "./confirm-row.ts";
import type { Asked, ReviewedRow } from "./confirm-row.ts";
import { startJob } from "./start-job.ts";
import type { JobStart } from "./start-job.ts";

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
  for (const chunk of chunksOf(rows, ROWS_AT_ONCE)) {
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
