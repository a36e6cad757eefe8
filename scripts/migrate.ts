import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { isPostgres } from "../app/adapters/store/postgresql/connection.ts";

// Creates or updates the tables of DATABASE_URL. SQLite's by Prisma's command; PostgreSQL's by our own, which keeps the same history.
const root = join(import.meta.dirname, "..");
const url = process.env.DATABASE_URL;

if (url && isPostgres(url)) {
  const { migratePostgres } = await import("../app/adapters/store/postgresql/migrate.ts");
  const folder = new URL("../prisma/postgresql/migrations/", import.meta.url);
  try {
    const applied = await migratePostgres({ url, folder });
    console.log(applied.length > 0 ? `Applied: ${applied.join(", ")}` : "No migration was missing.");
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
} else {
  const args = [join(root, "node_modules/prisma/build/index.js"), "migrate", "deploy"];
  process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status ?? 1;
}
