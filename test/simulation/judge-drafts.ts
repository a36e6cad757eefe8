import type { Store } from "../../app/ports.ts";
import type { FakeAccount } from "../fakes/shipping-account.ts";

/** What a person asked for by hand in the address book's pages. */
export type HandDraft = { shop: string } & (
  | { operation: "create"; alias: string }
  | { operation: "update"; templateId: string; field: "reference" | "name" | "email"; value: string }
  | { operation: "delete"; templateId: string }
);

interface Evidence {
  drafts: ReadonlyMap<string, HandDraft>;
  store: Store;
  account: FakeAccount;
}

/** Every change by hand that reached the app has ended, and as its page tells. */
export async function lostDrafts({ drafts, store, account }: Evidence): Promise<string[]> {
  const lost: string[] = [];
  const isThere = (templateId: string) => account.templates.has(templateId);
  for (const [id, said] of drafts) {
    const draft = await store.drafts.find({ id });
    if (!draft) continue;
    const words = `${id} (${said.operation})`;
    const kind = draft.outcome?.kind;
    if (kind === undefined || kind === "refused") lost.push(`${words} came to no end (${kind})`);
    else if (said.operation === "create") {
      if (kind !== "done") lost.push(`${words} is told to be ${kind}`);
      else if (!wasMade(account, said.alias) && !isDeleted(drafts, draft.templateId))
        lost.push(`${words} was not made`);
    } else if (kind === "gone") {
      // Linked by another shop, perhaps only then.
      const anothers = { templateId: said.templateId, shop: { not: said.shop }, locationId: { not: null } };
      if (isThere(said.templateId) && (await store.activity.count(anothers)) === 0)
        lost.push(`${words} is told to be gone, and is there`);
    } else if (said.operation === "delete") {
      if (isThere(said.templateId)) lost.push(`${words} is told to be done, and ${said.templateId} is there`);
    } else if (kind === "done" && !account.heard.has(`${said.templateId} ${said.field} ${said.value}`)) {
      lost.push(`${words} is told to be done, and ${said.value} never came`);
    }
  }
  return lost;
}

/** Templates that one form made beyond the first. */
export function doubledDrafts({ drafts, account }: Omit<Evidence, "store">): number {
  const aliases = [...account.templates.values()].map(({ alias_name }) => alias_name);
  return [...drafts.values()].reduce((doubled, said) => {
    if (said.operation !== "create") return doubled;
    return doubled + Math.max(0, aliases.filter((alias) => alias === said.alias).length - 1);
  }, 0);
}

function wasMade(account: FakeAccount, alias: string): boolean {
  return [...account.templates.values()].some(({ alias_name }) => alias_name === alias);
}

function isDeleted(drafts: ReadonlyMap<string, HandDraft>, templateId: string | null): boolean {
  return [...drafts.values()].some((said) => said.operation === "delete" && said.templateId === templateId);
}
