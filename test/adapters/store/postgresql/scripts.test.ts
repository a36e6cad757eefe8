import { Session } from "@shopify/shopify-api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseKeys } from "../../../../app/adapters/store/encryption.ts";
import { Secret } from "../../../../app/domain/secret.ts";
import { redactions } from "../../../../scripts/commands/redactions.ts";
import { rotateKeys } from "../../../../scripts/commands/rotate-keys.ts";
import { connectionRecord, SHOP, shopRecord } from "../../../fakes/records.ts";
import { appKeys } from "../open-store.ts";
import { runHere, runTruly } from "../processes/run-command.ts";
import { freshPostgres, type FreshPostgres } from "./fresh-postgres.ts";
import { openPostgres } from "./open-postgres.ts";

/** The operator's commands on PostgreSQL. */

let database: FreshPostgres;
beforeEach(async () => {
  database = await freshPostgres();
});
afterEach(() => database.remove());

const open = (keys: string) => openPostgres(database.url, { keys: parseKeys(keys) });
const environment = (keys: string) => ({ DATABASE_URL: database.url, APP_KEYS: keys });
const run = (name: string, keys: string) => runTruly(name, [], environment(keys));

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
  const early = await runHere(rotateKeys, [], environment(appKeys("new", "old")));
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining("The app is running without the key new") });
  await before.close();

  const app = await open(appKeys("new", "old"));
  const rotation = await run("rotate-keys", appKeys("new", "old"));
  expect(rotation).toMatchObject({ code: 0, said: expect.stringMatching(/\nAPP_KEYS no longer needs: old\.\n$/) });
  await app.close();

  const after = await open(appKeys("new"));
  const tokens = (await after.connections.list({})).map(({ id, accessToken }) => accessToken!.reveal() === id);
  expect(tokens).toEqual(Array.from({ length: 120 }, () => true));
  expect((await after.sessions.loadSession("one"))!.accessToken).toBe("shpat");
  await after.close();
});

test("requests to erase a shop are listed", async () => {
  await (await open(appKeys("k1"))).close();
  const { code, said } = await runHere(redactions, ["list"], environment(appKeys("k1")));
  expect([code, said]).toEqual([0, "No request of Shopify's to erase a shop is open.\n"]);
});

test("the tables are made by npm start's own command, and again it does nothing", async () => {
  await database.query('DROP SCHEMA "public" CASCADE', 'CREATE SCHEMA "public"');
  for (const said of [/^Applied: .*_first.*\n$/, /^No migration was missing\.\n$/])
    expect(await run("migrate", appKeys("k1"))).toMatchObject({ code: 0, said: expect.stringMatching(said) });
  await (await open(appKeys("k1"))).close();
});
