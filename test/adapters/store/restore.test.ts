import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { createStore, type PrismaStore } from "../../../app/adapters/store/store.ts";
import { Secret } from "../../../app/domain/secret.ts";
import { backup } from "../../../scripts/commands/backup.ts";
import { restore as restoreCommand } from "../../../scripts/commands/restore.ts";
import { connectionRecord, SHOP, shopRecord } from "../../fakes/records.ts";
import { migrate } from "../../sandbox/app-process.ts";
import { appKeys, KEYS, SILENT } from "./open-store.ts";
import { freshPostgres } from "./postgresql/fresh-postgres.ts";
import { openPostgres } from "./postgresql/open-postgres.ts";
import { runHere, runTruly } from "./processes/run-command.ts";

/** `npm run restore`: what is put back, what is erased again, and when nothing is touched. */

const ERASED = "erased.myshopify.com";
const BACK = "back.myshopify.com";
const OTHER_KEY = { APP_KEYS: `k1:${Buffer.alloc(32, "other").toString("base64")}` };

let [folder, path, erasures] = ["", "", ""];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "origen-restore-"));
  path = join(folder, "origen.db");
  erasures = join(folder, "erasures.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true }));

const environment = (over: Record<string, string> = {}) => ({
  DATABASE_URL: `file:${path}`,
  APP_KEYS: appKeys("k1"),
  ERASURE_LOG: erasures,
  ...over,
});

/** In this process; `restoreTruly` is for where another one is the point. */
const restore = (args: string[], over?: Record<string, string>) => runHere(restoreCommand, args, environment(over));
const restoreTruly = (args: string[], over?: Record<string, string>) => runTruly("restore", args, environment(over));
const backUp = (copy: string) => runHere(backup, ["--to", copy], environment());
const open = (erasureLog: string | undefined = erasures) =>
  createStore({ url: `file:${path}`, keys: KEYS, log: SILENT, lockWaitMs: 0, erasureLog });

async function using<T>(work: (store: PrismaStore) => Promise<T>, store = open()): Promise<T> {
  const opened = await store;
  return work(opened).finally(() => opened.close());
}

/** Three shops, one with a secret, installed before anything is erased. */
async function fill(store: PrismaStore): Promise<void> {
  for (const shop of [SHOP, ERASED, BACK])
    await store.shops.insert(shopRecord({ shop, revision: 1, installedAtMs: 1 }));
  await store.connections.insert(connectionRecord({ clientSecret: new Secret("planted-secret"), current: true }));
}

/** What happens after the copy was made: one shop is erased, one is erased and comes again, one works on. */
async function goOn(store: PrismaStore): Promise<void> {
  await store.eraseShop(ERASED);
  await store.shops.update({ shop: SHOP }, { revision: 9 });
}

/** The files of the first backup, for the others to copy. */
let made: string | null = null;
afterAll(() => void (made && rmSync(made, { recursive: true })));

async function backedUp(): Promise<string> {
  const copy = join(folder, "copy.db");
  if (made) cpSync(made, folder, { recursive: true });
  else {
    await migrate(`file:${path}`);
    await using(fill);
    expect(await backUp(copy)).toMatchObject({ code: 0 });
    await using(goOn);
    cpSync(folder, (made = mkdtempSync(join(tmpdir(), "origen-backed-up-"))), { recursive: true });
  }
  return copy;
}

/** What an app left that was killed: part of the database is in its log. */
async function killedMidway() {
  const client = createClient({ url: `file:${path}` });
  await client.execute("PRAGMA journal_mode = WAL");
  await client.execute(`UPDATE "Shop" SET "revision" = 77`);
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
  return client;
}

const besides = () =>
  readdirSync(folder).filter((name) => !/^(origen|copy)\.db(-lock|-wal|-shm)?$|^erasures\.jsonl$/.test(name));

describe("on SQLite", () => {
  test("the copy takes the database's place; the app doubts it; who was erased since is erased again", async () => {
    const copy = await backedUp();
    const { code, stdout, stderr } = await restoreTruly(["--from", copy]);
    expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/2 shops\. Erased again: 1\./), ""]);
    await using(async (store) => {
      expect(await store.shops.find({ shop: SHOP })).toMatchObject({ revision: 1 });
      expect(await store.shops.find({ shop: ERASED })).toBeNull();
      expect((await store.connections.find({ shop: SHOP }))!.clientSecret?.reveal()).toBe("planted-secret");
      expect(await store.server.read()).toMatchObject({ isKnown: false });
    });
    expect(readFileSync(path, "latin1")).not.toContain("planted-secret");
    expect(readFileSync(path, "latin1")).not.toContain(ERASED);
    expect(statSync(path).mode & 0o077).toBe(0);
    // The copy itself stays as it was, and so does the database of before.
    expect(readFileSync(copy, "latin1")).toContain(ERASED);
    const [aside, ...others] = besides();
    expect(others.filter((name) => !/-(wal|shm)$/.test(name))).toEqual([]);
    copyFileSync(join(folder, aside!), path);
    expect(await using((store) => store.shops.find({ shop: SHOP }))).toMatchObject({ revision: 9 });
  });

  test("a shop that was erased and came again before the copy is not erased once more", async () => {
    await migrate(`file:${path}`);
    await using(async (store) => {
      await fill(store);
      await store.eraseShop(BACK);
      await store.shops.insert(shopRecord({ shop: BACK, installedAtMs: Date.now() + 1 }));
    });
    const copy = join(folder, "copy.db");
    await backUp(copy);
    expect(await restore(["--from", copy])).toMatchObject({ said: expect.stringMatching(/Erased again: 0/) });
    expect(await using((store) => store.shops.count({ shop: BACK }))).toBe(1);
  });

  test("nothing of what an app wrote that was killed comes back with its log", async () => {
    const copy = await backedUp();
    const killed = await killedMidway();
    expect(await restoreTruly(["--from", copy])).toMatchObject({ code: 0 });
    expect(await using((store) => store.shops.find({ shop: SHOP }))).toMatchObject({ revision: 1 });
    killed.close();
  });

  test("a machine that has no database gets one, also where the log of another was left behind", async () => {
    const copy = await backedUp();
    const killed = await killedMidway();
    rmSync(path);
    expect(await restoreTruly(["--from", copy])).toMatchObject({ code: 0 });
    expect(await using((store) => store.shops.count({}))).toBe(2);
    killed.close();
  });

  const changed = (copy: string, sql: string) => {
    const client = createClient({ url: `file:${copy}` });
    return client.execute(sql).finally(() => client.close());
  };

  test.each<[why: string, said: RegExp, make: (copy: string) => Promise<unknown>, args?: string[], env?: object]>([
    [
      "a key that is not the copy's",
      /not the one this database was written with/,
      async () => undefined,
      [],
      OTHER_KEY,
    ],
    ["keys that lack the log's", /k1, which APP_KEYS lacks/, async () => undefined, [], { APP_KEYS: appKeys("k2") }],
    [
      "a copy of an older release",
      /lacks 1 of \d+ migrations.*npm run migrate/,
      (copy) => changed(copy, `DELETE FROM "_prisma_migrations" WHERE "migration_name" LIKE '%flow_events'`),
    ],
    [
      "a copy of a newer release",
      /newer release: it has 29990101000000_of_tomorrow/,
      (copy) =>
        changed(
          copy,
          `INSERT INTO "_prisma_migrations" ("id", "checksum", "finished_at", "migration_name", "applied_steps_count")
        VALUES ('x', 'x', 1, '29990101000000_of_tomorrow', 1)`,
        ),
    ],
    ["a file that is no database", /is no database, or is damaged/, async (copy) => writeFileSync(copy, "nothing")],
    [
      "an empty database",
      /is no database of Origen's/,
      async (copy) => rmSync(copy) ?? changed(copy, "CREATE TABLE x (y)"),
    ],
    ["a file that is not there", /there is no copy at/, async (copy) => rmSync(copy)],
    ["a log that is not there", /cannot be read/, async () => rmSync(erasures)],
    ["no log at all", /say --without-erasures/, async () => undefined, [], { ERASURE_LOG: "" }],
  ])("%s is refused, and nothing is touched", async (...[, says, make, args = [], env = {}]) => {
    const copy = await backedUp();
    await make(copy);
    const { ino } = statSync(path);
    const { code, said } = await restore(["--from", copy, ...args], env as Record<string, string>);
    expect([code, said]).toEqual([1, expect.stringMatching(says)]);
    expect(statSync(path).ino).toBe(ino);
    expect(await using((store) => store.shops.find({ shop: SHOP }), open(join(folder, "other.jsonl")))).toMatchObject({
      revision: 9,
    });
    expect(besides().filter((name) => name !== "other.jsonl")).toEqual([]);
  });

  test("beside a running app it is refused", async () => {
    const copy = await backedUp();
    await using(async () => {
      const refused = await restoreTruly(["--from", copy]);
      expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/is in use by/) });
    });
    expect(existsSync(`${path}.restoring`)).toBe(false);
  });

  test("who knows that nobody was erased says so", async () => {
    const copy = await backedUp();
    const done = await restore(["--from", copy, "--without-erasures"], { ERASURE_LOG: "" });
    expect(done).toMatchObject({ code: 0, said: expect.stringMatching(/3 shops\. Erased again: 0/) });
  });
});

