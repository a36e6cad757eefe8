import { createBody, draftFor, planOrigin } from "../domain/plan/plan.ts";
import type { Plan } from "../domain/plan/plan.ts";
import { differencesBetween, proposalsFor } from "../domain/plan/proposals.ts";
import type { Services } from "../ports.ts";
import { mapInTurns } from "../runs/in-turns.ts";
import { readPlanFacts } from "./read-plan-facts.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import type { SyncPreview } from "../views/sync-preview.ts";

/** What a sync would do, before anything is written: from the database, as if what was last read of the account still held. */
export async function previewSync(
  services: Services,
  input: { shop: string; locationIds?: string[] },
): Promise<SyncPreview[]> {
  const facts = (await readPlanFacts(services, input)) ?? [];
  return mapInTurns(services.clock, facts, (each) =>
    previewOf(each, planOrigin({ ...each, fresh: each.theirs !== null })),
  );
}

function previewOf(facts: PlanFacts, plan: Plan): SyncPreview {
  const { locationId } = facts.location;
  const nothing = { locationId, proposals: proposals(facts), sends: null, reason: null };
  switch (plan.step) {
    case "create":
      return { ...nothing, action: "create", sends: createBody(plan.draft) };
    case "adopt":
    case "take_over":
      return { ...nothing, action: "link" };
    case "update":
      return { ...nothing, action: "update", sends: plan.patch };
    case "blocked":
      return { ...nothing, action: plan.reason === "adoption_choice" ? "link" : "blocked", reason: plan.reason };
    case "unlink":
    case "delete":
      return { ...nothing, action: "leave", reason: plan.step };
    case "read_book":
      return { ...nothing, action: "leave", reason: "book_unread" };
    case "read_template":
    case "read_row":
    case "leave":
    case "record":
      return { ...nothing, action: "leave" };
  }
}

function proposals(facts: PlanFacts): SyncPreview["proposals"] {
  const { attributes } = facts.composed;
  if (facts.link || !attributes) return [];
  const draft = draftFor(facts, attributes);
  return proposalsFor(facts, draft).map(({ template, how }) => ({
    templateId: template.id,
    aliasName: template.alias_name,
    how,
    differences: differencesBetween(draft, template),
  }));
}
