import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MOST_CONNECTIONS } from "../../../../app/adapters/store/postgresql/adapter.ts";
import { createTokenStore } from "../../../../app/account/token-store.ts";
import { createClock } from "../../../../app/adapters/machine/clock.ts";
import { createRandom } from "../../../../app/adapters/machine/random.ts";
import { readingOf, rememberReading } from "../../../../app/readings/remember-reading.ts";
import {
  connectionRecord,
  locationRecord,
  receiptRecord,
  SHOP,
  shopRecord,
  workItemRecord,
} from "../../../fakes/records.ts";
import { sharedPostgres, type SharedPostgres } from "./open-postgres.ts";

const OTHER = "two.myshopify.com";
const FAULT = { name: "AppError", kind: "internal" };

let shared: SharedPostgres;
beforeAll(async () => {
  shared = await sharedPostgres();
});
afterAll(() => shared.close());
beforeEach(async () => {
  await shared.empty();
  await shared.store.shops.insert(shopRecord());
  await shared.store.workItems.insert(workItemRecord({ generation: 0 }));
});

const generation = async () => (await shared.store.workItems.find({ id: "target-1" }))!.generation;

/** Another session of the database, closed afterwards. */
async function beside<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(shared.database.url);
  client.on("error", () => undefined);
  await client.connect();
  return work(client).finally(() => client.end());
}

/** Until some session waits for a lock of another one. */
async function somebodyWaits(client: pg.Client): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await client.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows.length;
    })
    .toBeGreaterThan(0);
}

test("two shops' transactions run side by side, and one of every shop waits for both", async () => {
  const { store } = shared;
  await store.shops.insert(shopRecord({ shop: OTHER }));
  const order: string[] = [];
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const running = [SHOP, OTHER].map((shop, index) =>
    store.transaction(shop, async (tables) => {
      await tables.receipts.insert(receiptRecord({ shop }));
      order.push("begins");
      gates[index]!.resolve();
      await gates[1 - index]!.promise;
      order.push("ends");
    }),
  );
  const every = store.transaction(null, async (tables) => order.push(`sees ${await tables.receipts.count({})}`));
  await Promise.all([...running, every]);
  expect(order).toEqual(["begins", "begins", "ends", "ends", "sees 2"]);
});

test("far more transactions than connections wait their turn, and pages read meanwhile", async () => {
  const { store } = shared;
  const shops = Array.from({ length: 60 }, (_, index) => `${index}.myshopify.com`);
  const { promise: go, resolve: goOn } = Promise.withResolvers<void>();
  const all = shops.map((shop) =>
    store.transaction(shop, async (tables) => {
      await go;
      return tables.shops.insert(shopRecord({ shop }));
    }),
  );
  expect(await store.shops.count({})).toBe(1);
  goOn();
  expect(await Promise.all(all)).toEqual(shops.map(() => true));
});

test("a connection's token is kept, and its refusal, while another shop's transaction runs", async () => {
  const { store } = shared;
  await store.shops.insert(shopRecord({ shop: OTHER }));
  await store.connections.insert(connectionRecord({ id: "theirs", shop: OTHER, version: 1 }));
  const tokens = createTokenStore({ store, clock: createClock(), random: createRandom() });
  const token = { accessToken: "t", refreshToken: null, scope: null, obtainedAtMs: 1, expiresAtMs: 2 };
  const refusal = { connectionId: "theirs", version: 1, serviceMessage: null, requestId: null };
  await store.transaction(SHOP, async () => {
    expect(await outside(() => tokens.save({ connectionId: "theirs", version: 1, token }))).toBe(true);
    await outside(() => tokens.markInvalid(refusal));
  });
  expect(await store.connections.find({ id: "theirs" })).toMatchObject({ state: "invalid", version: 2 });
  expect(await tokens.save({ connectionId: "gone", version: 1, token })).toBe(false);
});

test("another process's transaction of the same shop waits", async () => {
  await beside(async (client) => {
    let theirs: Promise<unknown> | null = null;
    await shared.store.transaction(SHOP, async (tables) => {
      theirs = client
        .query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [SHOP])
        .then(() => client.query('UPDATE "Target" SET "wanted" = "wanted" * 10'));
      await beside(somebodyWaits);
      await tables.workItems.update({ id: "target-1" }, { generation: 1 });
    });
    await theirs;
  });
  expect(await generation()).toBe(10);
});

test("an insert beside an erase waits for it, does nothing, and its transaction goes on", async () => {
  const { store } = shared;
  await store.shops.insert(shopRecord({ shop: OTHER }));
  await beside(async (client) => {
    await client.query("BEGIN");
    await client.query('DELETE FROM "Shop" WHERE "shop" = $1', [SHOP]);
    const inserting = store.transaction(null, async (tables) => [
      await tables.receipts.insert(receiptRecord()),
      await tables.receipts.insert(receiptRecord({ shop: OTHER })),
    ]);
    await beside(somebodyWaits);
    await client.query("COMMIT");
    expect(await inserting).toEqual([false, true]);
  });
});

