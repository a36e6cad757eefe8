import type { VerificationRecord } from "../../../app/domain/records.ts";
import type { MemoryDatabase, StoredChange } from "../../fakes/memory-store.ts";
import type { Accounts } from "../story/accounts.ts";

/** Verdicts of carriers that the app forgot though their template is there. */
export function lostVerdicts(
  changes: readonly StoredChange[],
  { database, accounts }: { database: MemoryDatabase; accounts: Accounts },
): string[] {
  const gone: Readonly<VerificationRecord>[] = [];
  const kept = new Set<string>();
  for (const { table, before, after } of changes) {
    // A shop that is erased takes everything with it.
    if (table === "shops" && before && !after) return [];
    if (table !== "verifications") continue;
    if (before && !after && before.outcome !== "wanted") gone.push(before);
    if (after) kept.add(`${after.templateId} ${after.carrier}`);
  }
  return gone.flatMap(({ connectionId, templateId, carrier, outcome }) => {
    if (kept.has(`${templateId} ${carrier}`)) return [];
    const account = accountOf(database, accounts, connectionId);
    return account?.templates.has(templateId)
      ? [`what ${carrier} said of ${templateId} (${outcome}) is forgotten, and the template is there`]
      : [];
  });
}

function accountOf(database: MemoryDatabase, accounts: Accounts, connectionId: string) {
  for (const { id, clientId, environment } of database.rows("connections"))
    if (id === connectionId) return accounts.of(clientId, environment);
  return null;
}
