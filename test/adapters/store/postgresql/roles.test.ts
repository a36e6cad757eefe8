import { afterAll, beforeAll, expect, test } from "vitest";
import { NOW_MS, SHOP, shopRecord, workItemRecord } from "../../../fakes/records.ts";
import { freshPostgres, type FreshPostgres } from "./fresh-postgres.ts";
import { openPostgres } from "./open-postgres.ts";

/** The app's role may be another than the one that migrates and owns the tables: docs/postgresql.md says what it needs. */

const ROLE = `origen_app_${process.pid}`;
let database: FreshPostgres;
beforeAll(async () => {
  database = await freshPostgres();
  await database.query(
    `CREATE ROLE ${ROLE} LOGIN PASSWORD 'app'`,
    `GRANT USAGE ON SCHEMA public TO ${ROLE}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${ROLE}`,
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${ROLE}`,
  );
});
afterAll(async () => {
  await database.query(`DROP OWNED BY ${ROLE}`, `DROP ROLE ${ROLE}`);
  await database.remove();
});

test("a role that owns nothing writes, claims and begins chores", async () => {
  const url = new URL(database.url);
  url.username = ROLE;
  url.password = "app";
  const store = await openPostgres(url.href, { exclusive: false });
  await store.shops.insert(shopRecord());
  await store.workItems.insert(workItemRecord({ dueAtMs: NOW_MS }));
  const shared = store.shared!;
  expect(await shared.claim({ owner: "me", nowMs: NOW_MS, leaseMs: 1_000, room: 1 })).toHaveLength(1);
  expect(await shared.isOurs("sweeping", 1_000)).toBe(true);
  expect(await shared.mend(NOW_MS)).toBe(0);
  expect(await store.revision!(SHOP, ["workItems"])).toMatch(/^\d+,\d+$/);
  expect(await store.eraseShop(SHOP)).toBe(true);
  await store.close();
});
