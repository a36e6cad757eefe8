import * as z from "zod";
import type { MoveIntent } from "../../components/move/move-intent.ts";
import { eachField, LONGEST_ADDRESS } from "../../domain/address/form-fields.ts";
import { PLACE_FIELDS } from "../../domain/address/place.ts";
import { shownRevision, textOf } from "../../http/request-input.ts";

const day = { hour: z.string().max(20).nullable(), keepFormer: z.boolean() };

export const moveIntent: z.ZodType<MoveIntent> = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("plan"), place: z.object(eachField(PLACE_FIELDS, textOf)), ...day }),
  z.object({ intent: z.literal("day"), ...day }),
  z.object({ intent: z.literal("press"), anyway: z.boolean() }),
  z.object({ intent: z.enum(["again", "cancel"]) }),
  z.object({
    intent: z.literal("settle"),
    keep: z.enum(["held", "shopify"]),
    revision: shownRevision,
    readFrom: z.string().max(LONGEST_ADDRESS),
  }),
]);
