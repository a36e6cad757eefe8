import type { DraftRecord } from "../../../app/domain/records.ts";
import type { Store } from "../../../app/ports.ts";
import type { StoredChange } from "../../fakes/memory-store.ts";
import { connectionOf } from "../people/stage.ts";
import type { Stage } from "../people/stage.ts";
import type { HandDraft } from "../people/stage.ts";
import { REFUSED_WORDS } from "../story/stuck.ts";
import { isHeldUp, refusesForGood } from "./unserved.ts";

/** When a change by hand ended, by the true clock: the row says it by the clock of the process, which may have jumped. */
export type DraftEnds = (draftId: string) => number;

export interface DraftEndsWatch {
  committed(change: StoredChange): void;
  endedAtMs: DraftEnds;
}

export function createDraftEndsWatch(nowMs: () => number): DraftEndsWatch {
  const ends = new Map<string, number>();
  return {
    committed({ table, before, after }) {
      if (table === "drafts" && after?.outcome && !before?.outcome) ends.set(after.id, nowMs());
    },
    endedAtMs: (draftId) => ends.get(draftId) ?? 0,
  };
}

/** Changes by hand that reached the app and have not ended. What their pages told was judged when they told it. */
export async function lostDrafts(
  stage: Stage,
  { store, endedAtMs }: { store: Store; endedAtMs: DraftEnds },
): Promise<string[]> {
  const lost: string[] = [];
  for (const [id, said] of stage.known.drafts) {
    const draft = await store.drafts.find({ id });
    if (!draft) continue;
    const kind = draft.outcome?.kind;
    // Without a connection the change waits, and its page says so.
    if (kind === undefined && (connectionOf(stage, said.shop)?.state !== "active" || isStuck(stage, id))) continue;
    if (kind === "refused" && isTrulyRefused(stage, { draft, said, atMs: endedAtMs(id) })) continue;
    if (kind === undefined || kind === "refused") lost.push(`${id} (${said.operation}) came to no end (${kind})`);
  }
  return lost;
}

/** Whether the change is parked, or held up by a fault that sticks; its page says so. */
function isStuck(stage: Stage, draftId: string): boolean {
  for (const workItem of stage.database.rows("workItems"))
    if (workItem.kind === "template" && workItem.key === draftId)
      return workItem.state === "parked" || isHeldUp(stage, workItem);
  return false;
}

/**
 * Whether the service refuses just this change time after time, its form is told so in the service's own words, and nothing of it took
 * effect. Such a refusal is an end: nobody in the story fills the form in again.
 */
function isTrulyRefused(
  stage: Stage,
  { draft, said, atMs }: { draft: DraftRecord; said: HandDraft; atMs: number },
): boolean {
  if (said.operation === "create" || draft.outcome?.message !== REFUSED_WORDS) return false;
  const workItem = { kind: "template", shop: said.shop, key: draft.id } as const;
  if (!refusesForGood(stage, { workItem, operation: said.operation, atMs })) return false;
  const { templateId } = said;
  return said.operation === "update"
    ? !stage.accounts.all.some(({ heard }) => heard.has(`${templateId} ${said.field} ${said.value}`))
    : stage.accounts.all.some((account) => hasAfter(account, { templateId, atMs }));
}

/** Whether the template was still there then. Somebody, or the app for another reason, may have deleted it later. */
function hasAfter(
  { templates, touched, changedAtMs }: Stage["accounts"]["all"][number],
  { templateId, atMs }: { templateId: string; atMs: number },
): boolean {
  return templates.has(templateId) || touched.has(templateId) || changedAtMs(templateId) > atMs;
}

/** Names under which more templates exist than forms asked for. Several forms with the same name make one template each. */
export function doubledDrafts({ known, accounts }: Stage, given: ReadonlySet<string>): string[] {
  const forms = new Map<string, number>();
  for (const said of known.drafts.values())
    if (said.operation === "create") forms.set(said.alias, (forms.get(said.alias) ?? 0) + 1);
  const made = accounts.all.flatMap(({ templates }) =>
    [...templates.values()]
      .filter(({ id }) => !known.older.has(id) && !given.has(id))
      .map(({ alias_name }) => alias_name),
  );
  return [...forms].flatMap(([alias, count]) => {
    const there = made.filter((each) => each === alias).length;
    return there > count ? [`${there} templates are called ${alias}, and ${count} were asked for`] : [];
  });
}
