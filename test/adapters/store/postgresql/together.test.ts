import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createClock } from "../../../../app/adapters/machine/clock.ts";
import { createRandom } from "../../../../app/adapters/machine/random.ts";
import type { Store, Transaction } from "../../../../app/ports.ts";
import { receiveWebhook } from "../../../../app/shop/receive-webhook.ts";
import { servicesOf, shippingOver } from "../../../fakes/app-process.ts";
import { locationGid, receiptRecord, SHOP, shopRecord, workItemRecord } from "../../../fakes/records.ts";
import { createFakeShopify } from "../../../fakes/shopify.ts";
import { openPostgres, sharedPostgres, type SharedPostgres } from "./open-postgres.ts";

/** Small works of many shops are one transaction, and no work waits for another's shop. */

const OTHER = "two.myshopify.com";
const SHOPS = [SHOP, OTHER, ...Array.from({ length: 8 }, (_, index) => `more-${index}.myshopify.com`)];
/** As in `together/group.ts`: ours, and what groups of all processes take. */
const GROUPS = "1330792775, 3";
const KEY = locationGid(1);

let shared: SharedPostgres;
beforeAll(async () => {
  shared = await sharedPostgres();
});
afterAll(() => shared.close());
beforeEach(async () => {
  await shared.empty();
  for (const shop of SHOPS) await shared.store.shops.insert(shopRecord({ shop }));
  await shared.store.workItems.insert(workItemRecord({ generation: 0 }));
});

const small = <T>(webhookId: string, work: (tables: Transaction) => Promise<T>) => ({
  rows: { receipts: [{ webhookId }], locations: [], workItems: [{ kind: "location", key: KEY } as const] },
  work,
});
const receive = (store: Store, webhookId: string, shop = SHOP) =>
  store.together!(
    shop,
    small(webhookId, (tables) => tables.receipts.insert(receiptRecord({ shop, webhookId }))),
  );
const raise = (store: Store, webhookId: string) =>
  store.together!(
    SHOP,
    small(webhookId, async (tables) => {
      const { generation } = (await tables.workItems.find({ shop: SHOP, kind: "location", key: KEY }))!;
      await tables.workItems.update({ id: "target-1" }, { generation: generation + 1 });
    }),
  );

async function beside<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(shared.database.url);
  await client.connect();
  return work(client).finally(() => client.end());
}

const commits = () =>
  beside(async (client) => {
    const { rows } = await client.query<{ n: number }>('SELECT count(DISTINCT xmin::text)::int AS n FROM "Receipt"');
    return rows[0]!.n;
  });

function servicesOn(store: Store) {
  const [clock, random] = [createClock(), createRandom()];
  const shipping = shippingOver({ network: {} as never, clock, random, store });
  return servicesOf({ store, clock, random, shopify: createFakeShopify(clock), shipping });
}

test("webhooks about locations of ten shops that come at once are a few commits", async () => {
  const services = servicesOn(shared.store);
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      receiveWebhook(services, {
        shop: SHOPS[index % SHOPS.length]!,
        topic: "locations/update",
        webhookId: `w-${index}`,
        payload: { id: 1 + (index % 3), updated_at: new Date().toISOString() },
      }),
    ),
  );
  expect(outcomes).toEqual(outcomes.map(() => "accepted"));
  expect(await commits()).toBeLessThanOrEqual(3);
  expect(await shared.store.workItems.count({ kind: "told" })).toBe(30);
});

test("two processes' groups of the same shop lose nothing of each other's", async () => {
  const other = await openPostgres(shared.database.url);
  try {
    const raised = Array.from({ length: 100 }, (_, index) => raise(index % 2 ? other : shared.store, `w-${index}`));
    await Promise.all(raised);
    expect((await shared.store.workItems.find({ id: "target-1" }))!.generation).toBe(100);
  } finally {
    await other.close();
  }
});

test("a shop whose turn somebody else has holds no other shop's up, and keeps its order", async () => {
  const order: string[] = [];
  const note = (name: string) => () => order.push(name);
  const waiting = await beside(async (client) => {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [SHOP]);
    const held = ["a", "b", "c"].map((id) => receive(shared.store, id).then(note(id)));
    await receive(shared.store, "d", OTHER).then(note("d"));
    // Groups pass it over for a while; then the first stands in line for its turn.
    const asks = () => client.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
    await expect.poll(async () => (await asks()).rowCount).toBe(1);
    await receive(shared.store, "e", OTHER);
    held.push(receive(shared.store, "f").then(note("f")));
    expect(order).toEqual(["d"]);
    await client.query("COMMIT");
    return held;
  });
  await Promise.all(waiting);
  expect(order).toEqual(["d", "a", "b", "c", "f"]);
});

test("what has waited for a shop's turn is one commit when it comes", async () => {
  const waiting = await beside(async (client) => {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [SHOP]);
    const held = Array.from({ length: 30 }, (_, index) => receive(shared.store, `w-${index}`));
    const asks = () => client.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
    await expect.poll(async () => (await asks()).rowCount).toBe(1);
    await client.query("COMMIT");
    return held;
  });
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => true));
  expect(await commits()).toBe(1);
});

test("a shop with hundreds waiting keeps another shop's only for a group", async () => {
  let own = 0;
  const many = Array.from({ length: 400 }, (_, index) => receive(shared.store, `w-${index}`).then(() => (own += 1)));
  await receive(shared.store, "one", OTHER);
  expect(own).toBeLessThan(100);
  await Promise.all(many);
});

test("a group whose connection is cut is done again, each once", async () => {
  const [entered, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let runs = 0;
  const slow = shared.store.together!(
    SHOP,
    small("slow", async (tables) => {
      runs += 1;
      entered.resolve();
      await gate.promise;
      return tables.receipts.insert(receiptRecord({ webhookId: "slow" }));
    }),
  );
  const others = Array.from({ length: 9 }, (_, index) => receive(shared.store, `w-${index}`, SHOPS[index + 1]));
  await entered.promise;
  await beside((client) =>
    client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 3 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    ),
  );
  gate.resolve();
  expect(await Promise.all([slow, ...others])).toEqual(Array.from({ length: 10 }, () => true));
  expect(runs).toBe(2);
  expect(await shared.store.receipts.count({})).toBe(10);
});

test("where another process stands still in its group, each shop's are done by themselves", async () => {
  await beside(async (client) => {
    await client.query("BEGIN");
    await client.query(`SELECT pg_advisory_xact_lock(${GROUPS})`);
    expect(await Promise.all([receive(shared.store, "a"), receive(shared.store, "b", OTHER)])).toEqual([true, true]);
    await client.query("COMMIT");
  });
  expect(await receive(shared.store, "c")).toBe(true);
});

test("closing waits for what has come, and lets nothing more in", async () => {
  const store = await openPostgres(shared.database.url);
  const all = Array.from({ length: 80 }, (_, index) => receive(store, `w-${index}`));
  await store.close();
  expect(await Promise.all(all)).toEqual(all.map(() => true));
  expect(await shared.store.receipts.count({})).toBe(80);
  await expect(receive(store, "late")).rejects.toMatchObject({ kind: "cancelled" });
});
