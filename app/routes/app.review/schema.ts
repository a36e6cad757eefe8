import { z } from "zod";
import type { ReviewIntent } from "../../components/review/review-intent.ts";
import { CONTACT_FIELDS, eachField, LONGEST_VALUE, SPLIT_FIELDS } from "../../domain/address/form-fields.ts";

const text = z.string().max(LONGEST_VALUE);
const id = z.string().min(1).max(200);

const contact = z.object(eachField(CONTACT_FIELDS, () => text.nullable()));
const values = z.object(eachField(SPLIT_FIELDS, () => text));
const row = z.object({
  locationId: id,
  revision: z.number().int(),
  readFrom: text,
  values,
  templateId: id.nullable(),
  templateVersion: z.string().max(100).nullable(),
});

export const reviewIntent: z.ZodType<ReviewIntent> = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("confirm"), contact, contactRevision: z.number().int(), rows: z.array(row).max(500) }),
  z.object({ intent: z.literal("exclude"), locationId: id }),
]);
