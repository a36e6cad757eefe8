import { AppError } from "../domain/errors.ts";
import { planOrigin } from "../domain/plan/plan.ts";
import type { AddressTemplate } from "../domain/records.ts";
import { refOf } from "../runs/circuit-breaker.ts";
import { commit, superseded } from "../runs/run.ts";
import type { Run } from "../runs/run.ts";
import { wasPutOffSince } from "../runs/put-off.ts";
import { writeOnce } from "../runs/write-once.ts";
import { failLostWrite } from "../book/believe-absence.ts";
import { awaitSecondSighting } from "../book/confirm-absence.ts";
import { keepRefusal } from "./keep-refusal.ts";
import { planStillHolds } from "./plan-still-holds.ts";
import { forgetTemplate } from "../book/mark-unlisted.ts";
import { keepTemplate } from "../book/keep-template.ts";
import { looksAgainAtMs } from "../book/overtaken.ts";
import { readLocationAnew } from "./read-location.ts";
import { readOwnFacts } from "./read-plan-facts.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import { recordActivity } from "../activity/record-activity.ts";
import type { Step } from "./sync-step.ts";

/** Shopify is asked with the slot in hand, and the DELETE must follow the template's reading within ten seconds. */
const SHOPIFY_WITHIN_MS = 6_000;

/**
 * The location left and the shop's rule is to delete. With the slot in hand the template is read, then the location, and everything is
 * planned anew: only where that still says delete, in this generation, does the DELETE go. Gone already is what was wanted, once that is
 * believed.
 */
export async function deleteTemplate(
  run: Run,
  { facts, templateId }: { facts: PlanFacts; templateId: string },
): Promise<Step> {
  // The reading was behind a write of ours: what somebody did since would be deleted unseen. The look that follows tells.
  if (looksAgainAtMs(run.services.clock, facts.template) !== null) return { end: { kind: "done" } };
  let latest = facts;
  let sinceMs = 0;
  const whenRead = async (template: AddressTemplate) => {
    sinceMs = run.services.clock.nowMs();
    latest = await confirmDeletion(run, { facts, template });
  };
  const ref = refOf(facts.connection!);
  const written = await writeOnce(run, {
    ref,
    pendingWrite: {
      operation: "delete",
      templateId,
      locationId: facts.location.locationId,
      marker: null,
      payload: null,
      alike: [],
    },
    // What Shopify told a moment ago may be that the location is back, though it is not looked at yet.
    stillHolds: async (tables) => {
      const { shop, key: about } = run.item;
      if (await wasPutOffSince(tables, { shop, about, sinceMs })) return false;
      return planStillHolds(run, latest)(tables);
    },
    send: (account, options) => account.delete(templateId, { ...options, whenRead }),
  });
  if (written.kind === "refused") return { end: await keepRefusal(run, { facts, ...written }) };
  const { requestId, pendingWriteId } = written;
  if (written.kind === "not_found") {
    if (pendingWriteId !== null)
      await failLostWrite(run, { ...written, pendingWriteId, ref, templateId, operation: "delete" });
    const end = await awaitSecondSighting(run, { ref, templateId, requestId });
    if (end) return { end };
  }
  await dropLink(run, facts, { kind: "template_deleted", pendingWriteId, requestId });
  return { end: { kind: "done" } };
}

/** What the DELETE rests on, all of it read with the slot in hand; rejects with `superseded` where it does not say delete any more. */
async function confirmDeletion(
  run: Run,
  { facts, template }: { facts: PlanFacts; template: AddressTemplate },
): Promise<PlanFacts> {
  const { services, item } = run;
  const ref = refOf(facts.connection!);
  // First, for it is news of the template, whatever Shopify says.
  await commit(run, (tables) => keepTemplate(services, tables, { ref, template }));
  if (await soonEnough(run, readLocationAnew(run, item.key))) {
    throw superseded("Shopify does not show the location, or an older state of it, which is not believed yet");
  }
  const latest = await readOwnFacts(run);
  const plan = latest && planOrigin(latest);
  if (plan?.step !== "delete" || plan.templateId !== template.id) {
    throw superseded("what a deletion was planned from has changed");
  }
  return latest!;
}

async function soonEnough<T>({ services, signal }: Run, reading: Promise<T>): Promise<T> {
  const { clock } = services;
  const patience = new AbortController();
  const late = clock.sleep(SHOPIFY_WITHIN_MS, AbortSignal.any([signal, patience.signal])).then(() => {
    const message = "Shopify took too long to say whether a location is gone";
    throw new AppError({ kind: "shopify_unavailable", message, effect: "none" });
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    late.catch(() => undefined);
    reading.catch(() => undefined);
    patience.abort();
  }
}

/**
 * Drops the link; the template stays in the account and stands for no location. `kept`: the rule was to delete it, but somebody else has
 * changed it.
 */
export function unlinkTemplate(run: Run, facts: PlanFacts, { kept }: { kept: boolean }): Promise<void> {
  return dropLink(run, facts, { kind: kept ? "template_kept" : "unlinked" });
}

/** The link goes; with `template_deleted` all that is known of the template goes too. */
export async function dropLink(
  run: Run,
  { link, location }: Pick<PlanFacts, "link" | "location">,
  ended: {
    kind: "template_deleted" | "template_kept" | "unlinked";
    pendingWriteId?: string | null;
    requestId?: string;
  },
): Promise<void> {
  const { kind, pendingWriteId = null, requestId = null } = ended;
  await commit(run, async (tables) => {
    if (pendingWriteId !== null) await tables.pendingWrites.delete({ id: pendingWriteId });
    if (!link) return;
    const { shop, connectionId, templateId } = link;
    await tables.links.delete({ id: link.id });
    if (kind === "template_deleted") await forgetTemplate(tables, { shop, connectionId, templateId });
    await recordActivity(run.services, tables, {
      shop,
      actor: "sync",
      kind,
      outcome: kind === "template_kept" ? "noted" : "done",
      locationId: location.locationId,
      locationName: location.name,
      templateId,
      requestId,
    });
  });
}
