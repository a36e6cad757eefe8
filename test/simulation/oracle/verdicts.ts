import { canonicalAddress } from "../../../app/domain/address/compare.ts";
import type {
  AddressTemplate,
  TemplateRecord,
  WorkItem,
  VerificationOutcome,
  VerificationRecord,
} from "../../../app/domain/records.ts";
import type { OriginsView } from "../../../app/views/origins.ts";
import type { MemoryDatabase, StoredChange } from "../../fakes/memory-store.ts";
import { accountOf as accountOfShop, templateOf } from "../people/stage.ts";
import type { Stage } from "../people/stage.ts";
import type { Accounts } from "../story/accounts.ts";
import type { AnswersWatch } from "./answers.ts";

/** Verdicts of carriers that the app forgot although their template still exists. */
export function lostVerdicts(
  changes: readonly StoredChange[],
  { database, accounts }: { database: MemoryDatabase; accounts: Accounts },
): string[] {
  const gone: Readonly<VerificationRecord>[] = [];
  const kept = new Set<string>();
  for (const { table, before, after } of changes) {
    // Erasing a shop erases all of its rows.
    if (table === "shops" && before && !after) return [];
    if (table !== "verifications") continue;
    if (before && !after && before.outcome !== "wanted") gone.push(before);
    if (after) kept.add(`${after.templateId} ${after.carrier}`);
  }
  return gone.flatMap(({ shop, connectionId, templateId, carrier, outcome }) => {
    if (kept.has(`${templateId} ${carrier}`) || isBeingErased(database, shop)) return [];
    const account = accountOf(database, accounts, connectionId);
    return account?.templates.has(templateId)
      ? [`what ${carrier} said of ${templateId} (${outcome}) is forgotten, and the template is there`]
      : [];
  });
}

/** A shop that left is erased some rows at a time, its own row last. Whether it may be erased is judged by its credentials. */
function isBeingErased(database: MemoryDatabase, of: string): boolean {
  const row = [...database.rows("shops")].find(({ shop }) => shop === of);
  return row != null && row.uninstalledAtMs !== null && row.redactToldAtMs !== null;
}

/** Outcomes that are no verdict of the carrier. */
const NO_VERDICT: readonly VerificationOutcome[] = ["wanted", "pending", "no_answer"];

/**
 * Verdicts that were replaced by waiting, or by "no answer", although the template still has the address that they were given for. What an
 * update emptied without naming it still belongs to the address while the location's run is to put it back.
 */
export function verdictsTurnedToWaiting(
  changes: readonly StoredChange[],
  { database, accounts }: { database: MemoryDatabase; accounts: Accounts },
): string[] {
  return changes.flatMap(({ table, before, after }) => {
    if (table !== "verifications" || !before || !after) return [];
    const { connectionId, templateId, carrier, outcome, addressKey } = before;
    if ((outcome !== "accepted" && outcome !== "refused") || !NO_VERDICT.includes(after.outcome)) return [];
    const account = accountOf(database, accounts, connectionId);
    const there = account?.templates.get(templateId);
    const known = [...database.rows("templates")].find(
      (row) => row.connectionId === connectionId && row.templateId === templateId,
    );
    // Where the template has another address, or had one when it was last read, the verdict is about another address.
    const emptied = isToBeWritten(database, before) ? account?.emptied.get(templateId) : undefined;
    const isOf = ({ address }: AddressTemplate) =>
      wholeAddresses(address, emptied).some((each) => canonicalAddress(each) === addressKey);
    if (!there || !known || !isOf(known.template) || !isOf(there)) return [];
    return [`what ${carrier} said of ${templateId} (${outcome}) became ${after.outcome}, and its address is the same`];
  });
}

