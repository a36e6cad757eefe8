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
    if (link.missingSinceMs === null || !facts.theirs) return;
    // It is back, and what the carriers said of it went when it was gone.
    const ref = refOf(facts.connection!);
    await wantVerification(services, tables, { ref, template: facts.theirs, policies: facts.shop.policies });
  });
  if (link.missingSinceMs !== null) services.wake();
  return endWith(run, after.differences);
}

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
