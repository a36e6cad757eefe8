import { Session } from "@shopify/shopify-api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseKeys } from "../../../../app/adapters/store/encryption.ts";
import { Secret } from "../../../../app/domain/secret.ts";
import { connectionRecord, SHOP, shopRecord } from "../../../fakes/records.ts";
import { appKeys } from "../open-store.ts";
import { runScript } from "../processes/run.ts";
import { freshPostgres, type FreshPostgres } from "./fresh-postgres.ts";
import { openPostgres } from "./open-postgres.ts";

/** The operator's commands on PostgreSQL. */

let database: FreshPostgres;
beforeEach(async () => {
  database = await freshPostgres();
});
afterEach(() => database.remove());

const open = (keys: string) => openPostgres(database.url, { keys: parseKeys(keys) });
const run = (name: string, keys: string, ...args: string[]) =>
  runScript({
    script: new URL(`../../../../scripts/${name}.ts`, import.meta.url).pathname,
    args,
    env: { DATABASE_URL: database.url, APP_KEYS: keys },
  });

test("keys are rotated beside an app that has them, and the old one may go", async () => {
  const before = await open(appKeys("old"));
  await before.shops.insert(shopRecord());
  for (let index = 0; index < 120; index += 1)
    await before.connections.insert(
      connectionRecord({
        id: `${index}`,
        clientId: `${index}`,
        current: index === 0,
        accessToken: new Secret(`${index}`),
      }),
    );
  const session = new Session({ id: "one", shop: SHOP, state: "", isOnline: false, accessToken: "shpat" });
  await before.sessions.storeSession(session);
  const early = run("rotate-keys", appKeys("new", "old"));
  const refused = await early.ended;
  expect(early.lines.join()).toContain("The app is running without the key new");
  expect(refused).toBe(1);
  await before.close();

  const app = await open(appKeys("new", "old"));
  const rotation = run("rotate-keys", appKeys("new", "old"));
  expect(await rotation.ended).toBe(0);
  expect(rotation.lines.at(-1)).toBe("APP_KEYS no longer needs: old.");
  await app.close();

  const after = await open(appKeys("new"));
  const tokens = (await after.connections.list({})).map(({ id, accessToken }) => accessToken!.reveal() === id);
  expect(tokens).toEqual(Array.from({ length: 120 }, () => true));
  expect((await after.sessions.loadSession("one"))!.accessToken).toBe("shpat");
  await after.close();
});

test("requests to erase a shop are listed", async () => {
  await (await open(appKeys("k1"))).close();
  const listing = run("redactions", appKeys("k1"), "list");
  expect(await listing.ended).toBe(0);
  expect(listing.lines).toEqual(["No request of Shopify's to erase a shop is open."]);
});

test("the tables are made by npm start's own command, and again it does nothing", async () => {
  await database.query('DROP SCHEMA "public" CASCADE', 'CREATE SCHEMA "public"');
  for (const said of [/^Applied: .*_first/, /^No migration was missing\.$/]) {
    const migration = run("migrate", appKeys("k1"));
    expect(await migration.ended).toBe(0);
    expect(migration.lines).toEqual([expect.stringMatching(said)]);
  }
  await (await open(appKeys("k1"))).close();
});