/** Whether the run of the template's location is still to come or under way. */
function isToBeWritten(
  database: MemoryDatabase,
  { shop, connectionId, templateId }: Readonly<VerificationRecord>,
): boolean {
  const link = [...database.rows("links")].find(
    (row) => row.connectionId === connectionId && row.templateId === templateId,
  );
  return [...database.rows("workItems")].some(
    (item) =>
      item.shop === shop &&
      item.kind === "location" &&
      item.key === link?.locationId &&
      item.state === "active" &&
      item.generation > item.observedGeneration,
  );
}

/** An address as it is, and with what was emptied in it put back. */
function wholeAddresses(
  address: AddressTemplate["address"],
  emptied: Partial<AddressTemplate["address"]> = {},
): AddressTemplate["address"][] {
  const left = Object.entries(emptied).filter(([field]) => !address[field as keyof typeof address]);
  return [address, { ...address, ...Object.fromEntries(left) }];
}

export interface Disputes {
  /** When, by the true clock, a list last contradicted what is known of a template; null where none does. */
  disputedAtMs(row: Pick<TemplateRecord, "connectionId" | "templateId">): number | null;
}

/** Verdicts that the list of origins shows for the current address although they were given for another one. */
export function verdictsShownFresh(
  stage: Pick<Stage, "database" | "accounts" | "nowMs">,
  {
    shop,
    list,
    service,
    disputedAtMs,
  }: { shop: string; list: OriginsView; service: Pick<AnswersWatch, "lastShown"> } & Disputes,
): string[] {
  const account = accountOfShop(stage, shop);
  return list.rows.flatMap(({ locationId, standings }) => {
    const templateId = templateOf(stage, { shop, locationId });
    const there = templateId === null ? undefined : account?.templates.get(templateId);
    if (!account || !there || account.changedAtMs(there.id) >= service.lastShown(shop, there.id)) return [];
    if (isBeingCorrected(stage, { shop, locationId, templateId: there.id, disputedAtMs })) return [];
    const addressKey = canonicalAddress(there.address);
    return standings.flatMap(({ carrier, outcome, stale }) => {
      const askedFor = account.askedFor.get(`${there.id} ${carrier}`);
      if ((outcome !== "accepted" && outcome !== "refused") || stale) return [];
      if (askedFor === undefined || askedFor.includes(addressKey)) return [];
      return [`what ${carrier} said of ${there.id} (${outcome}) is shown as fresh, and was said of another address`];
    });
  });
}

/** A list that lags is a half minute behind at most. Where the GET fails, another list is read only after that. */
const LISTED_AGAIN_WITHIN_MS = 60_000;

/**
 * A list showed the template otherwise than its last reading did, and the list may lag. Nobody knows which is right before the location's
 * run, which holds its work item at this moment, has read the template by its own GET, or another list has shown the same. Over a connection
 * that was closed meanwhile nothing can be read, so the doubt stays.
 */
function isBeingCorrected(
  { database, nowMs }: Pick<Stage, "database" | "nowMs">,
  { disputedAtMs, ...at }: { shop: string; locationId: string; templateId: string } & Disputes,
): boolean {
  const disputed = [...database.rows("templates")].find(
    (row) => row.shop === at.shop && row.templateId === at.templateId && row.disputedSinceMs !== null,
  );
  if (!disputed) return false;
  // By the true clock, from which the date of a process may differ.
  const sinceMs = disputedAtMs(disputed);
  if (sinceMs !== null && nowMs() - sinceMs < LISTED_AGAIN_WITHIN_MS) return true;
  const isHeld = ({ shop, kind, key, leaseOwner }: Readonly<WorkItem>) =>
    shop === at.shop && kind === "location" && key === at.locationId && leaseOwner !== null;
  const isOpen = [...database.rows("connections")].some(
    ({ shop, current, state }) => shop === at.shop && current && state === "active",
  );
  return !isOpen || [...database.rows("workItems")].some(isHeld);
}

function accountOf(database: MemoryDatabase, accounts: Accounts, connectionId: string) {
  for (const { id, clientId, environment } of database.rows("connections"))
    if (id === connectionId) return accounts.of(clientId, environment);
  return null;
}
