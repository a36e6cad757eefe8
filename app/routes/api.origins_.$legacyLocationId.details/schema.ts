import { z } from "zod";
import { FORM_FIELDS, LONGEST_VALUE } from "../../domain/address/form-fields.ts";

/** The few fields of the order page's form. */
export const finishedForm = z.object({
  revision: z.int().min(0),
  readFrom: z.string(),
  values: z.partialRecord(z.enum(FORM_FIELDS), z.string().max(LONGEST_VALUE)),
});

export type FinishedForm = z.infer<typeof finishedForm>;
