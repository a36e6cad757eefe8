import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { connectionRecord, linkRecord, pendingWriteRecord, SHOP, shopRecord } from "../../../fakes/records.ts";
import { sharedPostgres, type SharedPostgres } from "./open-postgres.ts";

/** Transactions of two shops run side by side; of one template of their account, they see each other's writes. */

const OTHER = "two.myshopify.com";
const ONE = { environment: "production", templateId: "t1" } as const;

let shared: SharedPostgres;
beforeAll(async () => {
  shared = await sharedPostgres();
});
afterAll(() => shared.close());
beforeEach(async () => {
  await shared.empty();
  for (const shop of [SHOP, OTHER]) {
    await shared.store.shops.insert(shopRecord({ shop }));
    await shared.store.connections.insert(connectionRecord({ id: `connection of ${shop}`, shop }));
  }
});

/** Until some session waits for a lock of another one. */
async function somebodyWaits(): Promise<void> {
  const client = new pg.Client(shared.database.url);
  await client.connect();
  const asks = () =>
    client.query("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'");
  try {
    await expect.poll(async () => (await asks()).rows.length).toBeGreaterThan(0);
  } finally {
    await client.end();
  }
}

const link = () => linkRecord({ ...ONE, shop: OTHER, connectionId: `connection of ${OTHER}` });
const pendingWrite = () =>
  pendingWriteRecord({ templateId: ONE.templateId, shop: SHOP, connectionId: `connection of ${SHOP}` });

test("who links a template while another shop's write to it is announced sees that write", async () => {
  const { store } = shared;
  const taken = Promise.withResolvers<void>();
  const announces = store.transaction(SHOP, async (tables) => {
    await tables.takeTemplate(ONE);
    taken.resolve();
    expect(await tables.links.count({ ...ONE, shop: { not: SHOP } })).toBe(0);
    await somebodyWaits();
    await tables.pendingWrites.insert(pendingWrite());
  });
  await taken.promise;
  const links = store.transaction(OTHER, async (tables) => {
    const before = await tables.pendingWrites.count({ templateId: ONE.templateId });
    await tables.takeTemplate(ONE);
    return [
      before,
      await tables.pendingWrites.count({ templateId: ONE.templateId }),
      await tables.links.insert(link()),
    ];
  });
  expect(await links).toEqual([0, 1, true]);
  await announces;
});

test("who announces a write while another shop links the template sees that link", async () => {
  const { store } = shared;
  const taken = Promise.withResolvers<void>();
  const links = store.transaction(OTHER, async (tables) => {
    await tables.takeTemplate(ONE);
    taken.resolve();
    await somebodyWaits();
    await tables.links.insert(link());
  });
  await taken.promise;
  const announces = store.transaction(SHOP, async (tables) => {
    await tables.takeTemplate(ONE);
    // Once more is no wait.
    await tables.takeTemplate(ONE);
    return tables.links.count({ ...ONE, shop: { not: SHOP } });
  });
  expect(await announces).toBe(1);
  await links;
});

test("another template is not waited for, nor the same id in another environment", async () => {
  const { store } = shared;
  const [taken, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holds = store.transaction(SHOP, async (tables) => {
    await tables.takeTemplate(ONE);
    taken.resolve();
    await over.promise;
  });
  await taken.promise;
  await store.transaction(OTHER, async (tables) => {
    await tables.takeTemplate({ ...ONE, templateId: "t2" });
    await tables.takeTemplate({ ...ONE, environment: "test" });
  });
  over.resolve();
  await holds;
});
