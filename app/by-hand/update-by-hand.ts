import { ADDRESS_FIELDS } from "../domain/address/address.ts";
import type { AddressField } from "../domain/address/address.ts";
import type { AddressTemplate, DraftRecord, TemplateRecord } from "../domain/records.ts";
import { emptiedBy, emptiedMeanwhile, putBack } from "../domain/plan/emptied.ts";
import { differs, patchOf, valuesOfDraft, valuesOfTemplate } from "../domain/plan/three-way.ts";
import type { Field, Values } from "../domain/plan/three-way.ts";
import { commit, superseded } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { writeOnce } from "../runs/write-once.ts";
import { failLostWrite } from "../book/believe-absence.ts";
import { awaitSecondSighting } from "../book/confirm-absence.ts";
import { endDraft } from "./end-draft.ts";
import type { DraftEnd } from "./end-draft.ts";
import { isFresh, isLatest } from "../book/number-readings.ts";
import { keepAnswer, keepReading } from "../book/keep-template.ts";
import { sendsWhole } from "../book/unnamed-fields.ts";
import type { Tables } from "../ports.ts";
import { clearUpUpdates } from "../sync/clear-up-updates.ts";
import { DONE, refusal } from "./handwork.ts";
import type { Handwork } from "./handwork.ts";

/**
 * Sends only what the person changed; a field that somebody else changed since the form was shown is a conflict, and nothing of the form
 * goes. Fields that an update of ours emptied, this one's or another's, are put back as they were read before it; in a conflict, too.
 */
export async function updateByHand(run: Run, work: Handwork): Promise<RunEnd> {
  const { ref, account } = work;
  const templateId = work.draft.templateId!;
  const known = await run.services.store.templates.find({ shop: ref.shop, connectionId: ref.id, templateId });
  const found = await account.get(templateId);
  if (found.kind === "not_found") return gone(run, work, found);
  const kept = await commit(run, async (tables) => {
    const row = await keepReading(run.services, tables, { ref, template: found.value, known });
    if (!row) return null;
    const draft = rebased(work.draft, row.template);
    await clearUpUpdates(run, tables, { ref, template: row.template });
    await tables.drafts.update({ id: draft.id }, { draft: draft.draft, base: draft.base });
    return { row, draft };
  });
  if (!kept) throw superseded("the template was read or written meanwhile");
  return sendByHand(run, { ...work, draft: kept.draft }, kept.row);
}

/** What the person did not change is meant as it stands there now: should a write of ours empty it, that is put back, after a crash too. */
function rebased(draft: DraftRecord, now: AddressTemplate): DraftRecord {
  const { draft: stated, base: shown } = draft;
  if (!stated || !shown) return draft;
  const said = stated.address_attributes;
  const emptied = emptiedMeanwhile(shown, now);
  const left = ADDRESS_FIELDS.filter(
    (field) =>
      !emptied.includes(field) && (said[field] === undefined || (said[field] ?? "") === (shown.address[field] ?? "")),
  );
  const standing = Object.fromEntries(left.map((field) => [field, now.address[field]]));
  return {
    ...draft,
    draft: { ...stated, address_attributes: { ...said, ...standing } },
    base: { ...shown, address: { ...shown.address, ...standing } },
  };
}

