import { newLink } from "../domain/new-records.ts";
import { compareLinked } from "../domain/plan/plan.ts";
import type { ActivityRecord, AddressTemplate, LinkRecord, TemplateDraft, TemplateRecord } from "../domain/records.ts";
import { differs, valuesOfDraft } from "../domain/plan/three-way.ts";
import type { Field } from "../domain/plan/three-way.ts";
import { createsUnseen } from "../account/unseen-creates.ts";
import { refOf } from "../runs/circuit-breaker.ts";
import { unclearThere } from "../runs/held-template.ts";
import { blocked, commit, superseded } from "../runs/run.ts";
import type { Run } from "../runs/run.ts";
import type { Tables } from "../ports.ts";
import { learnAliasLimit } from "../book/short-aliases.ts";
import { recordLeftOver } from "../book/record-left-over.ts";
import { keepReading, keepTemplate } from "../book/keep-template.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { linkAfter } from "./record-comparison.ts";
import type { Step } from "./sync-step.ts";
import { wantVerification } from "../verification/want-verification.ts";

export interface LinkToKeep {
  facts: PlanFacts;
  /** The create this finishes. */
  pendingWriteId?: string;
  how: LinkRecord["how"];
  /** As read or answered just now. */
  template: AddressTemplate;
  /** What stood in the book when the template was asked for; absent where it is the answer to a create. */
  known?: TemplateRecord | null;
  sent: TemplateDraft;
  /** What our write said, where this is its answer. */
  said?: TemplateDraft;
  /** Fields where the owner chose the service's value; it holds until the composed one changes. */
  accepted?: LinkRecord["accepted"];
  /** What the service's values are compared with: a value that differs from it was written by somebody else. */
  base: AddressTemplate;
  activity: Pick<ActivityRecord, "kind" | "requestId">;
  /** Asked in the transaction that links; where it says no, the run is `superseded` and begins anew. */
  stillHolds?: (tables: Tables) => Promise<boolean>;
}

const DONE: Step = { end: { kind: "done" } };

/**
 * Links a location to its template, in one transaction with the end of the pending write that made it. What is remembered of the template as
 * emptied is compared as it was before; the next round puts it back.
 */
export async function keepLink(run: Run, input: LinkToKeep): Promise<Step> {
  const { services } = run;
  const { facts, pendingWriteId, how, template, known, sent, said, base, accepted = [], activity } = input;
  const { location, shop } = facts;
  const connection = facts.connection!;
  const nowMs = services.clock.nowMs();
  const { locationId } = location;
  const fresh = newLink({ id: services.random.id(), connection, locationId, templateId: template.id, how });
  const bare: LinkRecord = { ...fresh, sent, answered: base, accepted, syncedAtMs: nowMs, checkedAtMs: nowMs };
  const step = await commit<Step | null>(run, async (tables) => {
    if (input.stillHolds && !(await input.stillHolds(tables)))
      throw superseded("a form was told of the template meanwhile");
    const read = { ref: refOf(connection), template };
    const row =
      known === undefined
        ? await keepTemplate(services, tables, { ...read, answers: { to: "create" } })
        : await keepReading(services, tables, { ...read, known });
    if (!row) return null;
    if (pendingWriteId !== undefined) await tables.pendingWrites.delete({ id: pendingWriteId });
    await learnAliasLimit(tables, { ref: connection, said: said?.alias_name, answer: template });
    const { emptied } = row;
    const comparison = compareLinked({ connection, link: bare, draft: sent, theirs: row.template, emptied, nowMs });
    const unclear = await unclearThere(services, tables, bare);
    if (!(await tables.links.insert({ ...bare, ...linkAfter(bare, comparison), unclear }))) {
      // Its owner linked another one meanwhile, and has requested the next run.
      const own = await tables.links.find({ shop: location.shop, connectionId: connection.id, locationId });
      if (own && own.templateId !== template.id)
        await recordLeftOver(services, tables, { location, templateId: template.id });
      return own ? DONE : { end: blocked(run, "template_taken") };
    }
    const seen = createsUnseen(facts.details, connection.id);
    if (seen.length > 0) {
      const inVain = facts.details!.inVain.filter((each) => !seen.includes(each));
      await tables.details.update({ shop: location.shop, locationId }, { inVain });
    }
    await wantVerification(services, tables, { ref: refOf(connection), row, policies: shop.policies });
    await recordActivity(services, tables, {
      shop: location.shop,
      actor: "sync",
      ...activity,
      outcome: "done",
      locationId,
      locationName: location.name,
      templateId: template.id,
      fields: how === "created" ? whatIsSaid(sent) : [],
    });
    if (unclear) return { reading: null };
    return emptied ? { reading: row.reading } : DONE;
  });
  if (!step) throw superseded("the template was read or written meanwhile");
  return step;
}

function whatIsSaid(draft: TemplateDraft): ActivityRecord["fields"] {
  const said = Object.entries(valuesOfDraft(draft)) as [Field, string | null][];
  return said.filter(([field, to]) => differs(field, to, null)).map(([field, to]) => ({ field, from: null, to }));
}
