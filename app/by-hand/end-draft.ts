import type { ActivityRecord, AddressTemplate, DraftRecord, TemplatePatch, TemplateRecord } from "../domain/records.ts";
import type { ConnectionRef, Tables } from "../ports.ts";
import { commit, superseded } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { requestWork } from "../runs/request-work.ts";
import { wantVerification } from "../verification/want-verification.ts";
import { forgetTemplate } from "../book/mark-unlisted.ts";
import { keepAnswer, keepReading, keepTemplate } from "../book/keep-template.ts";
import { withoutMarker } from "../domain/marker.ts";
import { recordActivity } from "../activity/record-activity.ts";

export interface DraftEnd {
  draft: DraftRecord;
  outcome: NonNullable<DraftRecord["outcome"]>;
  pendingWriteId?: string | null | undefined;
  /** Of the activity, when something was changed there. */
  kind?: "template_created" | "template_updated" | "template_deleted";
  ref?: ConnectionRef;
  template?: AddressTemplate | null;
  /** What our update said, where the template is its answer. */
  said?: TemplatePatch;
  /** The reading that the update was planned on, or, without one, that the template is of. */
  known?: TemplateRecord;
  deleted?: string;
  /** The template that a create may have made. */
  alike?: string;
  /** The location that the end is about, where nothing changed in the account. */
  locationId?: string;
  /** Asked in the transaction that keeps the end; where it says no, the run is `superseded` and begins anew. */
  stillHolds?: (tables: Tables) => Promise<boolean>;
  requestId?: string | null;
  fields?: { field: string; from: string | null; to: string | null }[];
}

const OUTCOME_OF: Partial<Record<DraftEnd["outcome"]["kind"], ActivityRecord["outcome"]>> = {
  done: "done",
  alike: "noted",
  taken_back: "noted",
};

/** Keeps the end of a change by hand, in one transaction with the end of its pending write. */
export async function endDraft(run: Run, end: DraftEnd): Promise<RunEnd> {
  const { services, item } = run;
  const { draft, outcome, pendingWriteId, kind, requestId, fields } = end;
  const templateId = end.alike ?? end.template?.id ?? draft.templateId;
  await commit(run, async (tables) => {
    if (end.stillHolds && !(await end.stillHolds(tables)))
      throw superseded("what the form was to be told holds no more");
    if (pendingWriteId) await tables.pendingWrites.delete({ id: pendingWriteId });
    await tables.drafts.update({ id: draft.id }, { outcome, endedAtMs: services.clock.nowMs(), templateId });
    const alias = await aliasOf(tables, { draft, templateId });
    const locationId = end.locationId ?? (await keepWhatChanged(run, tables, end));
    // The run that ends it is nobody's press; the form was somebody's.
    await recordActivity({ ...services, staffId: draft.staffId }, tables, {
      shop: item.shop,
      actor: "owner",
      kind: kind ?? `draft_${outcome.kind}`,
      outcome: OUTCOME_OF[outcome.kind] ?? "failed",
      locationId,
      locationName: locationId === null ? alias : null,
      templateId,
      fields: fields ?? refusedFields(outcome),
      requestId: requestId ?? null,
      detail: outcome.message,
    });
  });
  services.wake();
  return { kind: "done" };
}

/** What the service said of each field. */
function refusedFields({ kind, fields }: DraftEnd["outcome"]): NonNullable<DraftEnd["fields"]> {
  if (kind !== "refused") return [];
  return Object.entries(fields ?? {}).map(([field, messages]) => ({ field, from: null, to: messages.join(", ") }));
}

/** What the address is called in the address book, before it may go from it. */
async function aliasOf(
  tables: Tables,
  { draft, templateId }: { draft: DraftRecord; templateId: string | null },
): Promise<string | null> {
  const { shop, connectionId } = draft;
  const known = templateId === null ? null : await tables.templates.find({ shop, connectionId, templateId });
  const alias = draft.draft?.alias_name ?? known?.template.alias_name;
  return alias === undefined ? null : withoutMarker(alias);
}

/** Where a location moves to the address, its carriers are asked about what it is now: the day rests on what they say. */
async function askForMove(
  { services }: Run,
  tables: Tables,
  { ref, row }: { ref: ConnectionRef; row: TemplateRecord },
): Promise<void> {
  const place = { shop: ref.shop, connectionId: ref.id, templateId: row.templateId };
  const moves = await tables.moves.list({ ...place, state: "coming" });
  if (moves.length === 0) return;
  // What its owner was asked of the address before may be answered by that.
  for (const { shop, locationId: key } of moves) await requestWork(services, tables, { shop, kind: "move", key });
  const { policies } = (await tables.shops.find({ shop: ref.shop }))!;
  await wantVerification(services, tables, { ref, row, policies: { ...policies, verifyAfterChange: true } });
}

/**
 * A link goes with the template only where somebody of the shop deleted it; one that was gone is its location's run to find out. Gives
 * the location that the template stands for, or stood for until now.
 */
async function keepWhatChanged(
  run: Run,
  tables: Tables,
  { draft, ref, template, said, known, deleted }: DraftEnd,
): Promise<string | null> {
  if (!ref) return null;
  const key = { shop: ref.shop, connectionId: ref.id };
  if (template && !known) await keepTemplate(run.services, tables, { ref, template, answers: { to: "create" } });
  else if (template && said)
    await askForMove(run, tables, {
      ref,
      row: await keepAnswer(run.services, tables, { ref, template, said, known: known! }),
    });
  // Of a reading that was behind the row is what there is, and it is to be looked at again.
  else if (template && known!.disputedSinceMs === null)
    await keepReading(run.services, tables, { ref, template, known: known! });
  const templateId = deleted ?? template?.id;
  const link = templateId === undefined ? null : await tables.links.find({ ...key, templateId });
  if (deleted !== undefined) {
    await forgetTemplate(tables, { ...key, templateId: deleted });
    if (draft.operation === "delete") await tables.links.delete({ ...key, templateId: deleted });
  }
  if (link) await requestWork(run.services, tables, { shop: ref.shop, kind: "location", key: link.locationId });
  return link?.locationId ?? null;
}
