import type { Store } from "../../../app/ports.ts";
import type { FakeAccount } from "../../fakes/shipping-account.ts";
import type { DraftRecord } from "../../../app/domain/records.ts";
import { connectionOf } from "../people/stage.ts";
import type { Stage } from "../people/stage.ts";
import { isHeldUp } from "./unserved.ts";

/** What a person asked for by hand in the address book's pages. */
export type HandDraft = { shop: string } & (
  | { operation: "create"; alias: string }
  | {
      operation: "update";
      templateId: string;
      field: "reference" | "name" | "email" | "address_type";
      value: string;
    }
  | { operation: "delete"; templateId: string }
);

export interface DraftFaults {
  lost: string[];
  falseWords: string[];
}

/** Every change by hand that reached the app has ended, and as its page tells. */
export async function draftFaults(stage: Stage, store: Store): Promise<DraftFaults> {
  const faults: DraftFaults = { lost: [], falseWords: [] };
  const made = new Map<string, string>();
  for (const [id, said] of stage.known.drafts) {
    const draft = await store.drafts.find({ id });
    if (!draft) continue;
    const words = `${id} (${said.operation})`;
    const kind = draft.outcome?.kind;
    // Without a connection it waits, as its page says; over another one it is gone.
    const connection = connectionOf(stage, said.shop);
    const isClosed = connection?.state !== "active";
    if (kind === undefined && (isClosed || isStuck(stage, id))) continue;
    if (kind === "gone" && connection?.id !== draft.connectionId) continue;
    if (kind === undefined || kind === "refused") faults.lost.push(`${words} came to no end (${kind})`);
    else if (await isFalse(stage, { store, draft, said, kind }))
      faults.falseWords.push(`${words} is told to be ${kind}, and is not`);
    else if (said.operation === "create" && draft.templateId !== null) {
      const other = made.get(draft.templateId);
      if (other) faults.falseWords.push(`${words} is told to have made ${draft.templateId}, which ${other} had made`);
      made.set(draft.templateId, id);
    }
  }
  return faults;
}

type Ended = NonNullable<DraftRecord["outcome"]>["kind"];

async function isFalse(
  stage: Stage,
  { store, draft, said, kind }: { store: Store; draft: DraftRecord; said: HandDraft; kind: Ended },
): Promise<boolean> {
  const account = await accountOfDraft(stage, store, draft);
  if (!account) return false;
  if (said.operation === "create" && kind === "alike")
    return ![...account.templates.values()].some(({ alias_name }) => alias_name === said.alias);
  if (said.operation === "create")
    return (
      kind !== "done" ||
      (draft.templateId !== null &&
        !account.templates.has(draft.templateId) &&
        !isDeleted(stage, account, draft.templateId))
    );
  const isThere = account.templates.has(said.templateId);
  if (kind === "gone") {
    // Linked by another shop, perhaps only then.
    const anothers = { templateId: said.templateId, shop: { not: said.shop }, locationId: { not: null } };
    return isThere && (await store.activity.count(anothers)) === 0;
  }
  if (said.operation === "delete") return isThere;
  return kind === "done" && !account.heard.has(`${said.templateId} ${said.field} ${said.value}`);
}

async function accountOfDraft(
  { accounts }: Stage,
  store: Store,
  { connectionId }: DraftRecord,
): Promise<FakeAccount | null> {
  const connection = await store.connections.find({ id: connectionId });
  return connection && accounts.of(connection.clientId, connection.environment);
}

/** Parked, or held up by what sticks: its page says so. */
function isStuck(stage: Stage, draftId: string): boolean {
  for (const target of stage.database.rows("targets"))
    if (target.kind === "template" && target.key === draftId)
      return target.state === "parked" || isHeldUp(stage, target);
  return false;
}

function isDeleted({ known }: Stage, account: FakeAccount, templateId: string): boolean {
  if (account.touched.has(templateId)) return true;
  return [...known.drafts.values()].some((said) => said.operation === "delete" && said.templateId === templateId);
}

/**
 * Templates that one form made beyond the first, and forms that were told that they had made what another had. Of several forms
 * with the same name each makes one.
 */
export function doubledDrafts({ known, accounts }: Stage): string[] {
  const forms = new Map<string, number>();
  for (const said of known.drafts.values())
    if (said.operation === "create") forms.set(said.alias, (forms.get(said.alias) ?? 0) + 1);
  const made = accounts.all.flatMap(({ templates }) => [...templates.values()].map(({ alias_name }) => alias_name));
  return [...forms].flatMap(([alias, count]) => {
    const there = made.filter((each) => each === alias).length;
    return there > count ? [`${there} templates are called ${alias}, and ${count} were asked for`] : [];
  });
}
