import { PrismaClient } from "@prisma/client";
import type { DatabaseServer, SharedWork } from "../../ports.ts";
import type { DatabaseLock, LockInput } from "./database-lock.ts";
import type { Keyring } from "./encryption.ts";
import { isPostgres } from "./postgresql/is-postgres.ts";
import type { SharedRevisions } from "./postgresql/shared-revisions.ts";
import type { Groups } from "./together/group.ts";
import type { Transactions, Turns } from "./transactions/transact.ts";
import type { Unreadable } from "./unreadable.ts";

/** Which database an address means. The parts of SQLite and of PostgreSQL are loaded only where one is used. */

/** A transaction waits for its turn without Prisma, whose own waits run out. */
const TRANSACTION_LIMITS = { maxWait: 30_000, timeout: 60_000 };

export async function openPrisma(url: string): Promise<PrismaClient> {
  // Errors are minimal, or they would quote whole queries into the logs.
  const options = { transactionOptions: TRANSACTION_LIMITS, errorFormat: "minimal" } as const;
  if (!isPostgres(url)) {
    const { LibSql } = await import("./libsql.ts");
    return new PrismaClient({ adapter: new LibSql({ url }), ...options });
  }
  const { Postgres } = await import("./postgresql/adapter.ts");
  const client = await import("@origen/prisma-postgresql");
  return new client.PrismaClient({ adapter: new Postgres(url), ...options });
}

/**
 * SQLite: one process a database, for another one would keep a second budget of its own. PostgreSQL: any number of the app's processes.
 * @throws an `AppError` that says what to do.
 */
export async function lockDatabase(input: LockInput): Promise<DatabaseLock> {
  if (!isPostgres(input.url)) return (await import("./lock.ts")).lockFile(input);
  const { lockPostgres } = await import("./postgresql/lock.ts");
  return lockPostgres(input);
}

/** How transactions take turns where several connections write; null where one does. */
export async function turnsOf(url: string): Promise<Turns | null> {
  if (!isPostgres(url)) return null;
  return (await import("./postgresql/turns.ts")).POSTGRES_TURNS;
}

/** What several processes on one database share; null where one process has it for itself. */
export interface Shared {
  revisions: SharedRevisions;
  work: SharedWork;
  server: DatabaseServer;
  groups: (transactions: Pick<Transactions, "run" | "guard">) => Groups;
  /** The database's time of day, in milliseconds. */
  timeMs(): Promise<number>;
  close(): Promise<void>;
}

/** `directUrl` leads past a pooler. */
export async function sharedOf(
  { url, directUrl = url }: { url: string; directUrl?: string | undefined },
  codec: { keyring: Keyring; unreadable: Unreadable },
): Promise<Shared | null> {
  if (!isPostgres(url)) return null;
  const { createSidePool } = await import("./postgresql/side-pool.ts");
  const { createSharedRevisions } = await import("./postgresql/shared-revisions.ts");
  const { createBell } = await import("./postgresql/bell.ts");
  const { createServerWatch } = await import("./postgresql/server-change.ts");
  const { createSharedWork } = await import("./postgresql/shared-work.ts");
  const { groupsOnPostgres } = await import("./postgresql/groups.ts");
  const pool = createSidePool(url);
  // One group at a time, which must not wait for other statements, nor they for it.
  const groups = createSidePool(url, 1);
  const bell = createBell({ url: directUrl, pool });
  return {
    revisions: createSharedRevisions(pool),
    work: createSharedWork({ pool, bell, codec }),
    server: createServerWatch({ pool, url: directUrl }),
    groups: (transactions) => groupsOnPostgres(groups, { codec, transactions }),
    async timeMs() {
      const asked = await pool.query<{ ms: number }>(
        'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "ms"',
      );
      return asked.rows[0]!.ms;
    },
    async close() {
      await bell.close();
      await Promise.all([pool.end(), groups.end()]);
    },
  };
}

/** Whether a process holds the database now. */
export async function isLocked(url: string): Promise<boolean> {
  if (!isPostgres(url)) return (await import("./lock.ts")).isFileLocked(url);
  const { isPostgresLocked } = await import("./postgresql/lock.ts");
  return isPostgresLocked(url);
}

/** @throws an `AppError` that says what to do when the server may not be trusted with what it says it has committed. */
export async function checkDatabase(url: string): Promise<void> {
  if (!isPostgres(url)) return;
  const { checkServer } = await import("./postgresql/check-server.ts");
  await checkServer(url);
}
