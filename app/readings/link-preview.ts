import { isContactField } from "../domain/address/form-fields.ts";
import { ADDRESS_FIELDS } from "../domain/address/address.ts";
import type { AddressAttributes } from "../domain/address/address.ts";
import { templateLines } from "../domain/address/lines.ts";
import { withoutMarker } from "../domain/marker.ts";
import { adoptedFields, ownSides, ownVersion } from "../domain/plan/adoption.ts";
import { draftFor } from "../domain/plan/plan.ts";
import type { Proposal } from "../domain/plan/proposals.ts";
import { differencesBetween } from "../domain/plan/proposals.ts";
import { versionOf } from "../domain/plan/template-version.ts";
import type { AddressTemplate, ConnectionRecord, TemplateDraft } from "../domain/records.ts";
import type { OriginRecords } from "./read-origin-facts.ts";
import type { LinkPreview } from "../views/origin.ts";

/** What linking a template to a location would keep of it and change in it. An address that lacks something is compared as far as it goes. */
export function linkPreview(
  origin: OriginRecords,
  { connection, template }: { connection: ConnectionRecord; template: AddressTemplate },
): LinkPreview {
  const draft = knownDraft(origin, connection);
  return previewOf(origin, { template, differences: differencesBetween(draft, template) });
}

/** The same, where the two are compared already. */
export function previewOf(
  { composed }: Pick<OriginRecords, "composed">,
  { template, differences }: Pick<Proposal, "template" | "differences">,
): LinkPreview {
  const there = Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, template.address[field]]));
  return {
    templateId: template.id,
    version: versionOf(template),
    ownVersion: ownVersion(composed),
    alias: withoutMarker(template.alias_name),
    address: templateLines(template.address).join(", "),
    there: there as AddressAttributes,
    differences: differences.flatMap(visible).filter(({ field }) => !isContactField(field)),
    contact: adoptedFields({ own: ownSides(composed), theirs: template.address }),
  };
}

/** A name that differs by our marker alone does not differ for a reader. */
function visible(difference: Proposal["differences"][number]): Proposal["differences"] {
  if (difference.field !== "alias_name") return [difference];
  const [ours, theirs] = [difference.ours, difference.theirs].map((name) => name && withoutMarker(name));
  return ours === theirs ? [] : [{ field: difference.field, ours: ours ?? null, theirs: theirs ?? null }];
}

/** The template that would be written of what is known of the location. */
export function knownDraft(origin: OriginRecords, connection: ConnectionRecord): TemplateDraft {
  const known = ADDRESS_FIELDS.map((field) => [field, origin.composed.fields[field].value]);
  return draftFor({ ...origin, connection }, Object.fromEntries(known) as AddressAttributes);
}
