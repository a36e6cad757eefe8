import { ADDRESS_FIELDS } from "../address/address.ts";
import type { AddressField } from "../address/address.ts";
import { NEVER_NULL } from "../address/validate.ts";
import type { AddressTemplate, ConnectionRecord, TemplatePatch, TemplateRecord } from "../records.ts";

/**
 * Some services empty the address fields that an update does not name, in our updates and in everybody else's. The template's row remembers
 * the values of those fields, so that the next write puts them back, whichever work item writes it.
 */

/** Address fields that a partial update emptied without naming them. A service that does this must always be sent the whole address. */
export function emptiedBy(patch: TemplatePatch, before: AddressTemplate, after: AddressTemplate): AddressField[] {
  const said = patch.address_attributes;
  if (!said) return [];
  const isNamed = (field: AddressField) => said[field] !== undefined;
  const fields = emptied(before, after).filter((field) => !isNamed(field));
  return isEmptying(before, after, isNamed) ? fields : fields.filter((field) => !NEVER_NULL.includes(field));
}

/**
 * What the answer to an update tells of the fields that it did not name. Fields that may be null a person may have cleared between our
 * reading and our update, so they alone do not prove that the service empties; and only one of them proves that it keeps, for a service may
 * refuse to empty the others. Null where nothing is told.
 */
export function toldOfUnnamed(
  patch: TemplatePatch,
  before: AddressTemplate,
  after: AddressTemplate,
): ConnectionRecord["unnamed"] {
  const said = patch.address_attributes;
  if (!said) return null;
  const fields = emptiedBy(patch, before, after);
  if (fields.length > 0) return fields.some((field) => NEVER_NULL.includes(field)) ? "emptied" : "perhaps";
  const isTold = (field: AddressField) => said[field] === undefined && !NEVER_NULL.includes(field);
  return ADDRESS_FIELDS.some((field) => isTold(field) && !isEmpty(before, field)) ? "kept" : null;
}

/**
 * The same, where nobody knows whether an update took effect. It counts only if fields were emptied that are never null, which no person
 * does.
 */
export function emptiedMeanwhile(before: AddressTemplate, after: AddressTemplate): AddressField[] {
  return isEmptying(before, after) ? emptied(before, after) : [];
}

/**
 * Whether an update emptied what it did not name. It leaves few of the other never-null fields as they were: those that it named with the value that
 * they had. Where most are as they were, the service only shows one or two blank, and says nothing about updates or about what is stored.
 */
function isEmptying(
  before: AddressTemplate,
  after: AddressTemplate,
  isNamed: (field: AddressField) => boolean = () => false,
): boolean {
  const told = NEVER_NULL.filter((field) => !isEmpty(before, field) && !isNamed(field));
  const emptied = told.filter((field) => isEmpty(after, field));
  const same = told.filter((field) => before.address[field] === after.address[field]);
  return emptied.length > same.length;
}

/**
 * What is to be put back into a template that was just read: values that `before` held or remembered, of fields that are empty now. Nothing
 * is put back once no never-null field is empty, because then somebody has filled in the address. `said` is our update when this reading is
 * its answer: a field that it named and that is empty was refused by the service, and is not sent again.
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

/**
 * The empty fields of a template that a write has emptied, whoever sent it: all of them where a never-null field is empty, which no person
 * leaves so. They do not tell what the template said before.
 */
export function emptiedFields(template: AddressTemplate): AddressField[] {
  const fields = ADDRESS_FIELDS.filter((field) => isEmpty(template, field));
  return fields.some((field) => NEVER_NULL.includes(field)) ? fields : [];
}

function emptied(before: AddressTemplate, after: AddressTemplate): AddressField[] {
  return ADDRESS_FIELDS.filter((field) => !isEmpty(before, field) && isEmpty(after, field));
}

function isEmpty({ address }: AddressTemplate, field: AddressField): boolean {
  return (address[field] ?? "") === "";
}
