import type { ConnectionRecord } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { keptLinks } from "./kept-links.ts";
import { passLinkOver } from "./pass-link-over.ts";
import { passWritesOver } from "./pass-writes-over.ts";
import { requestStopped } from "./request-stopped.ts";
import { requestWork } from "../runs/request-work.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { asKnownToBoth } from "../book/same-rows.ts";

/**
 * Whether a new client id opens an account the shop had before: that of `keeperId`, whom its templates named, else the one used last.
 * The same: its links, what the carriers said and the writes that are unclear pass over. Another: they stay aside with the old client
 * id. False when nothing was asked (any more).
 */
export async function confirmAccount(
  services: Services,
  { shop, same, keeperId }: { shop: string; same: boolean; keeperId?: string },
): Promise<boolean> {
  const answered = await services.store.transaction(shop, async (tables) => {
    const connection = await tables.connections.find({ shop, current: true, state: "unconfirmed" });
    if (!connection) return null;
    if (same) await takeOver(services, tables, connection, keeperId);
    await tables.connections.update({ id: connection.id }, { state: "active", version: connection.version + 1 });
    await requestStopped(services, tables, { shop, connectionId: connection.id, isOther: true });
    await requestWork(services, tables, { shop, kind: "reconcile", key: "shop" });
    await recordActivity(services, tables, {
      shop,
      actor: "owner",
      kind: same ? "account_same" : "account_other",
      outcome: "done",
    });
    return connection;
  });
  if (!answered) return false;
  services.shipping.forget(answered.id);
  services.wake();
  return true;
}

async function takeOver(
  services: Services,
  tables: Tables,
  { id, shop, environment }: ConnectionRecord,
  keeperId: string | undefined,
): Promise<void> {
  const kept = await keptLinks(tables, { id, shop, environment });
  const keeper = keeperId === undefined ? kept[0] : kept.find(({ connectionId }) => connectionId === keeperId);
  const known = keeper && (await tables.connections.find({ id: keeper.connectionId }));
  await tables.connections.update({ id }, { aliasLimit: known?.aliasLimit ?? null });
  if (known) await passRowsOver(tables, { id, known });
  if (keeper) await passWritesOver(tables, { shop, from: keeper.connectionId, to: id });
  for (const link of keeper?.links ?? []) await passLinkOver(services, tables, { link, connectionId: id });
}

/** What cannot be read was there since the client id before saw it first, who may have read the book last. */
async function passRowsOver(
  tables: Tables,
  { id, known }: { id: string; known: Pick<ConnectionRecord, "bookUnreadable" | "bookReadAtMs"> },
): Promise<void> {
  const own = await tables.connections.find({ id });
  const isOwnNewer = own !== null && (own.bookReadAtMs ?? -Infinity) > (known.bookReadAtMs ?? -Infinity);
  const rows = isOwnNewer ? own.bookUnreadable : known.bookUnreadable;
  await tables.connections.update({ id }, { bookUnreadable: asKnownToBoth(rows, known.bookUnreadable) });
}
