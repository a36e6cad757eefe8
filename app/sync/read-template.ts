import { closedReason } from "../domain/closed-reason.ts";
import type { TemplateRecord } from "../domain/records.ts";
import { keepReading } from "../book/keep-template.ts";
import { refOf } from "../runs/circuit-breaker.ts";
import { commit, superseded } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import type { ReadableAccount } from "../runs/shipping-account.ts";
import { noteMissing } from "./note-missing.ts";
import type { NotFoundThere } from "./note-missing.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import { settleUnclear } from "./settle-unclear.ts";
import { openGate } from "./sync-step.ts";
import type { Step } from "./sync-step.ts";

/** A template's own GET, and what is kept of its answer. */

/** Of one template in a run, where something overtook each answer. */
const MOST_READINGS = 3;

interface Reading {
  facts: PlanFacts;
  account: ReadableAccount;
  templateId: string;
  /** Whether the answer tells what became of unclear writes. */
  settles?: boolean;
}

/** The linked template is read; one that is not there is noted as missing. */
export async function readTemplate(run: Run, reading: Reading): Promise<Step> {
  const read = await readAlone(run, reading);
  return "missing" in read ? noteMissing(run, reading.facts, read.missing) : { reading: read.kept.reading };
}

/**
 * A list showed the linked template otherwise than it was read by itself, and nobody may write there yet. Its own GET tells what is there
 * all the same, or a carrier's verdict on the former address would be shown as fresh until then. That it is gone is for the run that may
 * write again to find out. Gives how the run ends where the service may not be asked; null when it may wait as it was to.
 */
export async function readDisputed(run: Run, facts: PlanFacts | null): Promise<RunEnd | null> {
  if (!facts?.link || !facts.template || facts.template.disputedSinceMs === null) return null;
  if (closedReason(facts.connection) !== null) return null;
  const gate = await openGate(run, facts);
  if ("end" in gate) return gate.end;
  // What is unclear may still take effect.
  await readAlone(run, { facts, account: gate.account, templateId: facts.link.templateId, settles: false });
  return null;
}

/**
 * An answer that another reading or a write overtook is not kept; the template is read again at once. A list that came meanwhile may have
 * ended the doubt for which it was read, and the next plan would not look.
 */
async function readAlone(
  run: Run,
  { facts, account, templateId, settles = true }: Reading,
): Promise<{ kept: TemplateRecord } | { missing: NotFoundThere }> {
  const { services } = run;
  const ref = refOf(facts.connection!);
  let known = facts.template;
  for (let count = 0; count < MOST_READINGS; count += 1) {
    const found = await account.get(templateId);
    if (found.kind === "not_found") return { missing: found };
    const kept = await commit(run, async (tables) => {
      const row = await keepReading(services, tables, { ref, template: found.value, known });
      if (!row) return null;
      const link = await tables.links.find({ id: facts.link!.id });
      if (settles && link?.unclear)
        await settleUnclear(services, tables, { ref, link, row, policies: facts.shop.policies });
      return row;
    });
    if (kept) return { kept };
    known = await services.store.templates.find({ shop: ref.shop, connectionId: ref.id, templateId });
  }
  throw superseded("the template was read or written meanwhile");
}
