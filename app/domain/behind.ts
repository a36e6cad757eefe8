import { draftFor, planLinked } from "./plan.ts";
import type { DraftFacts, OriginFacts } from "./plan.ts";
import type { AddressTemplate, Difference, LinkRecord, TemplateDraft } from "./records.ts";
import { COMPARED_FIELDS, valuesOfDraft, valuesOfTemplate } from "./three-way.ts";
import type { Comparison } from "./three-way.ts";

/** What is known of a linked location that a plan for it is made from. */
type LinkedFacts = Omit<DraftFacts, "link"> &
  Pick<OriginFacts, "composed" | "theirs" | "doubted" | "unreadable" | "nowMs"> & { link: LinkRecord };

/**
 * Whether a look would send or find something for a linked location that its link does not know of yet: words that were saved since,
 * a template that nobody read since something spoke against what is known of it. From what is known, so that a page never calls well
 * what no run has come to yet, whoever changed it.
 */
export function isBehind(facts: LinkedFacts): boolean {
  const { link, composed, theirs } = facts;
  if (composed.attributes === null) return false;
  const draft = draftFor(facts, composed.attributes);
  // Nearly all of a thousand say word for word what they should: to compare those as a reader would is dear.
  const isPlain = !facts.doubted && facts.unreadable.length + link.differences.length + link.choices.length === 0;
  if (isPlain && theirs && saysWordForWord(theirs, draft)) return false;
  const plan = planLinked({ ...facts, fresh: false }, link, draft);
  return plan.step === "settle" ? findsNews(link, plan.comparison) : plan.step !== "blocked";
}

function saysWordForWord(template: AddressTemplate, draft: TemplateDraft): boolean {
  const [theirs, ours] = [valuesOfTemplate(template), valuesOfDraft(draft)];
  return COMPARED_FIELDS.every((field) => {
    const isSpokenOf = ours[field] !== undefined && theirs[field] !== undefined;
    return !isSpokenOf || (ours[field] ?? "") === (theirs[field] ?? "");
  });
}

/** Whether a comparison that sends nothing finds other differences than the link holds. */
export function findsNews(link: LinkRecord, { differences }: Comparison): boolean {
  const said = (each: Difference) => [each.field, each.kind, each.ours, each.theirs];
  return JSON.stringify(differences.map(said)) !== JSON.stringify(link.differences.map(said));
}
