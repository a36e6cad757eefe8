import type { AddressAttributes, AddressField, ProblemCode } from "../domain/address/address.ts";
import { ADDRESS_FIELDS } from "../domain/address/address.ts";
import { longestOf } from "../domain/address/form-fields.ts";
import { asSeen } from "./as-seen.ts";
import { tooLong, validateAddress } from "../domain/address/validate.ts";
import { withoutMarker } from "../domain/marker.ts";
import type { AddressTemplate, DraftRecord, WorkItemReason, TemplateDraft, WaitReason } from "../domain/records.ts";
import { differs } from "../domain/plan/three-way.ts";
import { isWaitReason } from "../domain/reason-places.ts";
import type { Services } from "../ports.ts";
import type { RunProgress } from "../runs/run-now.ts";
import { runNow } from "../runs/run-now.ts";
import { submitDraft } from "./submit-draft.ts";

export interface TemplateProblem {
  field: AddressField | "alias_name" | "address_type";
  code: ProblemCode;
}

export type DraftEnding =
  | { kind: "done"; templateId: string | null }
  /** The service's words, by field and in general. */
  | { kind: "refused"; message: string | null; fields: Record<string, string[]> }
  /** Somebody changed the same fields there since the form was shown. */
  | { kind: "conflict" }
  /** The service says that it is done, and shows these fields as they were. */
  | { kind: "unkept"; fields: string[] }
  | { kind: "gone" | "anothers" | "account_changed" }
  /** Of a deletion: the location was included, or the template linked, after it was asked for. */
  | { kind: "taken_back" }
  /** A create was not answered; this template has its words, and may be what it made, or somebody else's. */
  | { kind: "alike"; templateId: string }
  /** The run has not ended: whoever sent the form asks again with the same draft. */
  | { kind: "under_way"; because?: WaitReason }
  | { kind: "waits"; reason: string }
  | { kind: "not_connected" }
  /** So many changes by hand wait to be carried out that this one was not taken. */
  | { kind: "too_many" };

export type SaveTemplateOutcome = { kind: "invalid"; problems: TemplateProblem[] } | DraftEnding;

/**
 * Makes a template by hand, or changes what differs from `base`, the template as the form showed it. Sent twice with one
 * `draftId` it is one change, so asking how far it came is sending it again.
 */
export async function saveTemplate(
  services: Services,
  input: {
    shop: string;
    draftId: string;
    templateId: string | null;
    draft: TemplateDraft;
    base: AddressTemplate | null;
  },
): Promise<SaveTemplateOutcome | { kind: "not_found" }> {
  const { shop, draftId, templateId } = input;
  const { draft, base } = await asSeen(services, input);
  if ((templateId === null) !== (base === null)) return { kind: "not_found" };
  // Asked again how it came out, its template may be gone.
  const known = await services.store.drafts.find({ id: draftId, shop });
  if (known && (known.operation !== (base ? "update" : "create") || (base && known.templateId !== templateId)))
    return { kind: "not_found" };
  const isToBeKnown = templateId !== null && !known;
  if (isToBeKnown && !(await isKnown(services, { shop, templateId }))) return { kind: "not_found" };
  const problems = problemsOf(draft, base);
  if (problems.length > 0) return { kind: "invalid", problems };
  return runDraft(services, { shop, draftId, operation: base ? "update" : "create", templateId, draft, base });
}

/** A template of this shop's account, for all we know. */
export async function isKnown(
  { store }: Services,
  { shop, templateId }: { shop: string; templateId: string },
): Promise<boolean> {
  const connection = await store.connections.find({ shop, current: true });
  return (
    connection !== null && (await store.templates.find({ shop, connectionId: connection.id, templateId })) !== null
  );
}

/** How many changes by hand of one shop may wait to be carried out. At two requests a second these are a minute of work. */
const MOST_OPEN = 50;

/** Stores a change by hand, runs it, and tells how it ended so far. */
export async function runDraft(services: Services, stated: Parameters<typeof submitDraft>[1]): Promise<DraftEnding> {
  const { shop, draftId } = stated;
  if (!(await services.store.connections.find({ shop, current: true }))) return { kind: "not_connected" };
  const { store } = services;
  const isKnownForm = (await store.drafts.count({ shop, id: draftId })) > 0;
  if (!isKnownForm && (await store.drafts.count({ shop, endedAtMs: null })) >= MOST_OPEN) return { kind: "too_many" };
  const requested = await submitDraft(services, stated);
  const progress = await runNow(services, { shop, ...requested });
  const item = await store.workItems.find({ id: requested.workItemId, shop });
  return endingOf(await store.drafts.find({ id: draftId, shop }), { progress, reason: item?.reason ?? null });
}

function endingOf(
  draft: DraftRecord | null,
  { progress, reason }: { progress: RunProgress; reason: WorkItemReason | null },
): DraftEnding {
  const outcome = draft?.outcome ?? null;
  if (outcome === null) {
    // It may have failed before; what it waits for now is told.
    const because = reason?.code;
    if (isWaitReason(because)) return { kind: "under_way", because };
    if (progress.kind !== "blocked" && progress.kind !== "failed") return { kind: "under_way" };
    return { kind: "waits", reason: progress.reason.code };
  }
  if (outcome.kind === "done") return { kind: "done", templateId: draft!.templateId };
  if (outcome.kind === "alike") return { kind: "alike", templateId: draft!.templateId! };
  if (outcome.kind === "unkept") return { kind: "unkept", fields: Object.keys(outcome.fields ?? {}) };
  return outcome.kind === "refused"
    ? { kind: "refused", message: outcome.message, fields: outcome.fields ?? {} }
    : { kind: outcome.kind };
}

/** What is wrong with what the person said; of a template that was there, only with what they changed. */
function problemsOf(draft: TemplateDraft, base: AddressTemplate | null): TemplateProblem[] {
  const said = Object.fromEntries(
    ADDRESS_FIELDS.map((field) => [field, draft.address_attributes[field] ?? null]),
  ) as AddressAttributes;
  const changed = (field: AddressField) => base === null || differs(field, base.address[field], said[field]);
  const found = [...tooLong(said), ...validateAddress(said)].filter(
    ({ field, severity }) => severity === "error" && changed(field),
  );
  const nameless = withoutMarker(draft.alias_name) === "" ? [{ field: "alias_name", code: "missing" } as const] : [];
  const long = (["alias_name", "address_type"] as const)
    .filter((field) => draft[field] !== base?.[field] && withoutMarker(draft[field]).length > longestOf(field))
    .filter((field) => field !== "alias_name" || !base || withoutMarker(draft[field]) !== withoutMarker(base[field]))
    .map((field) => ({ field, code: "too_long" }) as const);
  return [...nameless, ...long, ...found.map(({ field, code }) => ({ field, code }))];
}
