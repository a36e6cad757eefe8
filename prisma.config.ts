import { existsSync } from "node:fs";
import { defineConfig } from "prisma/config";
import { LibSql } from "./app/adapters/store/libsql.ts";

// Prisma reads no .env beside a config file; what the environment says already wins.
if (existsSync(".env")) process.loadEnvFile();

// The schema's datasource names the variable too; Prisma's commands need it even when they open no database.
process.env.DATABASE_URL ??= "file:.data/origen.db";
const url = process.env.DATABASE_URL;

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  experimental: { adapter: true },
  engine: "js",
  adapter: async () => new LibSql({ url }),
});
