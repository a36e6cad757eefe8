import { afterEach, beforeEach, expect, test } from "vitest";
import { openSlotsDatabase } from "../../../../app/adapters/shipping/slots/slots-database.ts";
import { connectionConfig } from "../../../../app/adapters/store/postgresql/connection.ts";
import { migratePostgres } from "../../../../app/adapters/store/postgresql/migrate.ts";
import type { PrismaStore } from "../../../../app/adapters/store/store.ts";
import { submitDraft } from "../../../../app/by-hand/submit-draft.ts";
import { onServer, startEmbedded, withDatabase } from "../../../../scripts/postgres-server.ts";
import {
  anotherServerContract,
  fillForDoubt,
  lookAt,
  PRESSED,
  servicesOf,
} from "../../../contracts/store/another-server.ts";
import { SETTINGS } from "../../../fakes/app-process.ts";
import * as records from "../../../fakes/records.ts";
import { SHOP } from "../../../fakes/records.ts";
import { freshPostgres, type FreshPostgres } from "./fresh-postgres.ts";
import { openPostgres } from "./open-postgres.ts";

/** A server that may lack the last commits: a standby that took over, a copy that was restored. */

const HOLD_MS = 18_000;
let database: FreshPostgres;
let store: PrismaStore;
beforeEach(async () => {
  database = await freshPostgres();
  store = await openPostgres(database.url, { exclusive: false });
});
afterEach(async () => {
  await store.close();
  await database.remove();
});

const look = (of = store) => lookAt(of);
const anotherServer = () => database.query(`UPDATE "budget"."server" SET "lineage" = 'another'`);

/** For how long whoever asks for a slot has to wait. */
async function waitMs(url = database.url): Promise<number> {
  const slots = openSlotsDatabase(connectionConfig(url));
  const sql = "SELECT budget.opens_at($1 * interval '1 ms') - clock_timestamp() AS wait";
  const [row] = await slots.query<{ ms: number }>(
    `SELECT extract(epoch FROM wait)::float8 * 1000 AS ms FROM (${sql})`,
    [HOLD_MS],
  );
  await slots.close();
  return row!.ms;
}

anotherServerContract("PostgreSQL", async () => {
  const own = await freshPostgres();
  const opened = await openPostgres(own.url, { exclusive: false });
  return {
    store: () => opened,
    restore: async () => void (await own.query(`UPDATE "budget"."server" SET "lineage" = 'another'`)),
    acceptedAgo: async (ms) =>
      void (await own.query(`UPDATE "budget"."server" SET "changed_at" = clock_timestamp() - ${ms} * interval '1 ms'`)),
    async close() {
      await opened.close();
      await own.remove();
    },
  };
});

test("on the server that is known nothing is held up", async () => {
  await look();
  expect(await waitMs()).toBeLessThanOrEqual(0);
});

test("on another one nobody sends until it is accepted, by one process, and for a quarantine after that", async () => {
  await fillForDoubt(store);
  await anotherServer();
  expect(await waitMs()).toBeGreaterThan(HOLD_MS - 5_000);
  const accept = () => store.server!.accept(SETTINGS.quarantineMs);
  expect((await Promise.all([accept(), accept()])).toSorted()).toEqual([false, true]);
  expect(await waitMs()).toBeGreaterThan(SETTINGS.quarantineMs - 10_000);
  await database.query(`UPDATE "budget"."server" SET "changed_at" = "changed_at" - interval '101 s'`);
  expect(await waitMs()).toBeLessThanOrEqual(0);
  // The server's clock was set back since.
  await database.query(`UPDATE "budget"."server" SET "changed_at" = "changed_at" + interval '1 day'`);
  expect(await waitMs()).toBeLessThanOrEqual(SETTINGS.quarantineMs);
});

test("numbers by which readings are remembered go up by more than the lost seconds can have counted", async () => {
  await fillForDoubt(store);
  await anotherServer();
  const numberNow = async () =>
    Number(
      String(await store.revision!(SHOP, ["details"]))
        .split(",")
        .at(-1),
    );
  const before = await numberNow();
  await look();
  expect(await numberNow()).toBeGreaterThan(before + 10_000);
});

test("a create by hand counts as one that may have been sent before, also where the server is accepted while the form waits", async () => {
  await store.shops.insert(records.shopRecord());
  await store.connections.insert(records.connectionRecord());
  const transaction: PrismaStore["transaction"] = async (shop, work) => {
    await anotherServer();
    await look();
    return store.transaction(shop, work);
  };
  const services = { ...servicesOf(store), store: { ...store, transaction } };
  await submitDraft(services, { ...PRESSED, draftId: "waited" });
  expect(await store.pendingWrites.list({ shop: SHOP })).toMatchObject([{ operation: "create", marker: null }]);
});

test("a standby that took over without the last commits is noticed by whoever worked before", async () => {
  const server = await startEmbedded();
  try {
    const url = withDatabase(server.url, "app");
    await onServer(server.url, "CREATE DATABASE app");
    await migratePostgres({ url, folder: new URL("../../../../prisma/postgresql/migrations/", import.meta.url) });
    const before = await openPostgres(url, { exclusive: false });
    await before.shops.insert(records.shopRecord());
    await server.keepCopy();
    await expect.poll(() => before.locations.insert(records.locationRecord()).catch(() => null)).toBe(true);
    await look(before);
    expect(await before.workItems.count({ kind: "reconcile" })).toBe(0);
    await server.goBack();
    await expect.poll(() => before.locations.count({ shop: SHOP }).catch(() => null)).toBe(0);
    expect(await before.server!.read()).toMatchObject({ isKnown: false });
    expect(await waitMs(url)).toBeGreaterThan(0);
    await look(before);
    expect(await before.server!.read()).toMatchObject({ isKnown: true });
    expect(await waitMs(url)).toBeGreaterThan(SETTINGS.quarantineMs - 10_000);
    expect(await before.workItems.count({ kind: "reconcile" })).toBe(1);
    await before.close();
  } finally {
    await server.stop();
  }
});
