import type { AddressAttributes } from "../../../app/domain/address/address.ts";
import type { DraftRecord } from "../../../app/domain/records.ts";
import type { FakeAccount } from "../../fakes/shipping/account.ts";
import type { MemoryDatabase, StoredChange } from "../../fakes/memory-store.ts";
import { connectionOf } from "../people/stage.ts";
import type { Known, HandDraft } from "../people/stage.ts";
import type { Accounts } from "../story/accounts.ts";

/** Compares what a page tells of a change by hand with the account, at the moment when the page begins to tell it. */

interface Parts {
  database: () => MemoryDatabase;
  accounts: Accounts;
  known: Pick<Known, "drafts">;
}

type Ended = NonNullable<DraftRecord["outcome"]>["kind"];

/** The objection to what a page tells; null when that is true. */
export function falselyTold({ table, before, after }: StoredChange, parts: Parts): string | null {
  if (table !== "drafts" || !after?.outcome || before?.outcome) return null;
  const { known, database, accounts } = parts;
  const said = known.drafts.get(after.id);
  if (!said) return null;
  const { kind } = after.outcome;
  const words = `${after.id} (${said.operation}) is told to be ${kind}`;
  const account = accountOfDraft(parts, after);
  if (!account) return `${words}, and its account is not known`;
  if (!isSo({ kind, draft: after, said, account, database: database(), accounts })) return `${words}, and is not`;
  if (said.operation !== "create" || after.templateId === null) return null;
  if (said.stood.includes(after.templateId)) return `${words}, having made ${after.templateId}, which was there before`;
  const other = [...database().rows("drafts")].find(
    ({ id, operation, templateId }) => id !== after.id && operation === "create" && templateId === after.templateId,
  );
  return other ? `${words}, having made ${after.templateId}, which ${other.id} had made` : null;
}

interface DraftClaim {
  kind: Ended;
  draft: Readonly<DraftRecord>;
  said: HandDraft;
  account: FakeAccount;
  database: MemoryDatabase;
  accounts: Accounts;
}

function isSo(told: DraftClaim): boolean {
  const { kind, draft, said, account, database } = told;
  switch (kind) {
    // Whether a refusal lost anything is judged at the end.
    case "refused":
      return true;
    case "account_changed":
      return connectionOf({ database }, draft.shop)?.id !== draft.connectionId;
    case "anothers":
      return said.operation !== "create" && belongsToAnotherShop(told, said.templateId);
    case "alike":
      return said.operation === "create" && (isMade(account, draft.templateId, said.alias) || isThere(account, draft));
    case "taken_back":
      return said.operation === "delete" && isTakenBack(database, draft);
    case "gone":
      return said.operation !== "create" && !account.templates.has(said.templateId);
    case "conflict":
    case "unkept":
      return said.operation === "update";
    case "done":
      if (said.operation === "create") return isMade(account, draft.templateId, said.alias);
      if (said.operation === "delete") return !account.templates.has(said.templateId);
      return account.heard.has(`${said.templateId} ${said.field} ${said.value}`);
  }
}

/** A location that is not left out has the template: its owner has included it, or linked the template, since the form was sent. */
export function isTakenBack(
  database: MemoryDatabase,
  { shop, connectionId, templateId }: Pick<DraftRecord, "shop" | "connectionId" | "templateId">,
): boolean {
  for (const link of database.rows("links"))
    if (link.shop === shop && link.connectionId === connectionId && link.templateId === templateId)
      for (const details of database.rows("details"))
        if (details.shop === shop && details.locationId === link.locationId) return details.inclusion !== "never";
  return false;
}

/**
 * Whether the created template exists, or a person has just removed it. It was made under the form's name, or a beginning of it that the
 * service keeps, or has that name now: another shop of the account may have linked it since and given it its location's name.
 */
function isMade(account: FakeAccount, templateId: string | null, alias: string): boolean {
  if (templateId === null) return false;
  const made = account.templates.get(templateId);
  if (!made) return account.touched.has(templateId);
  const names = [made.alias_name, account.madeAs.get(templateId) ?? ""];
  return names.some((name) => name.length > 0 && alias.startsWith(name));
}

/** Whether the template says the form's address, under whichever name. */
function isThere({ templates }: FakeAccount, { templateId, draft }: Readonly<DraftRecord>): boolean {
  const there = templateId === null ? undefined : templates.get(templateId);
  const house = ({ street1, street_number: number, postal_code: code }: Partial<AddressAttributes>) =>
    [street1, number, code].join(" ").toUpperCase();
  return there !== undefined && draft !== null && house(there.address) === house(draft.address_attributes ?? {});
}

function belongsToAnotherShop({ draft, account, database, accounts }: DraftClaim, templateId: string): boolean {
  for (const link of database.rows("links"))
    if (link.shop !== draft.shop && link.templateId === templateId)
      for (const { id, clientId, environment } of database.rows("connections"))
        if (id === link.connectionId && accounts.of(clientId, environment) === account) return true;
  return false;
}

function accountOfDraft({ database, accounts }: Parts, { connectionId }: Readonly<DraftRecord>): FakeAccount | null {
  for (const { id, clientId, environment } of database().rows("connections"))
    if (id === connectionId) return accounts.of(clientId, environment);
  return null;
}
