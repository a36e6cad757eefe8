import { chmodSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { LibSql } from "../../../app/adapters/store/libsql.ts";
import { createStore } from "../../../app/adapters/store/store.ts";
import { shopRecord } from "../../fakes/records.ts";
import { freshDatabase } from "./fresh-database.ts";
import { KEYS, SILENT } from "./open-store.ts";

/** The files of a directory with the rights of each, as `ls` counts them. */
const rightsIn = (directory: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(directory).map((name) => [name, (statSync(join(directory, name)).mode & 0o777).toString(8)]),
  );

test("a database, its log and its lock are the app's alone, also one that was not", async () => {
  const database = await freshDatabase();
  chmodSync(database.path, 0o644);
  const store = await createStore({ url: database.url, keys: KEYS, log: SILENT });
  await store.shops.insert(shopRecord());
  const rights = rightsIn(dirname(database.path));
  expect(Object.keys(rights)).toEqual(
    expect.arrayContaining(["test.db", "test.db-wal", "test.db-shm", "test.db-lock"]),
  );
  expect(new Set(Object.values(rights))).toEqual(new Set(["600"]));
  await store.close();
  await database.remove();
});

test("a new database is so from its first byte, in a directory that is made for it", async () => {
  const database = await freshDatabase();
  const made = join(dirname(database.path), "made", "new.db");
  const adapter = await new LibSql({ url: `file:${made}` }).connect();
  await adapter.executeScript("CREATE TABLE one (id INTEGER)");
  expect(new Set(Object.values(rightsIn(dirname(made))))).toEqual(new Set(["600"]));
  await adapter.dispose();
  await database.remove();
});
