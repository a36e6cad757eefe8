import { setTimeout as pause } from "node:timers/promises";
import v8 from "node:v8";
import vm from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBottleneckLine } from "../../../app/adapters/shipping/budget.ts";
import { isAppError } from "../../../app/domain/errors.ts";
import { INTERACTIVE, startWorld, WRITE, DRAFT, type World } from "./support/world.ts";

/** The limiter in real time, against a stand-in that counts what arrives. Shops of their own let the tests run side by side. */

let world: World;

beforeAll(async () => {
  world = await startWorld({ graceMs: 300, standIn: { retryAfter: "absent" } });
});
afterAll(() => world.stop());

const arrivals = (n: number) =>
  world.standIn.report().arrivals[`test:test-client-${n}`] ?? { total: 0, mostInSecond: 0 };
const kindOf = (error: unknown) => (isAppError(error) ? error.kind : error);

// One block, so that they run side by side.
describe("the limiter in real time", () => {
  test.concurrent(
    "at most two requests of a shop arrive in any sliding second: under a delay that varies, tokens included",
    async () => {
      world.standIn.faults.set({ kind: "slow", clientId: "test-client-1", way: "in", delayMs: [0, 300] });
      const account = world.account(1);
      await Promise.all(Array.from({ length: 9 }, () => account.listPage({ priority: "sync", page: 1 })));
      expect(arrivals(1)).toMatchObject({ total: 10, mostInSecond: 2 });
    },
  );

  test.concurrent(
    "at most two requests of a shop arrive in any sliding second: after a reset the slot rests for a second and the grace",
    async () => {
      world.standIn.faults.set({ kind: "reset", clientId: "test-client-2", operations: ["create"] });
      const account = world.account(2);
      await account.listPage({ ...INTERACTIVE, page: 1 });
      await pause(1_010);
      const startMs = performance.now();
      const both = await Promise.all([1, 2].map(() => account.create(DRAFT, WRITE).catch(kindOf)));
      expect(both).toEqual(["transport", "transport"]);
      await account.listPage({ ...INTERACTIVE, page: 1 });
      expect(performance.now() - startMs).toBeGreaterThan(1_300);
      expect(arrivals(2).mostInSecond).toBe(2);
    },
  );

  test.concurrent(
    "at most two requests of a shop arrive in any sliding second: two shops with the same credentials share one budget",
    async () => {
      const accounts = ["a", "b"].map((shop) => world.service.account(world.connect(3, { shop })));
      await Promise.all(
        accounts.flatMap((account) => [1, 2, 3].map(() => account.listPage({ ...INTERACTIVE, page: 1 }))),
      );
      expect(arrivals(3)).toMatchObject({ total: 8, mostInSecond: 2 });
    },
  );

  test.concurrent(
    "at most two requests of a shop arrive in any sliding second: a shop that tries other credentials has no second budget",
    async () => {
      const shop = "swap.myshopify.com";
      const account = world.service.account(world.connect(4, { shop }));
      const { credentials } = world.tokens.rows.get(world.connect(5, { shop }).id)!;
      const startMs = performance.now();
      await Promise.all([
        account.listPage({ ...INTERACTIVE, page: 1 }),
        account.listPage({ ...INTERACTIVE, page: 1 }),
        world.service.obtainToken(credentials!, INTERACTIVE),
        world.service.obtainToken(credentials!, INTERACTIVE),
      ]);
      // Five requests in all: the last one cannot leave before two seconds are over.
      expect(arrivals(4).total + arrivals(5).total).toBe(5);
      expect(performance.now() - startMs).toBeGreaterThan(2_000);
    },
  );

  test.concurrent("an interactive call overtakes everything that waits", async () => {
    const account = world.account(6);
    const order: string[] = [];
    const call = (priority: "reconcile" | "interactive") =>
      account.listPage({ priority, page: 1 }).then(() => order.push(priority));
    const background = Array.from({ length: 6 }, () => call("reconcile"));
    await pause(100);
    await Promise.all([call("interactive"), ...background]);
    expect(order.indexOf("interactive")).toBeLessThanOrEqual(2);
  });

  test.concurrent("a call whose caller leaves leaves the line at once and is never sent", async () => {
    const ref = world.connect(7);
    const account = world.service.account(ref);
    const held = [1, 2].map(() => account.listPage({ ...INTERACTIVE, page: 1 }));
    await Promise.all(held);
    const leaving = new AbortController();
    const calls = Array.from({ length: 50 }, () =>
      account.listPage({ ...INTERACTIVE, page: 1, signal: leaving.signal }).catch(kindOf),
    );
    await pause(20);
    // Read in one breath with the departure: a call that has its slot may still be on its way to the service.
    const waitedBefore = world.service.budget(ref.shop).waiting.interactive;
    leaving.abort();
    expect(new Set(await Promise.all(calls)).has("cancelled")).toBe(true);
    expect(waitedBefore).toBeGreaterThan(40);
    expect(world.service.budget(ref.shop).waiting.interactive).toBe(0);
    const startMs = performance.now();
    await account.listPage({ ...INTERACTIVE, page: 1 });
    // A slot's second, and what a busy machine adds; behind the fifty it would be 25 s.
    expect(performance.now() - startMs).toBeLessThan(5_000);
    const [token, leftTheLine, theLastOne] = [1, calls.length - waitedBefore, 1];
    expect(arrivals(7).total).toBeLessThanOrEqual(token + held.length + leftTheLine + theLastOne);
  });

  test.concurrent("a 429 pauses the budget as long as it says, then the call succeeds", async () => {
    const ref = world.connect(8);
    world.standIn.faults.set({
      kind: "too-many",
      clientId: ref.clientId,
      operations: ["create"],
      next: 1,
      retryAfter: 2,
    });
    const account = world.service.account(ref);
    await account.listPage({ ...INTERACTIVE, page: 1 });
    let commits = 0;
    const startMs = performance.now();
    const create = account.create(DRAFT, { ...WRITE, beforeSend: async () => void (commits += 1) });
    await pause(1_500);
    expect(world.service.budget(ref.shop).pausedUntilMs).toBeGreaterThan(Date.now());
    expect(await create).toMatchObject({ kind: "written" });
    expect(performance.now() - startMs).toBeGreaterThan(2_000);
    expect(commits).toBe(2);
    expect(world.standIn.templates(ref.clientId)).toHaveLength(1);
  });
});

