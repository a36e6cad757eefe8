import { AppError } from "../domain/errors.ts";
import type { ConnectionRecord, PendingWrite, UnreadableRow } from "../domain/records.ts";
import type { ConnectionRef, Tables } from "../ports.ts";
import { asKnownToBoth } from "./same-rows.ts";

/** The row's own failure: it may be mended there, so whoever needs it comes again. */
export function unreadableRow({ what, requestId }: UnreadableRow): AppError {
  return new AppError({
    kind: "unreadable",
    message: `list: a row of the address book cannot be read (${what})`,
    requestId,
    effect: "none",
    operation: "list",
  });
}

/**
 * Throws `unreadable` where a row that cannot be read may be what a create made whose end is unclear: by its name, or, without
 * one, by having come since. Call it once the book was read and kept. A row that was there before the create is not what it made; where
 * the create went to another client id, that one may know of it. Nor is any row where that one has another account.
 */
export async function refuseHidden(
  tables: Pick<Tables, "connections" | "templates">,
  { ref, pendingWrite, isOurs }: { ref: ConnectionRef; pendingWrite: PendingWrite; isOurs: (name: string) => boolean },
): Promise<void> {
  const { alike, committedAtMs, connectionId } = pendingWrite;
  const connection = await tables.connections.find({ id: ref.id });
  const wroteTo = connectionId === ref.id ? null : await tables.connections.find({ id: connectionId });
  const rows = connection?.bookUnreadable ?? [];
  if (wroteTo && rows.length > 0 && (await isAnotherBook(tables, { of: wroteTo, than: ref }))) return;
  for (const row of wroteTo ? asKnownToBoth(rows, wroteTo.bookUnreadable) : rows) {
    if (row.id !== null && alike.includes(row.id)) continue;
    const key = { shop: ref.shop, connectionId: ref.id };
    const known = row.id === null ? null : await tables.templates.find({ ...key, templateId: row.id });
    const name = row.name ?? known?.template.alias_name ?? null;
    // Without an id, or a name, only the time tells whether it was there before.
    if ((row.id === null || name === null) && row.sinceMs <= committedAtMs) continue;
    if (name === null || isOurs(name)) throw unreadableRow(row);
  }
}

/** A template's id is unique in an environment: two books of which one has something, and none of it is in the other, are two accounts'. */
async function isAnotherBook(
  tables: Pick<Tables, "connections" | "templates">,
  { of, than }: { of: Pick<ConnectionRecord, "id" | "shop">; than: ConnectionRef },
): Promise<boolean> {
  const theirs = await tables.templates.list({
    ...{ shop: of.shop, connectionId: of.id },
    ...{ absentSinceMs: null, unlistedSinceMs: null },
  });
  if (theirs.length === 0) return false;
  const templateId = { in: theirs.map((row) => row.templateId) };
  return (await tables.templates.count({ shop: than.shop, connectionId: than.id, templateId })) === 0;
}
