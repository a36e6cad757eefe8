import type { PrismaClient } from "@prisma/client";
import { AppError } from "../../../domain/errors.ts";

/** The mark that a move to PostgreSQL leaves in the SQLite database it came from: two apps over two copies would send everything twice. */

/** Not in Prisma's schema, for only a database that nobody uses any more has it. */
const MARK = "_origen_moved";

export interface Moved {
  /** The server and database, without user or password. */
  to: string;
  /** UTC, as ISO 8601. */
  at: string;
}

/** To be called while the database's lock is held. */
export async function markMoved(prisma: PrismaClient, moved: Moved): Promise<void> {
  await prisma.$executeRawUnsafe(`CREATE TABLE IF NOT EXISTS "${MARK}" ("to" TEXT NOT NULL, "at" TEXT NOT NULL)`);
  await prisma.$executeRawUnsafe(`INSERT INTO "${MARK}" ("to", "at") VALUES ($1, $2)`, moved.to, moved.at);
}

/** Where this SQLite database was moved; null when it was not. */
export async function movedTo(prisma: PrismaClient): Promise<Moved | null> {
  const tables = await prisma.$queryRawUnsafe<unknown[]>("SELECT 1 FROM sqlite_master WHERE name = $1", MARK);
  if (tables.length === 0) return null;
  const [moved] = await prisma.$queryRawUnsafe<Moved[]>(`SELECT "to", "at" FROM "${MARK}" LIMIT 1`);
  return moved ?? null;
}

/** @throws an `AppError` that says what to do when this SQLite database was moved. */
export async function refuseMoved(prisma: PrismaClient): Promise<void> {
  const moved = await movedTo(prisma);
  if (!moved) return;
  const cure = `Set DATABASE_URL to that one. What happened there since is not in this file: docs/postgresql.md says how to go back.`;
  throw new AppError({ kind: "internal", message: `This database was moved to ${moved.to} at ${moved.at}. ${cure}` });
}
