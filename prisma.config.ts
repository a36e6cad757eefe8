import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "prisma/config";
import { LibSql } from "./app/adapters/store/libsql.ts";

// Prisma reads no .env beside a config file; what the environment says already wins.
if (existsSync(".env")) process.loadEnvFile();

// The schema's datasource names the variable too; Prisma's commands need it even when they open no database.
process.env.DATABASE_URL ??= "file:.data/origen.db";
// Prisma notes the day of its last run in the user's caches; here it writes nothing outside the checkout.
process.env.XDG_CACHE_HOME = process.env.LOCALAPPDATA = join(import.meta.dirname, ".cache");
process.env.CHECKPOINT_DISABLE = "1";
const url = process.env.DATABASE_URL;

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  experimental: { adapter: true },
  engine: "js",
  adapter: async () => new LibSql({ url }),
});
