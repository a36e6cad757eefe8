import type { DatabaseServer, Log, Store, Tables, Transaction } from "../../ports.ts";
import { createLoopTurns } from "../../domain/loop-turns.ts";
import { checkKeys } from "./key-check.ts";
import { toPrismaWhere } from "./conditions.ts";
import { checkDatabase, lockDatabase, openPrisma, sharedOf, turnsOf, type Shared } from "./database.ts";
import type { DatabaseLock } from "./database-lock.ts";
import type { Keyring } from "./encryption.ts";
import { openErasureLog, type ErasureLog } from "./copies/erasure-log.ts";
import { storeFault } from "./faults.ts";
import { refuseMoved } from "./copies/moved.ts";
import { createPostalCodes } from "./postal/postal-codes.ts";
import { isPostgres } from "./postgresql/is-postgres.ts";
import { createFileServer } from "./copies/restored.ts";
import { refuseNewer } from "./releases/release.ts";
import { createRevisions, type Written } from "./revisions.ts";
import { createSessionStorage } from "./sessions.ts";
import type { OwnSessionStorage } from "./sessions.ts";
import { createTable, type Client, type TableInput } from "./table.ts";
import type { TableSpec } from "./table-spec.ts";
import { TABLE_SPECS } from "./table-specs.ts";
import { groupsOnSqlite } from "./together/on-sqlite.ts";
import { createTogether } from "./together/together.ts";
import { failedOnce } from "./transactions/failed-once.ts";
import { ofOneShop } from "./transactions/one-shop.ts";
import { createTransactions, type Transactions, type Turns } from "./transactions/transact.ts";
import { tellUnreadable, type Unreadable } from "./unreadable.ts";

/**
 * The store: Prisma on SQLite or PostgreSQL, through mended adapters (`database.ts` chooses). No other code imports Prisma. `row.ts`
 * converts records and rows and encrypts secrets, and `table-specs.ts` says how each field is kept.
 */

export interface StoreInput {
  /** `file:…`, relative to the working directory, or `postgresql://…`. */
  url: string;
  keys: Keyring;
  log: Log;
  /** False only for tools that read beside a running app, which must be the only process of its SQLite database. */
  exclusive?: boolean;
  /** PostgreSQL's own address, where `url` is a pooler's. */
  directUrl?: string | undefined;
  /** How long to wait for an earlier process to end. */
  lockWaitMs?: number;
  /** The file to which each erasure of a shop is appended. */
  erasureLog?: string | undefined;
}

export interface PrismaStore extends Store {
  /** The storage of sessions, for Shopify's package. */
  sessions: OwnSessionStorage;
  server: DatabaseServer;
  /** Reads a little from the database; rejects when that fails. */
  ask(): Promise<void>;
  /** Whether this process still holds the database's lock. Always true for a tool that reads beside the app. */
  lockIsOurs(): Promise<boolean>;
  /** No other process works on the database while this one has it. */
  alone: boolean;
  /** Asks for the time of day that all processes on the database go by; null where one goes by its own. */
  askTimeMs: (() => Promise<number>) | null;
  /** After a restore: for how long this process may send nothing. Null where the database gives the slots, and gives none meanwhile. */
  opensInMs: (() => Promise<number>) | null;
  /** Waits for statements under way, then closes the database and releases its lock. */
  close(): Promise<void>;
}

/** An earlier process that was told to stop drains for fifteen seconds, and a machine may be slow. */
export const LOCK_WAIT_MS = 30_000;

/** Throws an `AppError` that says what to do when the database is in use, has no tables, or was written with other keys. */
export async function createStore(input: StoreInput): Promise<PrismaStore> {
  const { url, keys: keyring, log, exclusive = true } = input;
  await checkDatabase(url).catch((error: unknown) => Promise.reject(storeFault("asking the database", error)));
  const lock = exclusive ? await lockOf(input) : null;
  const prisma = await openPrisma(url);
  const unreadable = tellUnreadable(log);
  const shared = await sharedOf(input, { keyring, unreadable });
  const close = async () => {
    await prisma.$disconnect();
    await shared?.close();
    await lock?.release();
  };
  try {
    if (!isPostgres(url)) await refuseMoved(prisma);
    await refuseNewer((text, values = []) => prisma.$queryRawUnsafe(text, ...values), url);
    await checkKeys(prisma, keyring, unreadable);
    const erasures = input.erasureLog === undefined ? null : await openErasureLog(input.erasureLog, keyring);
    const turns = await turnsOf(url);
    const transactions = createTransactions(prisma, turns);
    return assemble({ codec: { keyring, unreadable }, transactions, turns, shared, lock, erasures, close });
  } catch (error) {
    await close();
    throw storeFault("opening the database", error);
  }
}

function lockOf({ url, directUrl = url, log, lockWaitMs: waitMs = LOCK_WAIT_MS }: StoreInput): Promise<DatabaseLock> {
  return lockDatabase({ url: directUrl, log, waitMs });
}

