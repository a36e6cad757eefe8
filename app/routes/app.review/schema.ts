import * as z from "zod";
import type { ReviewIntent } from "../../components/review/review-intent.ts";
import { CONTACT_FIELDS, eachField, LONGEST_ADDRESS, SPLIT_FIELDS } from "../../domain/address/form-fields.ts";
import { adoptionChoices, shownRevision, textOf } from "../../http/request-input.ts";

const id = z.string().min(1).max(200);

const contact = z.object(eachField(CONTACT_FIELDS, (field) => textOf(field).nullable()));
const values = z.object(eachField(SPLIT_FIELDS, textOf));
const row = z.object({
  locationId: id,
  revision: shownRevision,
  readFrom: z.string().max(LONGEST_ADDRESS),
  values,
  templateId: id.nullable(),
  templateVersion: z.string().max(100).nullable(),
  choices: adoptionChoices,
});

export const reviewIntent: z.ZodType<ReviewIntent> = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("confirm"), contact, contactRevision: shownRevision, rows: z.array(row).max(500) }),
  z.object({ intent: z.enum(["exclude", "includeAgain"]), locationId: id }),
]);
