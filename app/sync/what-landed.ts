import { asShortened } from "../domain/plan/plan.ts";
import type { PendingWrite, LinkRecord, TemplatePatch, TemplateRecord } from "../domain/records.ts";
import { differs, draftOfValues, templateWith, valuesOfDraft, valuesOfTemplate } from "../domain/plan/three-way.ts";
import type { Field, Values } from "../domain/plan/three-way.ts";
import { emptiedMeanwhile } from "../domain/plan/emptied.ts";

/**
 * Fields that hold what the write said, or what the service keeps of a long name, are taken as acknowledged, so that our own words are not
 * mistaken for somebody's; and fields it did not name and emptied are taken as emptied by it, so that the next plan says them again. What
 * is remembered of those with the template is put back anyway.
 */
export function whatLanded(
  link: LinkRecord,
  pendingWrite: Pick<PendingWrite, "payload">,
  { template: found, emptied: remembered }: Pick<TemplateRecord, "template" | "emptied">,
): Partial<LinkRecord> {
  const payload = pendingWrite.payload as TemplatePatch;
  const theirs = valuesOfTemplate(found);
  const disputed = new Set<Field>([...link.differences, ...link.accepted].map(({ field }) => field));
  const said = (Object.entries(valuesOfDraft(asShortened(payload, found))) as [Field, string | null][]).filter(
    ([field, value]) => !differs(field, value, theirs[field]) && !(disputed.has(field) && isTheirs(link, field, value)),
  );
  const emptied = payload.address_attributes && link.answered ? emptiedMeanwhile(link.answered, found) : [];
  if (said.length + emptied.length === 0) return {};
  const sent: Values = link.sent ? valuesOfDraft(link.sent) : {};
  const base: Values = {};
  for (const [field, value] of said) {
    sent[field] = value;
    base[field] = theirs[field] ?? null;
  }
  for (const field of emptied)
    if (!disputed.has(field) && remembered?.[field] === undefined) sent[field] = base[field] = null;
  return {
    sent: draftOfValues(sent, link.sent?.address_type ?? found.address_type),
    answered: templateWith(link.answered ?? found, base),
  };
}

/** A whole address names disputed fields with their value, which is not ours. */
function isTheirs(link: LinkRecord, field: Field, value: string | null): boolean {
  return [...link.differences, ...link.accepted].some(
    (each) => each.field === field && !differs(field, each.theirs, value),
  );
}
