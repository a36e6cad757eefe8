import { z } from "zod";
import type { TemplateIntent } from "../../components/address-book/template-intent.ts";
import { ADDRESS_FIELDS } from "../../domain/address/address.ts";
import { eachField, LONGEST_VALUE } from "../../domain/address/form-fields.ts";
import type { AddressTemplate, TemplateDraft } from "../../domain/records.ts";
import { someCarrierNames } from "../../http/request-input.ts";

const text = z.string().max(LONGEST_VALUE);
const word = z.string().min(1).max(200);

const attributes = z.object(eachField(ADDRESS_FIELDS, () => text.nullable()));

const draft: z.ZodType<TemplateDraft> = z.object({
  alias_name: text,
  address_type: text,
  default: z.boolean(),
  address_attributes: attributes,
});

const base: z.ZodType<AddressTemplate> = z.object({
  id: word,
  alias_name: text,
  address_type: text,
  default: z.boolean().nullable(),
  address: attributes.extend({ tax_id_number: text.nullable(), tax_id_type: text.nullable() }),
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
