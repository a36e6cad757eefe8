import { fitOf } from "../domain/plan/create-fit.ts";
import { mayBeNamed } from "../domain/plan/create-fit.ts";
import type { PendingWrite, TemplateRecord } from "../domain/records.ts";
import type { ConnectionRef, Tables } from "../ports.ts";
import { quarantineEndsMs, quarantineHolds } from "../runs/quarantine.ts";
import { commit, reasonOf } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { endDraft } from "./end-draft.ts";
import { refuseHidden } from "../book/hidden-create.ts";
import { refuseLeftOut } from "../book/left-out.ts";
import { lookAgain, readBookSince } from "../book/read-book-since.ts";
import type { Handwork } from "./handwork.ts";
import { claimOn } from "../book/template-claims.ts";

/** Once the quarantine of a change by hand is over: how its run ends, or null when it is made anew. */
export async function resolveHandwork(run: Run, work: Handwork, pendingWrite: PendingWrite): Promise<RunEnd | null> {
  const end = pendingWrite.operation === "create" ? await resolveCreate(run, work, pendingWrite) : null;
  const putOff = end === null ? await quarantineHolds(run) : null;
  if (putOff) return putOff;
  if (end === null) await commit(run, (tables) => forgetUnclear(run, tables, pendingWrite));
  return end;
}

/** A location whose template an unclear deletion may have taken is not called in order before the template was read. */
async function forgetUnclear(run: Run, tables: Tables, { id, operation, ...of }: PendingWrite): Promise<void> {
  await tables.pendingWrites.delete({ id });
  if (operation !== "delete") return;
  const { shop, connectionId, templateId } = of;
  const known = { shop, connectionId, templateId: templateId!, disputedSinceMs: null };
  await tables.templates.update(known, { disputedSinceMs: run.services.clock.nowMs() });
}

/**
 * A hand-made template carries no marker, so all that is known of an unclear create is its words. Where a template has them by now that
 * was not known when the create was announced, it may be what the create made, or somebody else's from just before: the form is told that,
 * and nothing more is made; that does where the list fails, too. Only where none has them, and the book is known whole since, is it made.
 */
async function resolveCreate(run: Run, work: Handwork, pendingWrite: PendingWrite): Promise<RunEnd | null> {
  const { draft, ref, account } = work;
  const { payload } = pendingWrite;
  if (payload === null) return null;
  const sinceMs = quarantineEndsMs(run.services, pendingWrite);
  const { templates, failed, incomplete } = await readBookSince(run, { ref, account, sinceMs });
  const found = await mayBeIt(run, { ref, templates, pendingWrite, payload });
  if (found && "end" in found) return found.end;
  const isOurs = (name: string) => mayBeNamed(name, payload.alias_name ?? "");
  if (found) {
    const { row } = found;
    // What this one made may be hidden, and the row all that there is for the other form, which would be made again.
    if (found.isShared) await refuseHidden(run.services.store, { ref, pendingWrite, isOurs });
    const looked = await lookAgain(run, { ref, account, row, failed });
    if (looked === "gone") return resolveCreate(run, work, pendingWrite);
    if ("end" in looked) return looked.end;
    const outcome = { kind: "alike", message: null, fields: null } as const;
    const stillHolds = async (tables: Tables) =>
      (await claimOn(run.services, tables, { ref, row, pendingWrite })).kind === "free";
    return endDraft(run, { draft, outcome, pendingWriteId: pendingWrite.id, alike: row.templateId, stillHolds });
  }
  if (failed) throw failed;
  if (incomplete) return incomplete;
  await refuseHidden(run.services.store, { ref, pendingWrite, isOurs });
  await refuseLeftOut(run, { ref, account });
  return null;
}

interface Question {
  ref: ConnectionRef;
  templates: TemplateRecord[];
  pendingWrite: PendingWrite;
  payload: NonNullable<PendingWrite["payload"]>;
}

/**
 * Of the templates that fit and were not known before, the one that fits best and is no other form's and no location's; one that its
 * owner has linked to a location meanwhile may be it. Where another create may still say that it made that one, the run waits for it.
 * What another unclear create may as well have made comes last: it may be all that fits the other one, which would be made again.
 */
async function mayBeIt(
  run: Run,
  { ref, templates, pendingWrite, payload }: Question,
): Promise<{ row: TemplateRecord; isShared: boolean } | { end: RunEnd } | null> {
  const known = new Set(pendingWrite.alike);
  const fitting = templates
    .filter(({ templateId }) => !known.has(templateId))
    .map((row) => ({ row, fit: fitOf(row.template, payload) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit || (a.row.templateId < b.row.templateId ? -1 : 1));
  let shared: TemplateRecord | null = null;
  for (const { row } of fitting) {
    const claim = await claimOn(run.services, run.services.store, { ref, row, pendingWrite });
    if (claim.kind === "free" && !claim.isShared) return { row, isShared: false };
    if (claim.kind === "free") shared ??= row;
    if (claim.kind === "undecided")
      return { end: { kind: "waits", untilMs: claim.untilMs, reason: reasonOf(run, "quarantine") } };
  }
  return shared && { row: shared, isShared: true };
}
