import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaClient, type Prisma } from "@prisma/client";
import { AppError } from "../../domain/errors.ts";
import type { Log, Store, Tables } from "../../ports.ts";
import { checkKeys } from "./key-check.ts";
import { toPrismaWhere } from "./conditions.ts";
import type { Keyring } from "./encryption.ts";
import { storeFault } from "./faults.ts";
import { LibSql } from "./libsql.ts";
import { lockDatabase, type DatabaseLock } from "./lock.ts";
import { createRevisions } from "./revisions.ts";
import { createSessionStorage } from "./sessions.ts";
import type { OwnSessionStorage } from "./sessions.ts";
import { createTable, type TableInput } from "./table.ts";
import type { TableSpec } from "./table-spec.ts";
import { TABLE_SPECS } from "./table-specs.ts";
import { tellUnreadable, type Unreadable } from "./unreadable.ts";

/**
 * The store: Prisma on SQLite, through the mended libSQL adapter. No other code imports Prisma. `row.ts` converts records and rows and
 * encrypts secrets, and `table-specs.ts` says how each field is kept.
 */

export interface StoreInput {
  /** `file:…`, relative to the working directory. */
  url: string;
  keys: Keyring;
  log: Log;
  /** False only for tools that read beside a running app, because the app must be the only process of its database. */
  exclusive?: boolean;
  /** How long to wait for an earlier process to end. */
  lockWaitMs?: number;
}

export interface PrismaStore extends Store {
  /** The storage of sessions, for Shopify's package. */
  sessions: OwnSessionStorage;
  /** Reads a little from the database's file; rejects when that fails. */
  ask(): Promise<void>;
  /** Whether this process still holds the database's lock. Always true for a tool that reads beside the app. */
  lockIsOurs(): Promise<boolean>;
  /** Waits for statements under way, then closes the database and releases its lock. */
  close(): Promise<void>;
}

/** An earlier process that was told to stop drains for fifteen seconds, and a machine may be slow. */
export const LOCK_WAIT_MS = 30_000;
const TRANSACTION_LIMITS = { maxWait: 30_000, timeout: 60_000 };

/** Throws an `AppError` that says what to do when the database is in use, has no tables, or was written with other keys. */
export async function createStore(input: StoreInput): Promise<PrismaStore> {
  const { url, keys: keyring, log, exclusive = true, lockWaitMs = LOCK_WAIT_MS } = input;
  const lock = exclusive ? await lockDatabase({ url, waitMs: lockWaitMs, log }) : null;
  // Minimal error messages, because others would quote whole queries in the logs.
  const adapter = new LibSql({ url });
  const prisma = new PrismaClient({ adapter, transactionOptions: TRANSACTION_LIMITS, errorFormat: "minimal" });
  const close = async () => {
    await prisma.$disconnect();
    await lock?.release();
  };
  try {
    const unreadable = tellUnreadable(log);
    await checkKeys(prisma, keyring, unreadable);
    return assemble({ prisma, keyring, unreadable, lock, close });
  } catch (error) {
    await close();
    throw storeFault("opening the database", error);
  }
}

function assemble({
  prisma,
  keyring,
  unreadable,
  lock,
  close,
}: {
  prisma: PrismaClient;
  keyring: Keyring;
  unreadable: Unreadable;
  lock: DatabaseLock | null;
  close: () => Promise<void>;
}): PrismaStore {
  const inside = new AsyncLocalStorage<{ open: boolean }>();
  const revisions = createRevisions();
  let last: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | null = null;

  const root = (): PrismaClient => {
    // Prisma would connect again without a word, and without the lock.
    if (closing) throw new AppError({ kind: "cancelled", message: "store: it is closed" });
    // This call would wait for the transaction around it, and the transaction would wait for this call.
    if (inside.getStore()?.open) throw internal("inside a transaction, use only the tables handed in");
    return prisma;
  };

  const codec = { keyring, unreadable };
  const sessions = createSessionStorage(root, codec);

  /** Prisma stops waiting for its turn after a time; this does not. */
  const transact = async <T>(work: (client: Prisma.TransactionClient) => Promise<T>): Promise<T> => {
    root();
    const turn = last.then(() => run(work));
    last = turn.catch(() => undefined);
    return turn;
  };

  const run = async <T>(work: (client: Prisma.TransactionClient) => Promise<T>): Promise<T> => {
    let thrown: { error: unknown } | null = null;
    const state = { open: true };
    try {
      return await prisma.$transaction((client) =>
        inside.run(state, async () => {
          try {
            return await work(client);
          } catch (error) {
            thrown = { error };
            throw error;
          } finally {
            state.open = false;
          }
        }),
      );
    } catch (error) {
      throw thrown ? (thrown as { error: unknown }).error : storeFault("a transaction", error);
    }
  };

  return {
    ...revisions.noting(createTables({ ...codec, client: root, atomically: transact })),
    // Nobody else reads a transaction's writes before its end, so it is enough to count each write.
    transaction: (work) => {
      let forgets = false;
      return transact((client) => {
        const tables = createTables({ ...codec, client: () => client, atomically: (statements) => statements(client) });
        return work({
          ...revisions.noting(tables),
          async forgetSessions(shop) {
            forgets = true;
            await client.session
              .deleteMany({ where: { shop } })
              .catch((cause: unknown) => Promise.reject(storeFault("forgetting sessions", cause)));
          },
        });
      }).finally(() => {
        if (forgets) sessions.forget();
      });
    },
    revision: revisions.of,
    eraseShop: (shop, only = {}) =>
      transact(async (client) => {
        const where = toPrismaWhere(TABLE_SPECS.shops as unknown as TableSpec, { ...only, shop });
        const { count } = await client.shop.deleteMany({ where });
        if (count === 0 && Object.keys(only).length > 0) return false;
        await client.session.deleteMany({ where: { shop } });
        revisions.changed(shop);
        return count > 0;
      })
        .catch((cause: unknown) => Promise.reject(storeFault("erasing a shop", cause)))
        .finally(sessions.forget),
    sessions,
    async ask() {
      await root().$queryRaw`SELECT 1 FROM "Shop" LIMIT 1`.catch((cause: unknown) =>
        Promise.reject(storeFault("asking the database", cause)),
      );
    },
    lockIsOurs: async () => lock?.isOurs() ?? true,
    close: () => (closing ??= last.then(close)),
  };
}

function createTables(input: Omit<TableInput, "spec">): Tables {
  const tables = Object.entries(TABLE_SPECS).map(([name, spec]) => [
    name,
    createTable({ ...input, spec: spec as unknown as TableSpec }),
  ]);
  return Object.fromEntries(tables) as unknown as Tables;
}

function internal(message: string): AppError {
  return new AppError({ kind: "internal", message: `store: ${message}` });
}
