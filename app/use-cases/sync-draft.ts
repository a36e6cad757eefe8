import { closedReason, createBody, holds, mayBeMadeFrom } from "../domain/plan.ts";
import type { AddressTemplate, DraftRecord, IntentRecord } from "../domain/records.ts";
import { differs, valuesOfDraft } from "../domain/three-way.ts";
import type { ServiceProblem } from "../domain/errors.ts";
import type { ConnectionRef } from "../ports.ts";
import { passGate, refOf } from "../worker/connection-gate.ts";
import { heldTemplate } from "../worker/held-template.ts";
import { quarantineHolds } from "../worker/quarantine.ts";
import { blocked, commit } from "../worker/run.ts";
import type { Run, RunEnd } from "../worker/run.ts";
import { readableAccount } from "../worker/shipping-account.ts";
import type { ReadableAccount } from "../worker/shipping-account.ts";
import { writeOnce } from "../worker/write-once.ts";
import { endDraft } from "./end-draft.ts";
import type { DraftEnd } from "./end-draft.ts";
import { refuseHidden } from "./hidden-create.ts";
import { isAnothers } from "./is-anothers.ts";
import { unexpected } from "./keep-refusal.ts";
import { readBook } from "./read-book.ts";
import { updateByHand } from "./update-by-hand.ts";

/** One change by hand, and the account it goes to. */
export interface Handwork {
  draft: DraftRecord;
  ref: ConnectionRef;
  account: ReadableAccount;
}

/** Carries out a change by hand in the address book; its end, a refusal included, is kept for the form. */
export async function syncDraft(run: Run): Promise<RunEnd> {
  const { services, target } = run;
  const { store } = services;
  const draft = await store.drafts.find({ id: target.key, shop: target.shop });
  if (!draft || draft.endedAtMs !== null) return { kind: "done" };
  const intent = await store.intents.find({ targetId: target.id });
  const quarantined = await quarantineHolds(run);
  if (quarantined) return quarantined;
  const connection = await store.connections.find({ shop: target.shop, current: true });
  if (!connection || connection.id !== draft.connectionId) {
    return endDraft(run, { draft, outcome: { kind: "gone", message: null, fields: null }, intentId: intent?.id });
  }
  if (draft.templateId !== null && (await isAnothers(store, connection, draft.templateId))) {
    return endDraft(run, { draft, outcome: { kind: "gone", message: null, fields: null }, intentId: intent?.id });
  }
  const closed = closedReason(connection);
  if (closed) return blocked(run, closed);
  const { templateId } = draft;
  const held = templateId === null ? null : await heldTemplate(run, { connectionId: connection.id, templateId });
  const rests = held ?? (await passGate(run, connection));
  if (rests) return rests;
  const ref = refOf(connection);
  const work: Handwork = { draft, ref, account: readableAccount(run, ref) };
  if (intent) {
    const made = intent.operation === "create" ? await madeMeanwhile(run, work, intent) : null;
    if (made)
      return endDraft(run, {
        draft,
        outcome: DONE,
        intentId: intent.id,
        kind: "template_created",
        template: made,
        ref,
      });
    const putOff = await quarantineHolds(run);
    if (putOff) return putOff;
    await commit(run, (tables) => tables.intents.delete({ id: intent.id }));
  }
  if (draft.operation === "create") return createByHand(run, work);
  if (draft.operation === "update") return updateByHand(run, work);
  return deleteByHand(run, work);
}

export const DONE = { kind: "done", message: null, fields: null } as const;

/**
 * A hand-made template carries no marker, so an unclear create is known by its words: best by all of them, else by most, where
 * somebody was quick to correct it. Never one that was there before, stands for a location, or is what another form made.
 */
async function madeMeanwhile(
  run: Run,
  { ref, account }: Handwork,
  intent: IntentRecord,
): Promise<AddressTemplate | null> {
  const { id, payload, committedAtMs } = intent;
  const { store } = run.services;
  const key = { shop: ref.shop, connectionId: ref.id };
  const before = await store.templates.list({ ...key, readAtMs: { lte: committedAtMs } });
  const known = new Set(before.map(({ templateId }) => templateId));
  const { templates } = await readBook(run, ref, account);
  if (payload === null) return null;
  const like = templates.filter((template) => !known.has(template.id) && mayBeMadeFrom(template, payload));
  const ids = like.map((template) => template.id);
  const links = await store.links.list({ environment: ref.environment, templateId: { in: ids } });
  const forms = await store.drafts.list({ ...key, operation: "create", templateId: { in: ids } });
  const taken = new Set([...links, ...forms].map(({ templateId }) => templateId));
  const unclear = await store.intents.list({ ...key, id: { not: id }, operation: "create" });
  const free = like.filter((template) => !taken.has(template.id)).sort((a, b) => (a.id < b.id ? -1 : 1));
  const isAnotherForms = (template: AddressTemplate) =>
    unclear.some((other) => other.payload !== null && holds(template, other.payload));
  const made = free.find((template) => holds(template, payload)) ?? free.find((one) => !isAnotherForms(one));
  if (made) return made;
  const isOurs = (name: string) => !differs("alias_name", name, valuesOfDraft(payload).alias_name);
  await refuseHidden(store, { ref, intent, isOurs });
  return null;
}

async function createByHand(run: Run, { draft, ref }: Handwork): Promise<RunEnd> {
  const payload = draft.draft!;
  const { written, intentId } = await writeOnce(run, {
    ref,
    intent: { operation: "create", templateId: null, locationId: null, marker: null, payload },
    stillHolds: async () => true,
    send: (account, options) => account.create(createBody(payload), options),
  });
  if (written.kind === "refused") return endDraft(run, { draft, intentId, ...refusal(written.problem) });
  if (written.kind === "not_found") throw unexpected("create", written.requestId);
  return endDraft(run, {
    draft,
    outcome: DONE,
    intentId,
    kind: "template_created",
    template: written.value,
    ref,
    requestId: written.requestId,
  });
}

/** How a change by hand ends that the service refused, and under which request. */
export function refusal(problem: ServiceProblem): Pick<DraftEnd, "outcome" | "requestId"> {
  const { message, serviceMessage, fields, requestId } = problem;
  return { outcome: { kind: "refused", message: message ?? serviceMessage, fields }, requestId };
}

async function deleteByHand(run: Run, { draft, ref }: Handwork): Promise<RunEnd> {
  const templateId = draft.templateId!;
  const { written, intentId } = await writeOnce(run, {
    ref,
    intent: { operation: "delete", templateId, locationId: null, marker: null, payload: null },
    stillHolds: async () => true,
    send: (account, options) => account.delete(templateId, options),
  });
  if (written.kind === "refused") return endDraft(run, { draft, intentId, ...refusal(written.problem) });
  return endDraft(run, {
    draft,
    outcome: DONE,
    intentId,
    kind: "template_deleted",
    deleted: templateId,
    ref,
    requestId: written.requestId,
  });
}
