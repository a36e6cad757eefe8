import { ADDRESS_FIELDS } from "../domain/address.ts";
import type { AddressAttributes } from "../domain/address.ts";
import type { AddressTemplate, TemplatePatch } from "../domain/records.ts";
import { differs, patchOf, valuesOfDraft, valuesOfTemplate, wipedFields } from "../domain/three-way.ts";
import type { Field, Values } from "../domain/three-way.ts";
import { commit } from "../worker/run.ts";
import type { Run, RunEnd } from "../worker/run.ts";
import { writeOnce } from "../worker/write-once.ts";
import type { OnceWritten } from "../worker/write-once.ts";
import { endDraft } from "./end-draft.ts";
import { keepTemplate } from "./read-book.ts";
import { DONE, refusal } from "./sync-draft.ts";
import type { Handwork } from "./sync-draft.ts";

/** Sends only what the person changed; a field that somebody else changed since the form was shown is a conflict, and nothing goes. */
export async function updateByHand(run: Run, work: Handwork): Promise<RunEnd> {
  const { draft, ref, account } = work;
  const found = await account.get(draft.templateId!);
  if (found.kind === "not_found") return endDraft(run, { draft, outcome: GONE, ref, deleted: draft.templateId! });
  const before = found.value;
  await commit(run, (tables) => keepTemplate(run.services, tables, { ref, template: before }));
  const { ours, theirs, send, conflicts } = changesByHand(work, before);
  if (conflicts.length > 0) {
    const fields = Object.fromEntries(conflicts.map((field) => [field, [theirs[field] ?? ""]]));
    return endDraft(run, { draft, outcome: { kind: "conflict", message: null, fields }, ref, template: before });
  }
  if (send.length === 0) return endDraft(run, { draft, outcome: DONE, ref, template: before });
  const patch = patchOf({ ours, theirs, send, whole: false });
  const fields = send.map((field) => ({ field, from: theirs[field] ?? null, to: ours[field] ?? null }));
  let { written, intentId } = await patchOnce(run, work, { patch });
  if (written.kind === "written" && wipedFields(patch, before, written.value).length > 0) {
    const there = Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, before.address[field]])) as AddressAttributes;
    const whole = { ...patch, address_attributes: { ...there, ...patch.address_attributes } };
    ({ written, intentId } = await patchOnce(run, work, { patch: whole, replaces: intentId }));
  }
  if (written.kind === "not_found") return endDraft(run, { draft, outcome: GONE, intentId, ref, deleted: before.id });
  if (written.kind === "refused") return endDraft(run, { draft, outcome: refusal(written.problem), intentId });
  const { value: template, requestId } = written;
  return endDraft(run, { draft, outcome: DONE, intentId, kind: "template_updated", ref, template, requestId, fields });
}

const GONE = { kind: "gone", message: null, fields: null } as const;

function changesByHand({ draft }: Handwork, before: AddressTemplate) {
  const ours: Values = draft.draft ? valuesOfDraft(draft.draft) : {};
  const theirs = valuesOfTemplate(before);
  const shown = draft.base ? valuesOfTemplate(draft.base) : theirs;
  const said = (Object.keys(ours) as Field[]).filter((field) => (ours[field] ?? "") !== (shown[field] ?? ""));
  const send = said.filter((field) => differs(field, ours[field], theirs[field]));
  const conflicts = send.filter((field) => differs(field, theirs[field], shown[field]));
  return { ours, theirs, send, conflicts };
}

function patchOnce(
  run: Run,
  { draft, ref }: Handwork,
  { patch, replaces }: { patch: TemplatePatch; replaces?: string },
): Promise<OnceWritten<AddressTemplate>> {
  const templateId = draft.templateId!;
  return writeOnce(run, {
    ref,
    intent: { operation: "update", templateId, locationId: null, marker: null, payload: patch },
    stillHolds: async () => true,
    send: (account, options) => account.update(templateId, patch, options),
    replaces,
  });
}