async function sendByHand(run: Run, work: Handwork, row: TemplateRecord): Promise<RunEnd> {
  const before = row.template;
  const { draft, ref } = work;
  const { ours, theirs, send, conflicts, emptied } = changesByHand(work, row);
  const outcome = conflicts.length > 0 ? outcomeOf("conflict", conflicts, theirs) : DONE;
  if (send.length === 0) return endDraft(run, { draft, outcome, ref, template: before, known: row });
  const mustBeWhole = (tables: Pick<Tables, "connections" | "pendingWrites">) =>
    sendsWhole(tables, { ref, butOf: run.item.id });
  const whole = emptied || (await mustBeWhole(run.services.store));
  const patch = patchOf({ ours, theirs, send, whole });
  const templateId = draft.templateId!;
  const written = await writeOnce(run, {
    ref,
    pendingWrite: { operation: "update", templateId, locationId: null, marker: null, payload: patch, alike: [] },
    stillHolds: async (tables) =>
      isFresh(run.services.clock, row) && (whole || !(await mustBeWhole(tables))) && isLatest(tables, row),
    send: (to, options) => to.update(templateId, patch, options),
  });
  if (written.kind === "not_found") return failLostWrite(run, { ...written, ref, templateId, operation: "update" });
  if (written.kind === "refused") {
    // What is still emptied there concerns the location that it stands for.
    const concerns = emptied ? { ref, template: before, known: row } : {};
    return endDraft(run, { draft, ...refusal(written), ...concerns });
  }
  const { value: template, requestId, pendingWriteId } = written;
  if (!emptied && emptiedBy(patch, before, template).length > 0) {
    const answered = await commit(run, async (tables) => {
      await tables.pendingWrites.delete({ id: pendingWriteId });
      return keepAnswer(run.services, tables, { ref, template, said: patch, known: row });
    });
    return sendByHand(run, work, answered);
  }
  const end = { draft, outcome, pendingWriteId, ref, template, said: patch, known: row, requestId };
  if (conflicts.length > 0) return endDraft(run, end);
  const changeOf = (field: Field) => ({ field, from: theirs[field] ?? null, to: ours[field] ?? null });
  const after = valuesOfTemplate(template);
  const unkept = send.filter(
    (field) => differs(field, ours[field], after[field]) && !differs(field, theirs[field], after[field]),
  );
  if (unkept.length > 0)
    return endDraft(run, { ...end, outcome: outcomeOf("unkept", unkept, after), fields: unkept.map(changeOf) });
  return endDraft(run, { ...end, kind: "template_updated", fields: send.map(changeOf) });
}

function outcomeOf(kind: "conflict" | "unkept", of: Field[], there: Values): DraftEnd["outcome"] {
  return { kind, message: null, fields: Object.fromEntries(of.map((field) => [field, [there[field] ?? ""]])) };
}

/** It was not found; once that is believed, the form is told. */
async function gone(run: Run, { draft, ref }: Handwork, { requestId }: { requestId: string }): Promise<RunEnd> {
  const templateId = draft.templateId!;
  const waits = await awaitSecondSighting(run, { ref, templateId, requestId });
  return waits ?? endDraft(run, { draft, outcome: GONE, ref, deleted: templateId });
}

const GONE = { kind: "gone", message: null, fields: null } as const;

function changesByHand({ draft }: Handwork, row: TemplateRecord) {
  const before = row.template;
  const said: Values = draft.draft ? valuesOfDraft(draft.draft) : {};
  const theirs = valuesOfTemplate(before);
  const base = draft.base ?? before;
  const shown = valuesOfTemplate(base);
  const remembered = valuesOfTemplate(putBack(before, row.emptied));
  const emptied = new Set<Field>([
    ...emptiedMeanwhile(base, before),
    ...(Object.keys(row.emptied ?? {}) as AddressField[]),
  ]);
  const changed = (Object.keys(said) as Field[]).filter((field) => (said[field] ?? "") !== (shown[field] ?? ""));
  const conflicts = changed.filter(
    (field) =>
      !emptied.has(field) && differs(field, said[field], theirs[field]) && differs(field, theirs[field], shown[field]),
  );
  const meant = conflicts.length > 0 ? [] : changed;
  const ours: Values = { ...said };
  // What stood there last may be newer than the form: another work item's update emptied it before this one read it.
  for (const field of emptied) if (!meant.includes(field)) ours[field] = remembered[field] || (shown[field] ?? null);
  const send = [...new Set([...meant, ...emptied])].filter((field) => differs(field, ours[field], theirs[field]));
  return { ours, theirs, send, conflicts, emptied: emptied.size > 0 };
}
