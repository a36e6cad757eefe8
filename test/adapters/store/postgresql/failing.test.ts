import { Session } from "@shopify/shopify-api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createClock, createMachine } from "../../../../app/adapters/machine/clock.ts";
import { createHeardDates } from "../../../../app/adapters/machine/heard-dates.ts";
import { createRandom } from "../../../../app/adapters/machine/random.ts";
import { createSharedClock } from "../../../../app/adapters/machine/shared-clock.ts";
import type { PrismaStore } from "../../../../app/adapters/store/store.ts";
import { NEVER_MS } from "../../../../app/domain/backoff.ts";
import type { Services } from "../../../../app/ports.ts";
import { receiveWebhook } from "../../../../app/shop/receive-webhook.ts";
import { startWorker, type Worker } from "../../../../app/worker/worker.ts";
import { SETTINGS } from "../../../fakes/app-process.ts";
import { locationRecord, SHOP, shopRecord } from "../../../fakes/records.ts";
import { SILENT } from "../open-store.ts";
import { freshPostgres, type FreshPostgres } from "./fresh-postgres.ts";
import { openPostgres } from "./open-postgres.ts";
import { startProxy, type Proxy } from "./proxy.ts";

/** A database that is away, full or slow: every call says so, and afterwards the same store and worker go on. */

const FAULT = { name: "AppError", kind: "internal" };

let database: FreshPostgres;
let proxy: Proxy;
let store: PrismaStore;
beforeEach(async () => {
  database = await freshPostgres();
  proxy = await startProxy(database.url);
  store = await openPostgres(proxy.url, { exclusive: false });
  await store.shops.insert(shopRecord());
  await store.sessions.storeSession(
    new Session({ id: "one", shop: SHOP, state: "", isOnline: false, accessToken: "t" }),
  );
  await everything();
});
afterEach(async () => {
  proxy.open();
  proxy.slow(0);
  await store.close();
  await proxy.close();
  await database.remove();
});

const ways = (): Record<string, () => Promise<unknown>> => ({
  "a reading": () => store.locations.list({ shop: SHOP }),
  "a write": () => store.shops.update({ shop: SHOP }, { revision: 1 }),
  "a transaction": () => store.transaction(SHOP, ({ shops }) => shops.find({ shop: SHOP })),
  "one of every shop": () => store.transaction(null, ({ shops }) => shops.count({})),
  "what was written": async () => store.revision!(SHOP, ["shops"]),
  "a session": () => store.sessions.loadSession("one"),
  "a claim": () => store.shared!.claim({ owner: "me", nowMs: 1, leaseMs: 1, room: 1 }),
  "the time": () => store.askTimeMs!(),
});

const everything = () => Promise.all(Object.values(ways()).map((way) => way()));

test("while it is away every call fails and none hangs, and once it is back every one succeeds", async () => {
  proxy.cut({ shut: true });
  for (const [name, way] of Object.entries(ways())) {
    const failed = await way().catch((error: unknown) => error);
    expect([name, failed]).toMatchObject([
      name,
      name === "a session" ? { message: expect.any(String) as string } : FAULT,
    ]);
  }
  proxy.open();
  await expect(everything()).resolves.toBeDefined();
});

test("connections that were cut behind its back cost a few calls at most", async () => {
  proxy.cut();
  await expect
    .poll(() =>
      everything().then(
        () => "well",
        () => "failing",
      ),
    )
    .toBe("well");
  await expect(everything()).resolves.toBeDefined();
});

test("a server that lets no more connections in is gone on with over those that there are", async () => {
  proxy.shut();
  for (let times = 0; times < 3; times += 1)
    for (const way of Object.values(ways())) await expect(way()).resolves.toBeDefined();
});

test("a slow one is waited for", async () => {
  proxy.slow(100);
  expect(await store.transaction(SHOP, ({ locations }) => locations.insert(locationRecord()))).toBe(true);
  expect(await store.locations.count({ shop: SHOP })).toBe(1);
  await everything();
});

test("a webhook that could not be kept is refused, and the worker goes on by itself when the database is back", async () => {
  const clock = await createSharedClock({ machine: createMachine(), askMs: () => store.askTimeMs!(), log: SILENT });
  const ran: string[] = [];
  let worker: Worker | null = null;
  const services = {
    store,
    clock,
    dates: createHeardDates(createClock()),
    random: createRandom(),
    log: SILENT,
    settings: SETTINGS,
    wake: () => worker?.wake(),
    async runWorkItem(
      _services: Services,
      { item }: { item: { id: string; shop: string; key: string; fence: number } },
    ) {
      const free = { leaseOwner: null, leaseUntilMs: null, dueAtMs: NEVER_MS };
      // As the true one, it never rejects: one that the database leaves is left to its lease's end.
      const kept = await store.workItems
        .update({ id: item.id, shop: item.shop, fence: item.fence }, free)
        .catch(() => 0);
      if (kept > 0) ran.push(item.key);
    },
  } as unknown as Services;
  worker = startWorker(services, { concurrency: 4 });
  await worker.ready;
  const receive = (webhookId: string, id: number) =>
    receiveWebhook(services, { shop: SHOP, topic: "locations/update", webhookId, payload: { id } } as never);
  await receive("before", 1);
  await expect.poll(() => ran.length).toBeGreaterThan(0);
  proxy.cut({ shut: true });
  await expect(receive("meanwhile", 2)).rejects.toMatchObject(FAULT);
  proxy.open();
  await expect
    .poll(() =>
      receive("meanwhile", 2).then(
        () => "kept",
        () => "refused",
      ),
    )
    .toBe("kept");
  await expect.poll(() => ran).toContain("gid://shopify/Location/2");
  expect(await store.receipts.count({ shop: SHOP })).toBe(2);
  await worker.stop();
});
