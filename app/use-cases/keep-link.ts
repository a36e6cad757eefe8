import { compareLinked, differencesBetween } from "../domain/plan.ts";
import type { ActivityRecord, AddressTemplate, LinkRecord, TemplateDraft } from "../domain/records.ts";
import { refOf } from "../worker/connection-gate.ts";
import { blocked, commit } from "../worker/run.ts";
import type { Run, RunEnd } from "../worker/run.ts";
import { keepTemplate } from "./read-book.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import { recordActivity } from "./record-activity.ts";
import { linkAfter } from "./settle-link.ts";
import { wantVerification } from "./want-verification.ts";

export interface NewLink {
  facts: PlanFacts;
  /** The create this finishes. */
  intentId?: string;
  how: LinkRecord["how"];
  /** As read or answered just now. */
  template: AddressTemplate;
  sent: TemplateDraft;
  /** What theirs are compared with: what differs from it was said by somebody else. */
  base: AddressTemplate;
  activity: Pick<ActivityRecord, "kind" | "requestId">;
}

/** Links a location to its template, in one transaction with the end of the intent that made it. */
export async function keepLink(run: Run, input: NewLink): Promise<RunEnd> {
  const { services } = run;
  const { facts, intentId, how, template, sent, base, activity } = input;
  const { location, shop } = facts;
  const connection = facts.connection!;
  const nowMs = services.clock.nowMs();
  const bare: LinkRecord = {
    id: services.random.id(),
    shop: location.shop,
    connectionId: connection.id,
    environment: connection.environment,
    locationId: location.locationId,
    templateId: template.id,
    how,
    sent,
    answered: base,
    differences: [],
    choices: [],
    accepted: [],
    sendWhole: false,
    missingSinceMs: null,
    syncedAtMs: nowMs,
    checkedAtMs: nowMs,
  };
  const link = { ...bare, ...linkAfter(bare, compareLinked({ link: bare, draft: sent, theirs: template, nowMs })) };
  const linked = await commit(run, async (tables) => {
    if (intentId !== undefined) await tables.intents.delete({ id: intentId });
    await keepTemplate(services, tables, { ref: refOf(connection), template });
    if (!(await tables.links.insert(link))) return false;
    await wantVerification(services, tables, { ref: refOf(connection), template, policies: shop.policies });
    await recordActivity(services, tables, {
      shop: location.shop,
      actor: "sync",
      ...activity,
      outcome: "done",
      locationId: location.locationId,
      locationName: location.name,
      templateId: template.id,
      fields:
        how === "created"
          ? differencesBetween(sent, EMPTY).map(({ field, ours }) => ({ field, from: null, to: ours }))
          : [],
    });
    return true;
  });
  if (!linked) return blocked(run, "template_taken");
  return { kind: "done" };
}

const NOTHING = {
  name: null,
  company: null,
  street1: null,
  street_number: null,
  apartment_number: null,
  postal_code: null,
  area_level1: null,
  area_level2: null,
  area_level3: null,
  country_code: null,
  phone: null,
  email: null,
  reference: null,
  rfc: null,
  tax_id_number: null,
  tax_id_type: null,
};
const EMPTY: AddressTemplate = {
  id: "",
  alias_name: "",
  address_type: "from",
  default: null,
  address: NOTHING,
  verified_carriers: [],
};
