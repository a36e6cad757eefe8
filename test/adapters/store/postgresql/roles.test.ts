import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migratePostgres } from "../../../../app/adapters/store/postgresql/migrate.ts";
import { NOW_MS, SHOP, shopRecord, workItemRecord } from "../../../fakes/records.ts";
import { freshPostgres, type FreshPostgres } from "./fresh-postgres.ts";
import { openPostgres } from "./open-postgres.ts";

/** The app's role may be another than the one that migrates and owns the tables: docs/postgresql.md says what it needs. */

const ROOT = new URL("../../../../", import.meta.url);
const ROLE = `origen_app_${process.pid}`;
let database: FreshPostgres;
beforeAll(async () => {
  database = await freshPostgres();
  const doc = await readFile(new URL("docs/postgresql.md", ROOT), "utf8");
  const grants = [...doc.matchAll(/^ *(GRANT .*) TO app;$/gm)].map(([, grant]) => `${grant} TO ${ROLE}`);
  expect(grants).toHaveLength(4);
  await database.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD 'app'`, ...grants);
});
afterAll(async () => {
  await database.query(`DROP OWNED BY ${ROLE}`, `DROP ROLE ${ROLE}`);
  await database.remove();
});

const asRole = (): string => {
  const url = new URL(database.url);
  url.username = ROLE;
  url.password = "app";
  return url.href;
};

test("a role that owns nothing writes, claims, begins chores and accepts another server", async () => {
  const store = await openPostgres(asRole());
  await store.shops.insert(shopRecord());
  await store.workItems.insert(workItemRecord({ dueAtMs: NOW_MS }));
  const shared = store.shared!;
  expect(await shared.claim({ owner: "me", nowMs: NOW_MS, leaseMs: 1_000, room: 1 })).toHaveLength(1);
  expect(await shared.isOurs("sweeping", 1_000)).toBe(true);
  expect(await shared.mend(NOW_MS)).toBe(0);
  expect(await store.revision!(SHOP, ["workItems"])).toMatch(/^\d+,\d+$/);
  expect(await store.server.read()).toMatchObject({ isKnown: true });
  await database.query(`UPDATE "budget"."server" SET "lineage" = 'another'`);
  expect(await store.server.read()).toMatchObject({ isKnown: false });
  expect(await store.server.accept(1)).toBe(true);
  expect(await store.eraseShop(SHOP)).toBe(true);
  await store.close();
});

test("its start finds that no migration is missing, and is told what to do when one is", async () => {
  const folder = new URL("prisma/postgresql/migrations/", ROOT);
  expect(await migratePostgres({ url: asRole(), folder })).toEqual([]);
  await database.query(
    `DELETE FROM "_prisma_migrations" WHERE "migration_name" = (SELECT max("migration_name") FROM "_prisma_migrations")`,
  );
  await expect(migratePostgres({ url: asRole(), folder })).rejects.toThrow(
    "Run `npm run migrate` with a DATABASE_URL whose role may",
  );
});
