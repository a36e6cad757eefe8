import { markerIn } from "../domain/marker.ts";
import { closedReason, oursAmong } from "../domain/plan.ts";
import type { AddressTemplate, IntentRecord, LinkRecord, TemplateDraft, TemplatePatch } from "../domain/records.ts";
import {
  differs,
  draftOfValues,
  emptiedMeanwhile,
  templateWith,
  valuesOfDraft,
  valuesOfTemplate,
} from "../domain/three-way.ts";
import type { Field, Values } from "../domain/three-way.ts";
import { refOf } from "../worker/connection-gate.ts";
import { quarantineHolds } from "../worker/quarantine.ts";
import { blocked, commit } from "../worker/run.ts";
import type { Run } from "../worker/run.ts";
import type { ReadableAccount } from "../worker/shipping-account.ts";
import { dropLink } from "./delete-template.ts";
import { refuseHidden } from "./hidden-create.ts";
import { keepLink } from "./keep-link.ts";
import { noteMissing } from "./note-missing.ts";
import { keepTemplate, readBook } from "./read-book.ts";
import { readPlanFacts } from "./read-plan-facts.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import { openGate } from "./sync-location.ts";
import type { Step } from "./sync-location.ts";
import { wantVerification } from "./want-verification.ts";

/** Finds out, once the quarantine is over, what became of a write whose end is unclear. Nothing is written there. */
export async function resolveIntent(run: Run, intent: IntentRecord): Promise<Step> {
  const { services, target } = run;
  const nowMs = services.clock.nowMs();
  const [facts] = (await readPlanFacts(services.store, { shop: target.shop, nowMs, locationIds: [target.key] })) ?? [];
  if (!facts?.connection || facts.connection.id !== intent.connectionId) {
    await setAside(run, intent);
    return { readAtMs: null };
  }
  const closed = closedReason(facts.connection);
  if (closed) return { end: blocked(run, closed) };
  const gate = await openGate(run, facts);
  if ("end" in gate) return gate;
  if (intent.operation === "create") return resolveCreate(run, { intent, facts, account: gate.account });
  return resolveChange(run, { intent, facts, account: gate.account });
}

interface Unclear {
  intent: IntentRecord;
  facts: PlanFacts;
  account: ReadableAccount;
}

/** The account is not in use: should it be again, its book is read before anything is made in it. */
async function setAside(run: Run, intent: IntentRecord): Promise<void> {
  await commit(run, async (tables) => {
    await tables.intents.delete({ id: intent.id });
    await tables.connections.update({ id: intent.connectionId }, { bookReadAtMs: null });
  });
}

async function resolveCreate(run: Run, { intent, facts, account }: Unclear): Promise<Step> {
  const payload = intent.payload as TemplateDraft;
  const { templates } = await readBook(run, refOf(facts.connection!), account);
  const putOff = await quarantineHolds(run);
  if (putOff) return { end: putOff };
  const marked = templates.filter(({ alias_name }) => markerIn(alias_name) === intent.marker);
  const environment = facts.connection!.environment;
  const links = await run.services.store.links.list({ environment, templateId: { in: marked.map(({ id }) => id) } });
  const free = marked.filter(({ id }) => !links.some(({ templateId }) => templateId === id));
  const found = facts.link || intent.marker === null ? null : oursAmong(free, intent.marker, payload);
  if (!found) {
    const isOurs = (name: string) => !facts.link && markerIn(name) === intent.marker;
    await refuseHidden(run.services.store, { ref: refOf(facts.connection!), intent, isOurs });
    await commit(run, (tables) => tables.intents.delete({ id: intent.id }));
    return { readAtMs: null };
  }
  const end = await keepLink(run, {
    facts,
    intentId: intent.id,
    how: "created",
    template: found,
    sent: payload,
    base: templateWith(found, valuesOfDraft(payload)),
    activity: { kind: "template_created", requestId: null },
  });
  return end.kind === "done" ? { readAtMs: null } : { end };
}

async function resolveChange(run: Run, { intent, facts, account }: Unclear): Promise<Step> {
  const { link } = facts;
  if (!link || link.templateId !== intent.templateId) {
    await commit(run, (tables) => tables.intents.delete({ id: intent.id }));
    return { readAtMs: null };
  }
  const found = await account.get(link.templateId);
  const putOff = await quarantineHolds(run);
  if (putOff) return { end: putOff };
  if (found.kind === "not_found") {
    if (intent.operation === "update") {
      await noteMissing(run, facts, intent.id);
      return { readAtMs: null };
    }
    await dropLink(run, facts, { kind: "template_deleted", intentId: intent.id, requestId: found.requestId });
    return { readAtMs: null };
  }
  const { services } = run;
  const ref = refOf(facts.connection!);
  const landed = intent.operation === "update" ? whatLanded(link, intent.payload as TemplatePatch, found.value) : {};
  const readAtMs = await commit(run, async (tables) => {
    await tables.intents.delete({ id: intent.id });
    const keptAtMs = await keepTemplate(services, tables, { ref, template: found.value });
    if (Object.keys(landed).length === 0) return keptAtMs;
    await tables.links.update({ id: link.id }, landed);
    await wantVerification(services, tables, { ref, template: found.value, policies: facts.shop.policies });
    return keptAtMs;
  });
  return { readAtMs };
}

/**
 * Fields that hold what the write said are taken as acknowledged, so that our own words are not mistaken for somebody's; and
 * fields it did not name and emptied are taken as emptied by it, so that the next plan says them again.
 */
function whatLanded(link: LinkRecord, payload: TemplatePatch, found: AddressTemplate): Partial<LinkRecord> {
  const theirs = valuesOfTemplate(found);
  const disputed = new Set<Field>([...link.differences, ...link.accepted].map(({ field }) => field));
  const said = (Object.entries(valuesOfDraft(payload)) as [Field, string | null][]).filter(
    ([field, value]) => !differs(field, value, theirs[field]) && !(disputed.has(field) && isTheirs(link, field, value)),
  );
  const emptied = payload.address_attributes && link.answered ? emptiedMeanwhile(link.answered, found) : [];
  if (said.length + emptied.length === 0) return {};
  const sent: Values = link.sent ? valuesOfDraft(link.sent) : {};
  const base: Values = {};
  for (const [field, value] of said) {
    sent[field] = value;
    base[field] = theirs[field] ?? null;
  }
  for (const field of emptied) if (!disputed.has(field)) sent[field] = base[field] = null;
  return {
    sent: draftOfValues(sent, link.sent?.address_type ?? found.address_type),
    answered: templateWith(link.answered ?? found, base),
    ...(emptied.length > 0 ? { sendWhole: true } : {}),
  };
}

/** A whole address names disputed fields with their value, which is not ours. */
function isTheirs(link: LinkRecord, field: Field, value: string | null): boolean {
  return [...link.differences, ...link.accepted].some(
    (each) => each.field === field && !differs(field, each.theirs, value),
  );
}
