import { fold } from "../domain/address-fold.ts";
import { differs } from "../domain/three-way.ts";
import { holds, mayBeMadeFrom, mayBeNamed } from "../domain/plan.ts";
import type { IntentRecord, TemplateRecord } from "../domain/records.ts";
import type { ConnectionRef } from "../ports.ts";
import { quarantineEndsMs, quarantineHolds } from "../worker/quarantine.ts";
import { commit } from "../worker/run.ts";
import type { Run, RunEnd } from "../worker/run.ts";
import { endDraft } from "./end-draft.ts";
import { refuseHidden } from "./hidden-create.ts";
import { lookAgain, readBookSince } from "./read-book-since.ts";
import type { Handwork } from "./handwork.ts";

/** Once the quarantine of a change by hand is over: how its run ends, or null when it is made anew. */
export async function resolveHandwork(run: Run, work: Handwork, intent: IntentRecord): Promise<RunEnd | null> {
  const end = intent.operation === "create" ? await resolveCreate(run, work, intent) : null;
  const putOff = end === null ? await quarantineHolds(run) : null;
  if (putOff) return putOff;
  if (end === null) await commit(run, (tables) => tables.intents.delete({ id: intent.id }));
  return end;
}

/**
 * A hand-made template carries no marker, so all that is known of an unclear create is its words. Where a template has them by now that
 * was not known when the create was announced, it may be what the create made, or somebody else's from just before: the form is told that,
 * and nothing more is made; that does where the list fails, too. Only where none has them, and the book is known whole since, is it made.
 */
async function resolveCreate(run: Run, work: Handwork, intent: IntentRecord): Promise<RunEnd | null> {
  const { draft, ref, account } = work;
  const { payload } = intent;
  if (payload === null) return null;
  const sinceMs = quarantineEndsMs(run.services, intent);
  const { templates, failed, incomplete } = await readBookSince(run, { ref, account, sinceMs });
  const row = await mayBeIt(run, { ref, templates, intent, payload });
  if (row) {
    const looked = await lookAgain(run, { ref, account, row, failed });
    if (looked === "gone") return resolveCreate(run, work, intent);
    if ("end" in looked) return looked.end;
    const outcome = { kind: "alike", message: null, fields: null } as const;
    return endDraft(run, { draft, outcome, intentId: intent.id, alike: row.templateId });
  }
  if (failed) throw failed;
  if (incomplete) return incomplete;
  const isOurs = (name: string) => mayBeNamed(name, payload.alias_name ?? "");
  await refuseHidden(run.services.store, { ref, intent, isOurs });
  return null;
}

interface Question {
  ref: ConnectionRef;
  templates: TemplateRecord[];
  intent: IntentRecord;
  payload: NonNullable<IntentRecord["payload"]>;
}

/**
 * By all of the words, else by most, where somebody was quick to correct it. Never one that was known before, was made for a location, or
 * is what another form made; one that its owner has linked to a location meanwhile may be it.
 */
async function mayBeIt(run: Run, { ref, templates, intent, payload }: Question): Promise<TemplateRecord | null> {
  const { store } = run.services;
  const key = { shop: ref.shop, connectionId: ref.id };
  const known = new Set(intent.alike);
  const like = templates.filter(
    ({ templateId, template }) => !known.has(templateId) && mayBeMadeFrom(template, payload),
  );
  const ids = like.map(({ templateId }) => templateId);
  const links = await store.links.list({ environment: ref.environment, templateId: { in: ids }, how: "created" });
  const forms = await store.drafts.list({ ...key, operation: "create", templateId: { in: ids } });
  const taken = new Set([...links, ...forms].map(({ templateId }) => templateId));
  const unclear = await store.intents.list({ ...key, id: { not: intent.id }, operation: "create" });
  const free = like.filter(({ templateId }) => !taken.has(templateId));
  free.sort((a, b) => (a.templateId < b.templateId ? -1 : 1));
  const isNamed = ({ template }: TemplateRecord, { alias_name = "" }: { alias_name?: string }) =>
    !differs("alias_name", fold(template.alias_name), fold(alias_name));
  // The service may keep words otherwise than they were said, so a name of its own tells whose it is as well as all the words.
  const isAnotherForms = (row: TemplateRecord) =>
    unclear.some(
      (other) =>
        other.payload !== null &&
        (holds(row.template, other.payload) ||
          (isNamed(row, other.payload) && !isNamed(row, payload) && mayBeMadeFrom(row.template, other.payload))),
    );
  const likely = free.filter((row) => !isAnotherForms(row));
  return (
    free.find(({ template }) => holds(template, payload)) ??
    likely.find((row) => isNamed(row, payload)) ??
    likely[0] ??
    null
  );
}
