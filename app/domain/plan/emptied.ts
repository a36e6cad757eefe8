import { ADDRESS_FIELDS } from "../address/address.ts";
import type { AddressField } from "../address/address.ts";
import { NEVER_NULL } from "../address/validate.ts";
import type { AddressTemplate, TemplatePatch, TemplateRecord } from "../records.ts";

/**
 * Some services empty the address fields that an update does not name. What they said is remembered with the template, whoever's update
 * it was, so that the next write puts it back, whoever's that is.
 */

/** Address fields that a partial update emptied though it did not name them: the service wants the whole. */
export function emptiedBy(patch: TemplatePatch, before: AddressTemplate, after: AddressTemplate): AddressField[] {
  const said = patch.address_attributes;
  return said ? emptied(before, after).filter((field) => said[field] === undefined) : [];
}

/** The same, where it is not known whether the update took effect: only if a field that is never null was emptied, which no person does. */
export function emptiedMeanwhile(before: AddressTemplate, after: AddressTemplate): AddressField[] {
  const fields = emptied(before, after);
  return fields.some((field) => NEVER_NULL.includes(field)) ? fields : [];
}

/**
 * What is to be put back of a template that is read anew: what `before` said or remembered, and is empty now. Nothing once no field that
 * is never null is empty, for then somebody has filled the address in. `said`, where an update of ours was answered: what it named is
 * not kept by the service, and is not said again.
 */
export function stillEmptied(
  before: Pick<TemplateRecord, "template" | "emptied"> | null,
  after: AddressTemplate,
  said?: TemplatePatch,
): TemplateRecord["emptied"] {
  if (!before || !NEVER_NULL.some((field) => isEmpty(after, field))) return null;
  const now = emptiedMeanwhile(before.template, after).map((field) => [field, before.template.address[field]] as const);
  const remembered = { ...before.emptied, ...Object.fromEntries(now) };
  const named = (field: string) => Boolean(said?.address_attributes?.[field as AddressField]);
  const left = Object.entries(remembered).filter(([field]) => isEmpty(after, field as AddressField) && !named(field));
  return left.length > 0 ? Object.fromEntries(left) : null;
}

/** A template as it was before some of its fields were emptied. */
export function putBack(template: AddressTemplate, emptied: TemplateRecord["emptied"] | undefined): AddressTemplate {
  return emptied ? { ...template, address: { ...template.address, ...emptied } } : template;
}

function emptied(before: AddressTemplate, after: AddressTemplate): AddressField[] {
  return ADDRESS_FIELDS.filter((field) => !isEmpty(before, field) && isEmpty(after, field));
}

function isEmpty({ address }: AddressTemplate, field: AddressField): boolean {
  return (address[field] ?? "") === "";
}
