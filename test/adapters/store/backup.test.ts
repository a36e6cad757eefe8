import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyDatabase } from "../../../app/adapters/store/copies/copy.ts";
import { createStore } from "../../../app/adapters/store/store.ts";
import { Secret } from "../../../app/domain/secret.ts";
import { backup as backupCommand } from "../../../scripts/commands/backup.ts";
import { connectionRecord, SHOP, shopRecord } from "../../fakes/records.ts";
import { appKeys, KEYS, openFreshStore, SILENT, type OpenedStore } from "./open-store.ts";
import { runHere, runTruly } from "./processes/run-command.ts";

/** `npm run backup`, beside a store that writes. */

let opened: OpenedStore;
let folder: string;

beforeAll(async () => {
  opened = await openFreshStore();
  folder = mkdtempSync(join(tmpdir(), "origen-backup-"));
  await opened.store.shops.insert(shopRecord());
  await opened.store.connections.insert(
    connectionRecord({
      clientSecret: new Secret("planted-secret"),
      current: true,
      lastFaultMessage: "0",
      aliasLimit: 0,
    }),
  );
});

afterAll(async () => {
  await opened.close();
  rmSync(folder, { recursive: true });
});

const environment = (over: Record<string, string> = {}) => ({
  DATABASE_URL: opened.database.url,
  APP_KEYS: appKeys("k1"),
  ...over,
});
const backup = (to: string, over?: Record<string, string>) => runHere(backupCommand, ["--to", to], environment(over));
const backupTruly = (to: string, over?: Record<string, string>) => runTruly("backup", ["--to", to], environment(over));

test("while the store writes, the copy is of one moment; secrets stay encrypted, and the keys open it", async () => {
  const { store } = opened;
  let writing = true;
  let written = 0;
  const writes = (async () => {
    for (let n = 1; writing; n += 1) {
      // Both or neither: a copy that has one alone is of no moment.
      await store.transaction(SHOP, async (tables) => {
        await tables.connections.update({ shop: SHOP }, { aliasLimit: n });
        await tables.connections.update({ shop: SHOP }, { lastFaultMessage: String(n) });
      });
      written = n;
    }
  })();
  const to = join(folder, "one.db");
  const before = written;
  const { code, stdout, stderr } = await backupTruly(to);
  writing = false;
  await writes;
  expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/whole, and APP_KEYS opens it\. 1 shops/), ""]);
  expect(written).toBeGreaterThan(before);
  expect(statSync(to).mode & 0o077).toBe(0);
  expect(readFileSync(to, "latin1")).not.toContain("planted-secret");
  const copy = await createStore({ url: `file:${to}`, keys: KEYS, log: SILENT });
  const kept = (await copy.connections.find({ shop: SHOP }))!;
  await copy.close();
  expect(kept.lastFaultMessage).toBe(String(kept.aliasLimit));
  expect(kept.clientSecret?.reveal()).toBe("planted-secret");
});

test("keys that do not open it are refused, and no copy is left that nobody can open", async () => {
  const to = join(folder, "two.db");
  const wrong = `k1:${Buffer.alloc(32, "other").toString("base64")}`;
  const { code, stdout, stderr } = await backupTruly(to, { APP_KEYS: wrong });
  const why = expect.stringMatching(/not the one this database was written with/);
  expect([code, stdout, stderr]).toEqual([1, "", why]);
  expect(readdirSync(folder).filter((name) => name.startsWith("two"))).toEqual([]);
});

test("a file that is there is not overwritten; a folder or a database that is not there is not made", async () => {
  expect(await backup(join(folder, "one.db"))).toMatchObject({
    code: 1,
    said: expect.stringMatching(/not overwritten/),
  });
  expect(await backup(join(folder, "unmounted", "one.db"))).toMatchObject({
    code: 1,
    said: expect.stringMatching(/There is no folder .*unmounted/),
  });
  const away = join(folder, "away.db");
  const none = await backup(join(folder, "three.db"), { DATABASE_URL: `file:${away}` });
  expect(none).toMatchObject({ code: 1, said: expect.stringMatching(/There is no database/) });
  expect(existsSync(away)).toBe(false);
  const postgres = await backup(join(folder, "three.db"), { DATABASE_URL: "postgresql://localhost/none" });
  expect(postgres).toMatchObject({ code: 1, said: expect.stringMatching(/pg_dump/) });
});

test("nothing stands twice in a copy, so that what is erased of it later leaves nothing there", async () => {
  const { store, database } = opened;
  // Not in the order of their keys, so that the copy's pages are split while they are filled.
  for (let n = 0; n < 200; n += 1) {
    const id = `other-${(n * 7_919) % 200}`;
    const secrets = { accessToken: new Secret(`token of ${id}`) };
    await store.connections.insert(connectionRecord({ id, clientId: id, current: false, ...secrets }));
  }
  const to = join(folder, "four.db");
  await copyDatabase(database.url, to);
  const client = createClient({ url: `file:${to}` });
  const { rows } = await client.execute(`SELECT "accessToken" FROM "Connection" WHERE "accessToken" <> ''`);
  client.close();
  const held = readFileSync(to, "latin1");
  const often = rows.map((row) => held.split(String(row.accessToken)).length - 1);
  expect(often).toEqual(Array.from({ length: 200 }, () => 1));
});
