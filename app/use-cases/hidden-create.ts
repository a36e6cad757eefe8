import { AppError } from "../domain/errors.ts";
import type { IntentRecord, UnreadableRow } from "../domain/records.ts";
import type { ConnectionRef, Tables } from "../ports.ts";

/** The row's own failure: it may be mended there, so whoever needs it comes again. */
export function unreadableRow({ what, requestId }: UnreadableRow): AppError {
  return new AppError({
    kind: "unreadable",
    message: `list: a row of the address book cannot be read (${what})`,
    requestId,
    effect: "none",
  });
}

/**
 * Throws `unreadable` where a row that cannot be read may be what a create made whose end is unclear: by its name, or, without
 * one, by having come since. Call it once the book was read and kept. A row that was there before the create is not what it made.
 */
export async function refuseHidden(
  tables: Pick<Tables, "connections" | "templates">,
  { ref, intent, isOurs }: { ref: ConnectionRef; intent: IntentRecord; isOurs: (name: string) => boolean },
): Promise<void> {
  const connection = await tables.connections.find({ id: ref.id });
  for (const row of connection?.bookUnreadable ?? []) {
    const key = { shop: ref.shop, connectionId: ref.id };
    const known = row.id === null ? null : await tables.templates.find({ ...key, templateId: row.id });
    const name = row.name ?? known?.template.alias_name ?? null;
    if (name === null ? row.sinceMs > intent.committedAtMs : isOurs(name)) throw unreadableRow(row);
  }
}
