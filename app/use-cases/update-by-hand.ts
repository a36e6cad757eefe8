import type { AddressField } from "../domain/address.ts";
import type { AddressTemplate } from "../domain/records.ts";
import { differs, emptiedBy, emptiedMeanwhile, patchOf, valuesOfDraft, valuesOfTemplate } from "../domain/three-way.ts";
import type { Field, Values } from "../domain/three-way.ts";
import { commit } from "../worker/run.ts";
import type { Run, RunEnd } from "../worker/run.ts";
import { writeOnce } from "../worker/write-once.ts";
import { endDraft } from "./end-draft.ts";
import { keepTemplate } from "./read-book.ts";
import { DONE, refusal } from "./sync-draft.ts";
import type { Handwork } from "./sync-draft.ts";

/**
 * Sends only what the person changed; a field that somebody else changed since the form was shown is a conflict, and nothing goes.
 * Fields that an update of ours emptied are put back as the form showed them.
 */
export async function updateByHand(run: Run, work: Handwork): Promise<RunEnd> {
  const { draft, ref, account } = work;
  const found = await account.get(draft.templateId!);
  if (found.kind === "not_found") return endDraft(run, { draft, outcome: GONE, ref, deleted: draft.templateId! });
  await commit(run, (tables) => keepTemplate(run.services, tables, { ref, template: found.value }));
  return sendByHand(run, work, found.value);
}

async function sendByHand(run: Run, work: Handwork, before: AddressTemplate): Promise<RunEnd> {
  const { draft, ref } = work;
  const { ours, theirs, send, conflicts, emptied } = changesByHand(work, before);
  if (conflicts.length > 0) {
    const fields = Object.fromEntries(conflicts.map((field) => [field, [theirs[field] ?? ""]]));
    return endDraft(run, { draft, outcome: { kind: "conflict", message: null, fields }, ref, template: before });
  }
  if (send.length === 0) return endDraft(run, { draft, outcome: DONE, ref, template: before });
  const patch = patchOf({ ours, theirs, send, whole: emptied });
  const templateId = draft.templateId!;
  const { written, intentId } = await writeOnce(run, {
    ref,
    intent: { operation: "update", templateId, locationId: null, marker: null, payload: patch },
    stillHolds: async () => true,
    send: (to, options) => to.update(templateId, patch, options),
  });
  if (written.kind === "not_found") return endDraft(run, { draft, outcome: GONE, intentId, ref, deleted: before.id });
  if (written.kind === "refused") return endDraft(run, { draft, outcome: refusal(written.problem), intentId });
  const { value: template, requestId } = written;
  if (!emptied && emptiedBy(patch, before, template).length > 0) {
    await commit(run, async (tables) => {
      await tables.intents.delete({ id: intentId });
      await keepTemplate(run.services, tables, { ref, template });
    });
    return sendByHand(run, work, template);
  }
  const fields = send.map((field) => ({ field, from: theirs[field] ?? null, to: ours[field] ?? null }));
  return endDraft(run, { draft, outcome: DONE, intentId, kind: "template_updated", ref, template, requestId, fields });
}

const GONE = { kind: "gone", message: null, fields: null } as const;

function changesByHand({ draft }: Handwork, before: AddressTemplate) {
  const said: Values = draft.draft ? valuesOfDraft(draft.draft) : {};
  const theirs = valuesOfTemplate(before);
  const shown = draft.base ? valuesOfTemplate(draft.base) : theirs;
  const emptied = draft.base ? emptiedMeanwhile(draft.base, before) : [];
  const ours: Values = { ...said };
  for (const field of emptied) ours[field] = field in said ? said[field]! : shown[field]!;
  const changed = (Object.keys(said) as Field[]).filter((field) => (said[field] ?? "") !== (shown[field] ?? ""));
  const meant = [...new Set<Field>([...changed, ...emptied])];
  const send = meant.filter((field) => differs(field, ours[field], theirs[field]));
  const conflicts = send.filter(
    (field) => !emptied.includes(field as AddressField) && differs(field, theirs[field], shown[field]),
  );
  return { ours, theirs, send, conflicts, emptied: emptied.length > 0 };
}
