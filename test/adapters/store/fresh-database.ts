import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";

const MIGRATIONS = new URL("../../../prisma/migrations/", import.meta.url);

export interface FreshDatabase {
  url: string;
  path: string;
  remove(): Promise<void>;
}

/** An empty database with every migration applied, in a directory of its own. */
export async function freshDatabase(): Promise<FreshDatabase> {
  migrated ??= migrate();
  const directory = await newDirectory();
  const path = join(directory, "test.db");
  await writeFile(path, await migrated);
  return { url: `file:${path}`, path, remove: () => rm(directory, { recursive: true, force: true }) };
}

/** The migrations take longer than most tests, so a file of tests applies them once and copies what they made. */
let migrated: Promise<Buffer> | null = null;

async function migrate(): Promise<Buffer> {
  const directory = await newDirectory();
  const path = join(directory, "migrated.db");
  const client = createClient({ url: `file:${path}` });
  await client.execute("PRAGMA synchronous = OFF");
  const names = (await readdir(MIGRATIONS, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  for (const name of names.sort())
    await client.executeMultiple(await readFile(new URL(`${name}/migration.sql`, MIGRATIONS), "utf8"));
  client.close();
  const made = await readFile(path);
  await rm(directory, { recursive: true });
  return made;
}

const newDirectory = () => mkdtemp(join(tmpdir(), "origen-store-"));
