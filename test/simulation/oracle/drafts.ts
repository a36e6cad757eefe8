import type { Store } from "../../../app/ports.ts";
import { connectionOf } from "../people/stage.ts";
import type { Stage } from "../people/stage.ts";
import { isHeldUp } from "./unserved.ts";

/** Every change by hand that reached the app has ended; what its page tells was judged when it began to tell it. */
export async function lostDrafts(stage: Stage, store: Store): Promise<string[]> {
  const lost: string[] = [];
  for (const [id, said] of stage.known.drafts) {
    const draft = await store.drafts.find({ id });
    if (!draft) continue;
    const kind = draft.outcome?.kind;
    // Without a connection it waits, as its page says.
    if (kind === undefined && (connectionOf(stage, said.shop)?.state !== "active" || isStuck(stage, id))) continue;
    if (kind === undefined || kind === "refused") lost.push(`${id} (${said.operation}) came to no end (${kind})`);
  }
  return lost;
}

/** Parked, or held up by what sticks: its page says so. */
function isStuck(stage: Stage, draftId: string): boolean {
  for (const workItem of stage.database.rows("workItems"))
    if (workItem.kind === "template" && workItem.key === draftId)
      return workItem.state === "parked" || isHeldUp(stage, workItem);
  return false;
}

/**
 * Templates that one form made beyond the first, and forms that were told that they had made what another had. Of several forms
 * with the same name each makes one.
 */
export function doubledDrafts({ known, accounts }: Stage): string[] {
  const forms = new Map<string, number>();
  for (const said of known.drafts.values())
    if (said.operation === "create") forms.set(said.alias, (forms.get(said.alias) ?? 0) + 1);
  const made = accounts.all.flatMap(({ templates }) =>
    [...templates.values()].filter(({ id }) => !known.older.has(id)).map(({ alias_name }) => alias_name),
  );
  return [...forms].flatMap(([alias, count]) => {
    const there = made.filter((each) => each === alias).length;
    return there > count ? [`${there} templates are called ${alias}, and ${count} were asked for`] : [];
  });
}