describe("on PostgreSQL", () => {
  test("after its own restore: the app doubts it, who was erased is erased again; beside a running app it is refused", async () => {
    // As `pg_restore` leaves it, while the app went on on another one.
    const [copy, before] = await Promise.all([freshPostgres(), freshPostgres()]);
    try {
      await using(fill, openPostgres(copy.url));
      await using(fill, openPostgres(before.url));
      await using(goOn, openPostgres(before.url, { erasureLog: erasures }));
      const env = { DATABASE_URL: copy.url };
      await using(async () => {
        expect(await restoreTruly([], env)).toMatchObject({ code: 1, said: expect.stringMatching(/in use/) });
      }, openPostgres(copy.url));
      const { code, said } = await restoreTruly([], env);
      expect([code, said]).toEqual([0, expect.stringMatching(/2 shops\. Erased again: 1\./)]);
      await using(async (store) => {
        expect(await store.server.read()).toMatchObject({ isKnown: false });
        expect(await store.shops.find({ shop: ERASED })).toBeNull();
        expect((await store.connections.find({ shop: SHOP }))!.clientSecret?.reveal()).toBe("planted-secret");
      }, openPostgres(copy.url));
      const wrong = await restore([], { ...env, ...OTHER_KEY });
      expect(wrong).toMatchObject({ code: 1, said: expect.stringMatching(/not the one/) });
      await copy.query(`DELETE FROM "_prisma_migrations" WHERE "migration_name" LIKE '%flow_events'`);
      expect(await restore([], env)).toMatchObject({ code: 1, said: expect.stringMatching(/lacks 1 of/) });
      expect(await restore(["--from", path], env)).toMatchObject({ code: 1, said: expect.stringMatching(/Usage/) });
    } finally {
      await before.remove();
      await copy.remove();
    }
  });
});
