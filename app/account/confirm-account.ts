import type { ConnectionRecord } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { keptLinks } from "./kept-links.ts";
import { passLinkOver } from "./pass-link-over.ts";
import { passWritesOver } from "./pass-writes-over.ts";
import { requestStopped } from "./request-stopped.ts";
import { requestWork } from "../runs/request-work.ts";
import { requestLook } from "../triggers/request-look.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { keepShown } from "../book/read-book.ts";
import type { Shown } from "../book/read-book.ts";
import { refOf } from "../runs/circuit-breaker.ts";
import { asKnownToBoth } from "../book/same-rows.ts";

export interface Answer {
  shop: string;
  same: boolean;
  /** Whose links they are, where a template told it. */
  keeperId?: string;
  /** What the page that told of it showed. */
  shown?: Shown;
  /** The one that was looked into: where its owner has taken up another one since, nothing of it concerns that one. */
  connectionId?: string;
}

type Asked = { shop: string; current: true; state: "unconfirmed"; id?: string };

/**
 * Whether a new client id opens an account the shop had before: that of `keeperId`, whom its templates named, else the one used last.
 * The same: its links, what the carriers said and the writes that are unclear pass over. Another: they stay aside with the old client
 * id. False when nothing was asked (any more). `shown`: what the page that told of it showed, which is kept: the next look at the account
 * may be hours away.
 */
export async function confirmAccount(
  services: Services,
  { shop, same, keeperId, shown, connectionId }: Answer,
): Promise<boolean> {
  const asked = {
    shop,
    current: true,
    state: "unconfirmed",
    ...(connectionId !== undefined && { id: connectionId }),
  } as const;
  const keeper = same ? await passMany(services, { asked, keeperId }) : undefined;
  const answered = await services.store.transaction(shop, async (tables) => {
    const connection = await tables.connections.find(asked);
    if (!connection) return null;
    if (same) await takeOver(services, tables, connection, keeper ?? keeperId);
    const version = connection.version + 1;
    await tables.connections.update({ id: connection.id }, { state: "active", version });
    if (shown) await keepShown(services, tables, { ref: refOf({ ...connection, version }), ...shown });
    await requestStopped(services, tables, { shop, connectionId: connection.id, isOther: true });
    await requestWork(services, tables, { shop, kind: "reconcile", key: "shop" });
    await requestLook(services, tables, shop);
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

/** How many links pass over in one transaction. */
const PASSED_AT_ONCE = 6;

/**
 * Of many links all but the last few pass over before the account is said to be known, some at a time, for nobody else is served meanwhile.
 * Until then nothing is sent over the new client id. Where the process ends in between, or somebody else answers, the account is told apart
 * anew, and each location still finds the link that was left for it (decision 32). Gives whose links they were.
 */
async function passMany(
  services: Services,
  { asked, keeperId }: { asked: Asked; keeperId?: string | undefined },
): Promise<string | undefined> {
  const { store } = services;
  const connection = await store.connections.find(asked);
  if (!connection) return undefined;
  const { shop, id, version, environment } = connection;
  const kept = await keptLinks(store, { id, shop, environment });
  const from = keeperId ?? kept[0]?.connectionId;
  if (from === undefined) return undefined;
  for (let after: string | null = ""; after !== null;)
    after = await store.transaction(shop, async (tables) => {
      if ((await tables.connections.count({ id, version, current: true, state: "unconfirmed" })) === 0) return null;
      const left = { shop, environment, connectionId: from, locationId: { gt: after! } };
      const links = await tables.links.list(left, { orderBy: { locationId: "asc" }, limit: PASSED_AT_ONCE + 1 });
      if (links.length <= PASSED_AT_ONCE) return null;
      const some = links.slice(0, PASSED_AT_ONCE);
      if (after === "") await passWritesOver(tables, { shop, from, to: id });
      for (const link of some) await passLinkOver(services, tables, { link, connectionId: id });
      return some.at(-1)!.locationId;
    });
  return from;
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
