import { canonicalAddress } from "../address/compare.ts";
import { ADDRESS_FIELDS } from "../address/address.ts";
import { putBack } from "./emptied.ts";
import { compareLinked, draftFor, planLinked } from "./plan.ts";
import type { DraftFacts, PlanInput } from "./plan.ts";
import type { AddressTemplate, Difference, LinkRecord, TemplateDraft } from "../records.ts";
import { COMPARED_FIELDS, valuesOfDraft, valuesOfTemplate } from "./three-way.ts";
import type { Comparison } from "./three-way.ts";

/** What is known of a linked location that a plan for it is made from. */
type LinkedFacts = Omit<DraftFacts, "link"> &
  Pick<PlanInput, "composed" | "theirs" | "emptied" | "doubted" | "unreadable" | "nowMs"> & { link: LinkRecord };

export interface Ahead {
  /** A look would send or find something that the link does not know of yet. */
  behind: boolean;
  /** `canonicalAddress` of the template once what is to be sent has gone; null where the place stays what it is. */
  meantKey: string | null;
}

const IN_STEP: Ahead = { behind: false, meantKey: null };

/**
 * What a look would come to at a linked location: words that were saved since the last run, a template that nobody read since something
 * spoke against what is known of it. From what is known, so that a page never calls well what no run has come to yet, whoever changed it.
 */
export function lookAhead(facts: LinkedFacts): Ahead {
  const { link, composed, theirs, emptied, nowMs } = facts;
  if (composed.attributes === null) return IN_STEP;
  const draft = draftFor(facts, composed.attributes);
  // Nearly all of a thousand say word for word what they should: to compare those as a reader would is dear.
  const isPlain = !facts.doubted && facts.unreadable.length + link.differences.length + link.choices.length === 0;
  if (isPlain && theirs && saysWordForWord(theirs, draft)) return IN_STEP;
  const plan = planLinked({ ...facts, fresh: false }, link, draft);
  const behind = plan.step === "record" ? findsNews(link, plan.comparison) : plan.step !== "blocked";
  return { behind, meantKey: theirs && behind ? meantKey({ link, draft, theirs, emptied, nowMs }) : null };
}

function meantKey(sides: Parameters<typeof compareLinked>[0]): string | null {
  const { draft, theirs, emptied } = sides;
  const { send } = compareLinked(sides);
  const meant = { ...putBack(theirs, emptied).address };
  for (const field of ADDRESS_FIELDS) if (send.includes(field)) meant[field] = draft.address_attributes[field] ?? null;
  const key = canonicalAddress(meant);
  return key === canonicalAddress(theirs.address) ? null : key;
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
