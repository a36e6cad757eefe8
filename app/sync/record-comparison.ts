import { ADDRESS_FIELDS } from "../domain/address/address.ts";
import { canonicalAddress } from "../domain/address/compare.ts";
import type { Difference, LinkRecord } from "../domain/records.ts";
import { draftOfValues, templateWith } from "../domain/plan/three-way.ts";
import type { Comparison } from "../domain/plan/three-way.ts";
import type { Services, Tables } from "../ports.ts";
import { refOf } from "../runs/circuit-breaker.ts";
import { blocked, commit } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { wantVerification } from "../verification/want-verification.ts";

/** What a link remembers after a comparison whose fields to send, if any, have gone. */
export function linkAfter(
  link: LinkRecord,
  comparison: Comparison,
): Pick<LinkRecord, "sent" | "answered" | "differences" | "accepted"> {
  return {
    sent: draftOfValues(comparison.sent, link.sent?.address_type ?? "from"),
    answered: link.answered && templateWith(link.answered, comparison.base),
    differences: comparison.differences,
    accepted: comparison.accepted,
  };
}

/** Nothing is to be sent: what was found is kept and shown. A conflict waits for the owner. */
export async function recordComparison(
  run: Run,
  { facts, comparison }: { facts: PlanFacts; comparison: Comparison },
): Promise<RunEnd> {
  const { services } = run;
  const link = facts.link!;
  const base = { ...link, answered: link.answered ?? facts.theirs };
  const after = linkAfter(base, comparison);
  const nowMs = services.clock.nowMs();
  const read = facts.fresh ? nowMs : (facts.template?.readAtMs ?? null);
  // Once it is back, what the carriers said of it is gone, for it went with it.
  const asks = link.missingSinceMs !== null || settlesAddress(base, after);
  await commit(run, async (tables) => {
    const current = await tables.links.find({ id: link.id });
    if (!current) return;
    await tables.links.update(
      { id: link.id },
      {
        ...after,
        choices: unanswered(current, link),
        missingSinceMs: null,
        syncedAtMs: link.syncedAtMs ?? nowMs,
        checkedAtMs: Math.max(link.checkedAtMs ?? 0, read ?? 0) || null,
      },
    );
    await noteDifferences(services, tables, { facts, before: link.differences, after: after.differences });
    if (!asks || !facts.template) return;
    const ref = refOf(facts.connection!);
    await wantVerification(services, tables, { ref, row: facts.template, policies: facts.shop.policies });
  });
  if (asks) services.wake();
  return endWith(run, after.differences);
}

/**
 * Both sides agree on an address on which they did not agree before: the owner kept theirs, or Shopify came to say the same. Nothing is
 * written then, so the carriers are asked here. While a difference of the address is open, nobody knows what it will be.
 */
function settlesAddress(
  before: Pick<LinkRecord, "answered" | "differences">,
  after: Pick<LinkRecord, "answered" | "differences">,
): boolean {
  if (after.differences.some(isOfAddress)) return false;
  const [was, is] = [before, after].map(({ answered }) => answered && canonicalAddress(answered.address));
  return was !== is || before.differences.some(isOfAddress);
}

const isOfAddress = ({ field }: Difference) => ADDRESS_FIELDS.some((of) => of === field);

/** The owner's choices that came after the plan was made stay for the next run. */
export function unanswered(current: LinkRecord, planned: Pick<LinkRecord, "choices">): LinkRecord["choices"] {
  const seen = planned.choices.map((choice) => JSON.stringify(choice));
  return current.choices.filter((choice) => !seen.includes(JSON.stringify(choice)));
}

export function endWith(run: Run, differences: Difference[]): RunEnd {
  return differences.some(({ kind }) => kind === "conflict") ? blocked(run, "conflict") : { kind: "done" };
}

/** Says once that somebody else changed a template, or did not keep what we sent. */
export async function noteDifferences(
  services: Services,
  tables: Tables,
  { facts, before, after }: { facts: PlanFacts; before: Difference[]; after: Difference[] },
): Promise<void> {
  const known = new Set(before.map(({ field, kind, theirs }) => `${field} ${kind} ${theirs}`));
  for (const kind of ["drift", "conflict", "unkept"] as const) {
    const news = after.filter(
      (difference) => difference.kind === kind && !known.has(`${difference.field} ${kind} ${difference.theirs}`),
    );
    if (news.length === 0) continue;
    await recordActivity(services, tables, {
      shop: facts.location.shop,
      actor: "service",
      kind,
      outcome: "waiting",
      locationId: facts.location.locationId,
      locationName: facts.location.name,
      templateId: facts.link?.templateId ?? null,
      fields: news.map(({ field, ours, theirs }) => ({ field, from: ours, to: theirs })),
    });
  }
}
