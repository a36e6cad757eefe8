import type { PrismaClient } from "@prisma/client";
import type { DatabaseServer } from "../../../ports.ts";
import { storeFault } from "../faults.ts";
import type { Client } from "../table.ts";
import type { Transactions } from "../transactions/transact.ts";

/**
 * The mark that a restore leaves in a SQLite database: an earlier state, which lacks what was sent since. What follows from it is what
 * `budget.accept_server` does on PostgreSQL, where servers are told apart by themselves.
 */

/** Not in Prisma's schema, for only a database that was restored once has it. */
const MARK = "_origen_restored";

interface Mark {
  /** When the app went on with it; null before. */
  acceptedAtMs: bigint | number | null;
  waitMs: bigint | number;
  owesReconciles: bigint | number;
}

/** To be called while no app runs on the database. */
export async function markRestored(prisma: PrismaClient): Promise<void> {
  await prisma.$transaction([
    prisma.$executeRawUnsafe(
      `CREATE TABLE IF NOT EXISTS "${MARK}" ("acceptedAtMs" INTEGER, "waitMs" INTEGER NOT NULL, "owesReconciles" INTEGER NOT NULL)`,
    ),
    prisma.$executeRawUnsafe(`DELETE FROM "${MARK}"`),
    prisma.$executeRawUnsafe(`INSERT INTO "${MARK}" VALUES (NULL, 0, 0)`),
  ]);
}

export interface FileServer extends DatabaseServer {
  /** For how long nothing may be sent yet: the rest of the quarantine that began when the restored state was accepted. */
  opensInMs(): Promise<number>;
}

/** Of the one process that has the database, so what it read once is known until it writes. */
export function createFileServer(transactions: Pick<Transactions, "root" | "run">): FileServer {
  let known: Promise<Mark | null> | null = null;
  const row = () =>
    (known ??= readMark(transactions.root()).catch((cause: unknown) => {
      known = null;
      throw storeFault("asking whether the database was restored", cause);
    }));
  const agoMs = ({ acceptedAtMs }: Mark) => Math.max(0, Date.now() - Number(acceptedAtMs));
  return {
    async read() {
      const mark = await row();
      if (!mark) return { isKnown: true, owesReconciles: false, changedMsAgo: null };
      if (mark.acceptedAtMs === null) return { isKnown: false, owesReconciles: false, changedMsAgo: null };
      return { isKnown: true, owesReconciles: Boolean(mark.owesReconciles), changedMsAgo: agoMs(mark) };
    },
    async accept(waitMs) {
      const mark = await row();
      if (!mark || mark.acceptedAtMs !== null) return false;
      return transactions.run(null, (client) => doubt(client, waitMs)).finally(() => (known = null));
    },
    async reconcilesAsked() {
      await transactions
        .run(null, (client) => client.$executeRawUnsafe(`UPDATE "${MARK}" SET "owesReconciles" = 0`))
        .finally(() => (known = null));
    },
    async opensInMs() {
      const mark = await row();
      return mark && mark.acceptedAtMs !== null ? Math.max(0, Number(mark.waitMs) - agoMs(mark)) : 0;
    },
  };
}

async function readMark(root: Client): Promise<Mark | null> {
  const tables = await root.$queryRawUnsafe<unknown[]>("SELECT 1 FROM sqlite_master WHERE name = $1", MARK);
  if (tables.length === 0) return null;
  const [mark] = await root.$queryRawUnsafe<Mark[]>(`SELECT * FROM "${MARK}" LIMIT 1`);
  return mark ?? null;
}

/**
 * Whatever is not in the rows may have been sent. Why each is so: prisma/postgresql/migrations/20261123024500_another_server. False when it
 * was done before.
 */
async function doubt(client: Client, waitMs: number): Promise<boolean> {
  const nowMs = Date.now();
  const untilMs = nowMs + waitMs;
  const run = (sql: string, ...values: number[]) => client.$executeRawUnsafe(sql, ...values);
  const accepts = `UPDATE "${MARK}" SET "acceptedAtMs" = $1, "waitMs" = $2, "owesReconciles" = 1 WHERE "acceptedAtMs" IS NULL`;
  if ((await run(accepts, nowMs, waitMs)) === 0) return false;
  // Open pages name these numbers.
  await run(`UPDATE "Target" SET "fence" = "fence" + 1000`);
  await run(`UPDATE "Shop" SET "revision" = "revision" + 1000`);
  await run(`UPDATE "Details" SET "revision" = "revision" + 1000`);
  await run(`UPDATE "Connection" SET "version" = "version" + 1000, "bookConfirmedAtMs" = NULL`);
  await run(
    `UPDATE "Target" SET "leaseOwner" = NULL, "leaseUntilMs" = NULL, "dueAtMs" = $1 WHERE "leaseUntilMs" IS NOT NULL`,
    nowMs,
  );
  await run(`UPDATE "Intent" SET "quarantineUntilMs" = $1, "notedAtMs" = $2`, untilMs, nowMs);
  await run(
    `INSERT INTO "Intent" ("id", "shop", "connectionId", "targetId", "operation", "payload", "committedAtMs", "quarantineUntilMs", "notedAtMs")
     SELECT lower(hex(randomblob(16))), d."shop", d."connectionId", t."id", 'create', d."draft", $1, $2, $3
     FROM "Draft" d JOIN "Target" t ON t."shop" = d."shop" AND t."kind" = 'template' AND t."key" = d."id"
     WHERE d."operation" = 'create' AND d."endedAtMs" IS NULL
     ON CONFLICT DO NOTHING`,
    nowMs,
    untilMs,
    nowMs,
  );
  await run(
    `UPDATE "Target" SET "dueAtMs" = $1 WHERE "state" = 'active' AND "dueAtMs" > $2 AND "id" IN (SELECT "targetId" FROM "Intent")`,
    untilMs,
    untilMs,
  );
  return true;
}
