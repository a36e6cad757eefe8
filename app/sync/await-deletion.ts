import { heldTemplate } from "../runs/held-template.ts";
import type { Run } from "../runs/run.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import { readTemplate } from "./read-template.ts";
import { openGate } from "./sync-step.ts";
import type { Step } from "./sync-step.ts";

/**
 * A deletion by hand whose owner has said otherwise since may have been sent without an answer, and take effect yet. The location is not
 * called in order until then, although nothing differs. After that its template is read. Null where no such deletion is known.
 */
export async function awaitDeletion(run: Run, facts: PlanFacts): Promise<Step | null> {
  if (!facts.link) return null;
  const { shop, connectionId, templateId } = facts.link;
  const { pendingWrites } = run.services.store;
  const deletion = { shop, connectionId, templateId, operation: "delete", workItemId: { not: run.item.id } } as const;
  if ((await pendingWrites.count(deletion)) === 0) return null;
  const held = await heldTemplate(run, facts.link);
  if (held) return { end: held };
  const gate = await openGate(run, facts);
  return "end" in gate ? gate : readTemplate(run, { facts, account: gate.account, templateId });
}
