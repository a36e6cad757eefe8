import * as z from "zod";
import { eachField, FORM_FIELDS, LONGEST_ADDRESS } from "../../domain/address/form-fields.ts";
import { shownRevision, textOf } from "../../http/request-input.ts";

/** The few fields of the order page's form. */
export const finishedForm = z.object({
  revision: shownRevision,
  readFrom: z.string().max(LONGEST_ADDRESS),
  values: z.strictObject(eachField(FORM_FIELDS, (field) => textOf(field).optional())),
});

export type FinishedForm = z.infer<typeof finishedForm>;