test("shops whose calls are over take no memory", async () => {
  v8.setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc") as () => void;
  const heapAfter = async (names: string[]) => {
    const line = createBottleneckLine();
    await Promise.all(names.map((shop) => line.enter({ shop, client: shop, priority: "sync" }, async () => undefined)));
    await pause(50);
    collect();
    return { line, bytes: process.memoryUsage().heapUsed };
  };
  await heapAfter(["warm"]);
  const before = await heapAfter(["one"]);
  const after = await heapAfter(Array.from({ length: 1_000 }, (_, index) => `shop-${index}`));
  // A limiter that stayed would be more than 5 kB a shop.
  expect(after.bytes - before.bytes).toBeLessThan(1_500_000);
});

test("at boot the budget opens a second and the grace later, and on close what waits is refused", async () => {
  const startMs = performance.now();
  const service = world.restart(false);
  const account = service.account(world.connect(10));
  await account.listPage({ ...INTERACTIVE, page: 1 });
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(1_300);
  const late = Promise.all([1, 2, 3].map(() => account.listPage({ ...INTERACTIVE, page: 1 }).catch(kindOf)));
  await pause(10);
  await service.close();
  expect(await late).toContain("cancelled");
  expect(await account.listPage({ ...INTERACTIVE, page: 1 }).catch(kindOf)).toBe("cancelled");
});
