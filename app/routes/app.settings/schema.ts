import * as z from "zod";
import type { SettingsRequest } from "../../components/settings/settings-actions.ts";
import { CONTACT_FIELDS, CREDENTIAL_FIELDS, eachField } from "../../domain/address/form-fields.ts";
import { carrierNames, shownRevision, textOf } from "../../http/request-input.ts";

const environment = z.enum(["test", "production"]);
const credentials = {
  environment,
  ...eachField(CREDENTIAL_FIELDS, (field) => textOf(field).nullable()),
};
const departedRule = z.enum(["keep", "unlink", "delete"]);

export const settingsIntent: z.ZodType<SettingsRequest> = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("connect"), ...credentials }),
  z.object({ intent: z.literal("test"), ...credentials }),
  z.object({ intent: z.literal("disconnect") }),
  z.object({ intent: z.literal("introspect") }),
  z.object({ intent: z.literal("confirm_account"), connectionId: z.string().max(100), same: z.boolean() }),
  z.object({ intent: z.literal("switch_environment"), environment }),
  z.object({
    intent: z.literal("save"),
    revision: shownRevision,
    settings: z.object({
      language: z.enum(["en", "es-MX"]).nullable(),
      contact: z.object(eachField(CONTACT_FIELDS, (field) => textOf(field).nullable())),
      policies: z.object({
        syncOn: z.boolean(),
        locations: z.enum(["online", "all_active", "by_hand"]),
        verifyAfterChange: z.boolean(),
        carriers: carrierNames,
        onDeactivate: departedRule,
        onDelete: departedRule,
        defaultLocationId: z.string().max(100).nullable(),
        aliasPattern: z.string().trim().min(1).pipe(textOf("aliasPattern")),
      }),
    }),
  }),
]);
