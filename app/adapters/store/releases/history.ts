import { readdir } from "node:fs/promises";
import type { PrismaClient } from "@prisma/client";
import { isPostgres } from "../postgresql/is-postgres.ts";

/** Which migrations a database has had, beside those of this release. */
export interface History {
  /** Of this release, and not applied, in their order. */
  missing: string[];
  /** Applied, and unknown to this release: a newer one made them. */
  unknown: string[];
  /** How many this release has. */
  all: number;
}

const IN_SQLITE = "SELECT 1 FROM sqlite_master WHERE name = '_prisma_migrations'";
const IN_POSTGRES = `SELECT 1 WHERE to_regclass('"_prisma_migrations"') IS NOT NULL`;
const APPLIED = `SELECT "migration_name" AS "name" FROM "_prisma_migrations"
  WHERE "finished_at" IS NOT NULL AND "rolled_back_at" IS NULL`;

/** `folder`: this release's migrations for the database's kind. */
export async function readHistory(prisma: PrismaClient, at: { url: string; folder: URL }): Promise<History> {
  const entries = await readdir(at.folder, { withFileTypes: true });
  const ours = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const there = isPostgres(at.url) ? IN_POSTGRES : IN_SQLITE;
  const hasHistory = (await prisma.$queryRawUnsafe<unknown[]>(there)).length > 0;
  const rows = hasHistory ? await prisma.$queryRawUnsafe<{ name: string }[]>(APPLIED) : [];
  const applied = rows.map(({ name }) => name);
  const missing = ours.filter((name) => !applied.includes(name)).sort();
  const unknown = applied.filter((name) => !ours.includes(name)).sort();
  return { missing, unknown, all: ours.length };
}
