import { closedReason } from "../domain/closed-reason.ts";
import { createBody } from "../domain/plan/plan.ts";
import type { AddressTemplate } from "../domain/records.ts";
import { passGate, refOf } from "../runs/circuit-breaker.ts";
import { heldTemplate } from "../runs/held-template.ts";
import { quarantineHolds } from "../runs/quarantine.ts";
import { blocked, commit, unexpected } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { readableAccount } from "../runs/shipping-account.ts";
import { writeOnce } from "../runs/write-once.ts";
import type { Write } from "../runs/write-once.ts";
import type { Tables } from "../ports.ts";
import { takenBackFor } from "./taken-back.ts";
import { alikeBefore, unreadableBefore } from "../book/alike-before.ts";
import { failLostWrite } from "../book/believe-absence.ts";
import { awaitSecondSighting } from "../book/confirm-absence.ts";
import { keepReading } from "../book/keep-template.ts";
import { believeMade } from "../book/made-answer.ts";
import { endDraft } from "./end-draft.ts";
import { DONE, refusal } from "./handwork.ts";
import type { Handwork } from "./handwork.ts";
import { belongsToAnotherShop } from "../book/belongs-to-another-shop.ts";
import { resolveHandwork } from "./resolve-handwork.ts";
import { clearUpUpdates } from "../sync/clear-up-updates.ts";
import { updateByHand } from "./update-by-hand.ts";

/** Carries out a change by hand in the address book; its end, a refusal included, is kept for the form. */
export async function syncDraft(run: Run): Promise<RunEnd> {
  const { services, item } = run;
  const { store } = services;
  const draft = await store.drafts.find({ id: item.key, shop: item.shop });
  if (!draft || draft.endedAtMs !== null) return { kind: "done" };
  const pendingWrite = await store.pendingWrites.find({ workItemId: item.id });
  const quarantined = await quarantineHolds(run);
  if (quarantined) return quarantined;
  const connection = await store.connections.find({ shop: item.shop, current: true });
  if (!connection || connection.id !== draft.connectionId) {
    return endDraft(run, { draft, outcome: ACCOUNT_CHANGED, pendingWriteId: pendingWrite?.id });
  }
  if (draft.templateId !== null && (await belongsToAnotherShop(store, connection, draft.templateId))) {
    return endDraft(run, { draft, outcome: ANOTHERS, pendingWriteId: pendingWrite?.id });
  }
  const closed = closedReason(connection);
  if (closed) return blocked(run, closed);
  const { templateId } = draft;
  const { id: connectionId, environment } = connection;
  const held =
    templateId === null ? null : await heldTemplate(run, { environment, connectionId, templateId, clearsUp: true });
  const rests = held ?? (await passGate(run, connection));
  if (rests) return rests;
  const ref = refOf(connection);
  const work: Handwork = { draft, ref, account: readableAccount(run, ref) };
  if (pendingWrite) {
    const end = await resolveHandwork(run, work, pendingWrite);
    if (end) return end;
  }
  if (draft.operation === "create") return createByHand(run, work);
  if (draft.operation === "update") return updateByHand(run, work);
  return deleteByHand(run, work);
}

const ACCOUNT_CHANGED = { kind: "account_changed", message: null, fields: null } as const;
const ANOTHERS = { kind: "anothers", message: null, fields: null } as const;

async function createByHand(run: Run, { draft, ref }: Handwork): Promise<RunEnd> {
  const payload = draft.draft!;
  const readable = await alikeBefore(run.services, { ref, payload });
  const alike = [...readable, ...(await unreadableBefore(run.services, { ref, payload }))];
  const written = await writeOnce(run, {
    ref,
    pendingWrite: { operation: "create", templateId: null, locationId: null, marker: null, payload, alike },
    stillHolds: async () => true,
    send: async (account, options) => {
      const said = { ref, payload, alike, locationId: null };
      return believeMade(run.services.store, said, await account.create(createBody(payload), options));
    },
  });
  if (written.kind === "refused") return endDraft(run, { draft, ...refusal(written) });
  if (written.kind === "not_found") throw unexpected("create", written.requestId);
  return endDraft(run, {
    draft,
    outcome: DONE,
    pendingWriteId: written.pendingWriteId,
    kind: "template_created",
    template: written.value,
    ref,
    requestId: written.requestId,
  });
}

const TAKEN_BACK = { kind: "taken_back", message: null, fields: null } as const;

/**
 * Its owner's newest word holds: whether the deletion was taken back is asked in the transaction that announces it. The template's GET goes
 * before that, so where an earlier DELETE without an answer has taken effect, the form is told that.
 */
async function deleteByHand(run: Run, { draft, ref }: Handwork): Promise<RunEnd> {
  const templateId = draft.templateId!;
  const key = { shop: ref.shop, connectionId: ref.id, templateId };
  const known = await run.services.store.templates.find(key);
  // News of the template for whoever else writes there: a GET of theirs may have been behind this one.
  const whenRead = (template: AddressTemplate) =>
    commit(run, async (tables) => {
      await keepReading(run.services, tables, { ref, template, known });
      await clearUpUpdates(run, tables, { ref, template });
    });
  let takenBack: string | null = null;
  const stillHolds = async (tables: Tables) => (takenBack = await takenBackFor(tables, draft)) === null;
  const deletion = {
    ref,
    pendingWrite: { operation: "delete", templateId, locationId: null, marker: null, payload: null, alike: [] },
    stillHolds,
    // Its owner's word holds whatever is there.
    send: (account, options) => account.delete(templateId, { ...options, whenRead }),
  } satisfies Write<null>;
  const written = await writeOnce(run, deletion).catch((error: unknown) => {
    if (takenBack === null) throw error;
    return { kind: "taken_back", locationId: takenBack } as const;
  });
  if (written.kind === "taken_back") {
    const { locationId } = written;
    const isSo = async (tables: Tables) => (await takenBackFor(tables, draft)) === locationId;
    return endDraft(run, { draft, outcome: TAKEN_BACK, locationId, stillHolds: isSo });
  }
  if (written.kind === "refused") return endDraft(run, { draft, ...refusal(written) });
  const { pendingWriteId, requestId } = written;
  if (written.kind === "not_found") {
    if (pendingWriteId !== null)
      await failLostWrite(run, { ...written, pendingWriteId, ref, templateId, operation: "delete" });
    const waits = await awaitSecondSighting(run, { ref, templateId, requestId });
    if (waits) return waits;
  }
  return endDraft(run, {
    draft,
    outcome: DONE,
    pendingWriteId,
    kind: "template_deleted",
    deleted: templateId,
    ref,
    requestId,
  });
}