test("a deadlock with another process is run again", async () => {
  const { store } = shared;
  await store.workItems.insert(workItemRecord({ id: "second", key: "second", generation: 0 }));
  let runs = 0;
  await beside(async (client) => {
    // The server gives up the session whose patience ends first: ours.
    await client.query("SET deadlock_timeout = '60s'");
    await client.query("BEGIN");
    // Locked and not written: a write would make ours wait before it holds what they wait for.
    await client.query(`SELECT FROM "Target" WHERE "id" = 'second' FOR UPDATE`);
    let theirs: Promise<unknown> | null = null;
    await store.transaction(SHOP, async (tables) => {
      runs += 1;
      await tables.workItems.update({ id: "target-1" }, { fence: 1 });
      theirs ??= client
        .query(`SELECT FROM "Target" WHERE "id" = 'target-1' FOR UPDATE`)
        .then(() => client.query("COMMIT"));
      if (runs === 1) await beside(somebodyWaits);
      await tables.workItems.update({ id: "second" }, { fence: 1 });
    });
    await theirs;
  });
  // Once more where ours, run again, took the row before theirs did.
  expect(runs).toBeGreaterThan(1);
  expect((await store.workItems.list({})).map(({ fence }) => fence)).toEqual([1, 1]);
});

describe.each(["40P01", "40001"])("a transaction that the server ends with %s", (code) => {
  beforeEach(() =>
    shared.database.query(
      "CREATE SEQUENCE tries",
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF nextval('tries') < 3 THEN RAISE 'not now; no' USING ERRCODE = '${code}'; END IF; RETURN NEW; END $$`,
    ),
  );
  const drop = () => shared.database.query("DROP FUNCTION fail CASCADE", "DROP SEQUENCE tries");

  test.each([
    ["an update", 'BEFORE UPDATE ON "Target"'],
    ["an insert", 'BEFORE INSERT ON "Receipt"'],
  ])("in %s is run again from its beginning, also when that was caught", async (_what, when) => {
    await shared.database.query(`CREATE TRIGGER failing ${when} FOR EACH ROW EXECUTE FUNCTION fail()`);
    let runs = 0;
    const done = shared.store.transaction(SHOP, async (tables) => {
      runs += 1;
      const found = (await tables.workItems.find({ id: "target-1" }))!.generation;
      await tables.workItems.update({ id: "target-1" }, { generation: found + 1 }).catch(() => undefined);
      // Whoever takes the error for another one hides nothing.
      await tables.receipts.insert(receiptRecord()).catch(() => Promise.reject(new Error("another")));
    });
    await done.finally(drop);
    expect(runs).toBe(3);
    expect(await generation()).toBe(1);
  });

  test("in a single write is run again too", async () => {
    await shared.database.query(
      'CREATE TRIGGER failing BEFORE UPDATE ON "Target" FOR EACH ROW EXECUTE FUNCTION fail()',
    );
    const update = shared.store.workItems.update({ id: "target-1", shop: SHOP }, { generation: 4 });
    expect(await update.finally(drop)).toBe(1);
  });
});

test("connections that are cut in transactions fail these, and the next ones have others, however many", async () => {
  const { store } = shared;
  for (let times = 0; times < 2 * MOST_CONNECTIONS; times += 1) {
    const cut = store.transaction(SHOP, async (tables) => {
      await tables.workItems.update({ id: "target-1" }, { generation: 9 });
      await shared.database.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'",
      );
      await tables.workItems.count({});
    });
    await expect(cut).rejects.toMatchObject(FAULT);
  }
  expect(await generation()).toBe(0);
  await store.transaction(SHOP, (tables) => tables.workItems.update({ id: "target-1" }, { generation: 2 }));
  expect(await generation()).toBe(2);
});

test.each(["is kept", "is rolled back"])(
  "what is read before a transaction %s is remembered no longer",
  async (end) => {
    const { store } = shared;
    const kind = readingOf("locations");
    const read = () => rememberReading({ store, shop: SHOP, kind }, () => store.locations.count({ shop: SHOP }));
    expect(await read()).toBe(0);
    const writing = store.transaction(SHOP, async (tables) => {
      await tables.locations.insert(locationRecord());
      // Others read what stood there before, at the count of what stands there now.
      expect(await outside(read)).toBe(0);
      if (end === "is rolled back") throw new Error("not after all");
    });
    await writing.catch(() => undefined);
    expect(await read()).toBe(end === "is kept" ? 1 : 0);
  },
);

/** Runs as if nobody was in a transaction: the store refuses calls that come out of one. */
const asks: { work: () => Promise<unknown>; done: (answer: Promise<unknown>) => void }[] = [];
let heard = Promise.withResolvers<void>();
const listening = (async () => {
  for (;;) {
    await heard.promise;
    heard = Promise.withResolvers<void>();
    for (const { work, done } of asks.splice(0)) done(work());
  }
})();
function outside<T>(work: () => Promise<T>): Promise<T> {
  void listening;
  return new Promise<T>((resolve) => {
    asks.push({ work, done: (answer) => resolve(answer as Promise<T>) });
    heard.resolve();
  });
}
