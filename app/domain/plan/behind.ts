import { canonicalAddress } from "../address/compare.ts";
import { ADDRESS_FIELDS } from "../address/address.ts";
import { putBack } from "./emptied.ts";
import { compareLinked, draftFor, planLinked } from "./plan.ts";
import type { DraftFacts, PlanInput } from "./plan.ts";
import type { AddressTemplate, Difference, LinkRecord, TemplateDraft } from "../records.ts";
import { COMPARED_FIELDS } from "./compared-fields.ts";
import { valuesOfDraft, valuesOfTemplate } from "./three-way.ts";
import type { Comparison } from "./three-way.ts";

/** What is known of a linked location; a plan for it is made from this. */
type LinkedFacts = Omit<DraftFacts, "link"> &
  Pick<PlanInput, "connection" | "composed" | "theirs" | "emptied" | "doubted" | "unreadable" | "nowMs"> & {
    link: LinkRecord;
  };

export interface Ahead {
  /** A run would send or find something that the link does not show yet. */
  behind: boolean;
  /** `canonicalAddress` of the template after everything that is to be sent was sent; null when the place does not change. */
  meantKey: string | null;
}

const IN_STEP: Ahead = { behind: false, meantKey: null };

/**
 * What a run would do at a linked location, judged from what is stored. It finds values that were saved since the last run, and a template
 * that no run has read since its stored reading was doubted. So no page shows an origin as ready before a run has seen the last change,
 * whoever made it.
 */
export function lookAhead(facts: LinkedFacts): Ahead {
  const { connection, link, composed, theirs, emptied, nowMs } = facts;
  if (composed.attributes === null) return IN_STEP;
  const draft = draftFor(facts, composed.attributes);
  // Of a thousand locations nearly all hold exactly what they should. Comparing text first is cheap; the full comparison is not.
  const isPlain = !facts.doubted && facts.unreadable.length + link.differences.length + link.choices.length === 0;
  if (isPlain && theirs && saysWordForWord(theirs, draft)) return IN_STEP;
  const plan = planLinked({ ...facts, fresh: false, sendWhole: false }, link, draft);
  const behind = plan.step === "record" ? findsNews(link, plan.comparison) : plan.step !== "blocked";
  return { behind, meantKey: theirs && behind ? meantKey({ connection, link, draft, theirs, emptied, nowMs }) : null };
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

/** Whether a comparison with nothing to send finds other differences than the link has stored. */
export function findsNews(link: LinkRecord, { differences }: Comparison): boolean {
  const said = (each: Difference) => [each.field, each.kind, each.ours, each.theirs];
  return JSON.stringify(differences.map(said)) !== JSON.stringify(link.differences.map(said));
}
