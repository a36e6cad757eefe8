import * as z from "zod";
import type { TemplateIntent } from "../../components/address-book/template-intent.ts";
import { ADDRESS_FIELDS } from "../../domain/address/address.ts";
import { eachField } from "../../domain/address/form-fields.ts";
import type { AddressTemplate, TemplateDraft } from "../../domain/records.ts";
import { someCarrierNames, textOf } from "../../http/request-input.ts";

const word = z.string().min(1).max(200);

const attributes = z.object(eachField(ADDRESS_FIELDS, (field) => textOf(field).nullable()));

const draft: z.ZodType<TemplateDraft> = z.object({
  alias_name: textOf("alias_name"),
  address_type: textOf("address_type"),
  default: z.boolean(),
  address_attributes: attributes,
});

const base: z.ZodType<AddressTemplate> = z.object({
  id: word,
  alias_name: textOf("alias_name"),
  address_type: textOf("address_type"),
  default: z.boolean().nullable(),
  address: attributes.extend({
    tax_id_number: textOf("tax_id_number").nullable(),
    tax_id_type: textOf("tax_id_type").nullable(),
  }),
  // A change by hand is held against the address; what the carriers said is kept elsewhere, and here it would only be stored again.
  verified_carriers: z.unknown().transform((): AddressTemplate["verified_carriers"] => []),
});

export const saveIntent = z.object({ intent: z.literal("save"), draftId: word, draft, base: base.nullable() });

export const templateIntent: z.ZodType<TemplateIntent> = z.discriminatedUnion("intent", [
  saveIntent,
  z.object({ intent: z.literal("delete"), draftId: word }),
  z.object({ intent: z.literal("verify"), carriers: someCarrierNames }),
  z.object({ intent: z.literal("refresh") }),
]);
