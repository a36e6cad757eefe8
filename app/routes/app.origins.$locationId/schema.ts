import * as z from "zod";
import { eachField, FORM_CONTACT_FIELDS, LONGEST_ADDRESS, SPLIT_FIELDS } from "../../domain/address/form-fields.ts";
import type { OriginIntent } from "../../components/origin/origin-intent.ts";
import { COMPARED_FIELDS } from "../../domain/plan/compared-fields.ts";
import { letIn } from "../../domain/address/long-text.ts";
import { adoptionChoices, shownRevision, someCarrierNames, textOf } from "../../http/request-input.ts";

const values = z.object({
  ...eachField(SPLIT_FIELDS, textOf),
  ...eachField(FORM_CONTACT_FIELDS, (field) => textOf(field).optional()),
});

const choice = z
  .object({
    field: z.enum(COMPARED_FIELDS),
    choice: z.enum(["ours", "theirs"]),
    theirs: z.string().nullable(),
  })
  .transform((made) => ({ ...made, theirs: made.theirs === null ? null : letIn(made.field, made.theirs) }));

export const originIntent: z.ZodType<OriginIntent> = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("save"),
    revision: shownRevision,
    readFrom: z.string().max(LONGEST_ADDRESS),
    values,
  }),
  z.object({
    intent: z.enum(["sync", "include", "unlink", "makeAgain", "createAnyway", "pause", "resume", "refresh"]),
  }),
  z.object({
    intent: z.literal("link"),
    templateId: z.string().min(1).max(200),
    templateVersion: z.string().max(100),
    ownVersion: z.string().max(100).optional(),
    choices: adoptionChoices,
  }),
  z.object({ intent: z.literal("delete"), draftId: z.string().min(1).max(100) }),
  z.object({ intent: z.literal("resolve"), choices: z.array(choice).min(1).max(20) }),
  z.object({ intent: z.literal("verify"), carriers: someCarrierNames }),
]);
