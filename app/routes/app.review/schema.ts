import { z } from "zod";
import type { ReviewIntent } from "../../components/review/review-intent.ts";
import type { ContactDetails } from "../../domain/address/address.ts";
import { CONTACT_FIELDS } from "../../domain/address/address.ts";
import type { ReviewedRow } from "../../jobs/confirm-review.ts";
import type { ReviewField } from "../../views/review.ts";
import { REVIEW_FIELDS } from "../../views/review.ts";

/** Lengths are the service's to judge; this only keeps a request from being absurd. */
const text = z.string().max(20_000);
const id = z.string().min(1).max(200);

const contact = z.object(
  Object.fromEntries(CONTACT_FIELDS.map((field) => [field, text.nullable()])) as Record<
    keyof ContactDetails,
    z.ZodNullable<typeof text>
  >,
);

const values = z.object(
  Object.fromEntries(REVIEW_FIELDS.map((field) => [field, text])) as Record<ReviewField, typeof text>,
);

const row = z.object({ locationId: id, revision: z.number().int(), readFrom: text, values, templateId: id.nullable() });

export const reviewIntent: z.ZodType<ReviewIntent> = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("confirm"), contact, contactRevision: z.number().int(), rows: z.array(row).max(500) }),
  z.object({ intent: z.literal("exclude"), locationId: id }),
]);

/** A row of the table as details: the location's own contact stays as it is. */
export function reviewedRow({
  values: split,
  ...rest
}: Extract<ReviewIntent, { intent: "confirm" }>["rows"][number]): ReviewedRow {
  return { ...rest, contact: {}, split };
}