function assemble(parts: {
  codec: { keyring: Keyring; unreadable: Unreadable };
  transactions: Transactions;
  turns: Turns | null;
  shared: Shared | null;
  lock: DatabaseLock | null;
  erasures: ErasureLog | null;
  close: () => Promise<void>;
}): PrismaStore {
  const { codec, transactions, turns, shared, lock, erasures, close } = parts;
  const { root } = transactions;
  const revisions = createRevisions(shared?.revisions ?? null);
  const sessions = createSessionStorage(root, {
    ...codec,
    numberOf: revisions.ofSessions,
    chores: shared?.work ?? null,
  });
  const file = shared ? null : createFileServer(transactions);
  let closing: Promise<void> | null = null;

  const atomically: TableInput["atomically"] = (where, work) => transactions.run(shopIn(where), work);
  // Where one connection writes, it holds single writes back while a transaction runs; of several each must wait for its turn by itself.
  const writing: TableInput["writing"] = shared ? atomically : (_where, work) => work(root());
  const input = { ...codec, parentLock: shared ? "FOR KEY SHARE" : "" };
  const betweenSlices = createLoopTurns(setImmediate);

  const store: PrismaStore = {
    ...revisions.noting(createTables({ ...input, client: root, writing, atomically, betweenSlices })),
    async transaction(shop, work) {
      let forgets = false;
      const written: Written = new Set();
      try {
        return await transactions.run(shop, (client, calls) => {
          const within = <T>(_where: unknown, statements: (client: Client) => Promise<T>) => statements(client);
          const alone = { writing: within, atomically: within, betweenSlices: () => Promise.resolve() };
          const tables = createTables({ ...input, client: () => client, ...alone });
          const forgetSessions = async (of: string) => {
            forgets = true;
            await client.session
              .deleteMany({ where: { shop: of } })
              .catch((cause: unknown) => Promise.reject(storeFault("forgetting sessions", cause)));
          };
          const takeTemplate: Transaction["takeTemplate"] = async (template) => {
            await turns
              ?.lockTemplate(client, template)
              .catch((cause: unknown) => Promise.reject(storeFault("taking a template", cause)));
          };
          const all = { ...revisions.noting(tables, written), forgetSessions, takeTemplate };
          return work(failedOnce(calls, shop === null ? all : ofOneShop(shop, all)));
        });
      } finally {
        revisions.ended(written);
        if (forgets) sessions.forget();
      }
    },
    postalCodes: createPostalCodes(transactions),
    revision: revisions.of,
    ...(shared && { shared: shared.work }),
    server: shared?.server ?? file!,
    opensInMs: file && (() => file.opensInMs()),
    async eraseShop(shop, only = {}) {
      let noted = false;
      return transactions
        .run(shop, async (client) => {
          const where = toPrismaWhere(TABLE_SPECS.shops as unknown as TableSpec, { ...only, shop });
          const isThere = (await client.shop.count({ where })) > 0;
          if (!isThere && Object.keys(only).length > 0) return false;
          // Once, also where the database asks for the transaction again.
          if (isThere && !noted) await erasures?.erased(shop);
          noted ||= isThere;
          await client.session.deleteMany({ where: { shop } });
          // Last, for what is kept about the shop's rows goes with it.
          await client.shop.deleteMany({ where });
          return isThere;
        })
        .catch(async (cause: unknown) => {
          if (noted) await erasures?.kept(shop).catch(() => undefined);
          throw storeFault("erasing a shop", cause);
        })
        .finally(() => {
          revisions.changed(shop);
          sessions.forget();
        });
    },
    sessions,
    async ask() {
      await root().$queryRaw`SELECT 1 FROM "Shop" LIMIT 1`.catch((cause: unknown) =>
        Promise.reject(storeFault("asking the database", cause)),
      );
    },
    alone: lock?.alone ?? false,
    askTimeMs:
      shared &&
      (() => shared.timeMs().catch((cause: unknown) => Promise.reject(storeFault("asking for the time", cause)))),
    lockIsOurs: async () => lock?.isOurs() ?? true,
    async together(shop, { rows, work }) {
      root();
      const written: Written = new Set();
      const noting = (tables: Transaction): Transaction => ({ ...tables, ...revisions.noting(tables, written) });
      return together
        .run(shop, { rows, work: (tables) => work(noting(tables)) })
        .finally(() => revisions.ended(written));
    },
    close: () => (closing ??= together.idle().then(transactions.close).then(close)),
  };
  const groups = shared?.groups(transactions) ?? groupsOnSqlite(transactions, codec);
  const together = createTogether({ groups, alone: store.transaction });
  return store;
}

/** The shop whose turn a statement needs; null, every shop's, when its condition names none. */
function shopIn({ shop }: Record<string, unknown>): string | null {
  return typeof shop === "string" ? shop : null;
}

function createTables(input: Omit<TableInput, "spec">): Tables {
  const tables = Object.entries(TABLE_SPECS).map(([name, spec]) => [
    name,
    createTable({ ...input, spec: spec as unknown as TableSpec }),
  ]);
  return Object.fromEntries(tables) as unknown as Tables;
}
