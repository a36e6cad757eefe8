import { z } from "zod";
import type { OriginIntent } from "../../components/origin/origin-intent.ts";
import { COMPARED_FIELDS } from "../../domain/plan/three-way.ts";
import { someCarrierNames } from "../../http/request-input.ts";
import { FORM_CONTACT_FIELDS, FORM_SPLIT_FIELDS } from "../../views/origin.ts";

/** Lengths are the service's to judge; this only keeps a request from being absurd. */
const text = z.string().max(20_000);

const values = z.object({
  ...each(FORM_SPLIT_FIELDS, text),
  ...each(FORM_CONTACT_FIELDS, text.optional()),
});

function each<F extends string, T>(fields: readonly F[], rule: T): Record<F, T> {
  return Object.fromEntries(fields.map((field) => [field, rule])) as Record<F, T>;
}

const choice = z.object({
  field: z.enum(COMPARED_FIELDS),
  choice: z.enum(["ours", "theirs"]),
  theirs: z.string().nullable(),
});

export const originIntent: z.ZodType<OriginIntent> = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("save"), revision: z.number().int(), readFrom: text, values }),
  z.object({
    intent: z.enum(["sync", "include", "unlink", "makeAgain", "createAnyway", "pause", "resume", "refresh"]),
  }),
  z.object({ intent: z.literal("link"), templateId: z.string().min(1).max(200) }),
  z.object({ intent: z.literal("delete"), draftId: z.string().min(1).max(100) }),
  z.object({ intent: z.literal("settle"), choices: z.array(choice).min(1).max(20) }),
  z.object({ intent: z.literal("verify"), carriers: someCarrierNames }),
]);
