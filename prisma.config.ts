import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "prisma/config";
import { LibSql } from "./app/adapters/store/libsql.ts";
import { isPostgres } from "./app/adapters/store/postgresql/is-postgres.ts";

// Prisma reads no .env beside a config file; what the environment says already wins.
if (existsSync(".env")) process.loadEnvFile();

// The schema's datasource names the variable too; Prisma's commands need it even when they open no database.
process.env.DATABASE_URL ??= "file:.data/origen.db";
// Prisma notes the day of its last run in the user's caches; here it writes nothing outside the checkout.
process.env.XDG_CACHE_HOME = process.env.LOCALAPPDATA = join(import.meta.dirname, ".cache");
process.env.CHECKPOINT_DISABLE = "1";
const url = process.env.DATABASE_URL;

const SQLITE = {
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  adapter: async () => new LibSql({ url }),
};

const POSTGRESQL = {
  schema: "prisma/postgresql/schema.prisma",
  migrations: { path: "prisma/postgresql/migrations" },
  adapter: async () => {
    const { Postgres } = await import("./app/adapters/store/postgresql/adapter.ts");
    // On one connection, which holds Prisma's lock, and with no time limit of ours.
    return new Postgres(url, { statement_timeout: 0, query_timeout: 0, max: 1, allowExitOnIdle: true });
  },
};

export default defineConfig({
  experimental: { adapter: true },
  engine: "js",
  ...(isPostgres(url) ? POSTGRESQL : SQLITE),
});
