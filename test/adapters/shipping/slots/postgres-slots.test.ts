import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClock } from "../../../../app/adapters/machine/clock.ts";
import type { Budget, Place, Slot } from "../../../../app/adapters/shipping/budget-core.ts";
import type { Permit, Slots } from "../../../../app/adapters/shipping/slots/slots.ts";
import { createTurns, type Give } from "../../../../app/adapters/shipping/slots/turns.ts";
import { AppError, isAppError } from "../../../../app/domain/errors.ts";
import type { Priority } from "../../../../app/ports.ts";
import { mostInSecond } from "../../../contracts/line/arrivals.ts";
import { connectionRecord, shopRecord } from "../../../fakes/records.ts";
import { freshPostgres, type FreshPostgres } from "../../store/postgresql/fresh-postgres.ts";
import { openPostgres } from "../../store/postgresql/open-postgres.ts";
import { virtualClock } from "../support/virtual-clock.ts";
import { budgetOn } from "./budget-on-postgres.ts";

/** Slots of several processes on one database, as budgets see them. What only a process that dies shows is in cluster.test.ts. */

const GRACE_MS = 300;

let database: FreshPostgres;
let sql: pg.Pool;
const opened: { budget: Budget }[] = [];
beforeAll(async () => {
  database = await freshPostgres();
  sql = new pg.Pool({ connectionString: database.url, max: 4 });
  // The database is dropped while the last connections still close.
  sql.on("error", () => undefined);
});
afterAll(async () => {
  await Promise.all(opened.map(({ budget }) => budget.close()));
  await sql.end();
  await database.remove();
});

/** A process of its own, as far as the database can tell. */
function process(clock = createClock()): { budget: Budget; slots: Slots } {
  const one = budgetOn(database.url, { graceMs: GRACE_MS, clock });
  opened.push(one);
  return one;
}

const place = (own: string, over: Partial<Place> = {}): Place => ({
  shop: `shop ${own}`,
  client: `test ${own}`,
  priority: "sync",
  ...over,
});
const kindOf = (error: unknown) => (isAppError(error) ? error.kind : error);
const answered = async (slot: Slot) => {
  slot.sending();
  slot.answered();
};

async function permit(slots: Slots, own: string): Promise<Permit> {
  const taken = await slots.take({ ...place(own), sinceMs: performance.now() });
  if (!("give" in taken)) throw new Error(`refused for ${taken.waitMs} ms`);
  return taken;
}

test("keys that nobody has used for long are forgotten, and are there again when somebody asks", async () => {
  const one = await freshPostgres();
  const beside = new pg.Client(one.url);
  await beside.connect();
  await beside.query(`INSERT INTO budget.key ("key") VALUES ('shop old'), ('shop new')`);
  await beside.query(`UPDATE budget.key SET "free_0" = now() WHERE "key" = 'shop new'`);
  expect((await beside.query("SELECT budget.forget_idle(60000) AS gone")).rows).toEqual([{ gone: 1 }]);
  await beside.end();
  const { budget } = budgetOn(one.url, { graceMs: GRACE_MS });
  await budget.use(place("old"), answered);
  await budget.close();
  await one.remove();
});

describe("two processes", () => {
  test.concurrent("share a shop's two slots, and both have their part", async () => {
    const counts = [0, 0];
    const arrivals: number[] = [];
    const endMs = performance.now() + 6_000;
    await Promise.all(
      [process(), process()].flatMap(({ budget }, index) =>
        [1, 2, 3].map(async () => {
          while (performance.now() < endMs) {
            await budget.use(place("shared"), async (slot) => {
              slot.sending();
              await delay(Math.random() * 100);
              arrivals.push(performance.now());
              counts[index]! += 1;
              await delay(Math.random() * 100);
              slot.answered();
            });
          }
        }),
      ),
    );
    expect(mostInSecond(arrivals)).toBe(2);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(4);
  });

  test.concurrent("let the more urgent call of the one go before the other's background work", async () => {
    const [mine, theirs] = [process(), process()];
    const order: Priority[] = [];
    const call = ({ budget }: { budget: Budget }, priority: Priority) =>
      budget.use(place("urgent", { priority }), async (slot) => {
        order.push(priority);
        await answered(slot);
      });
    await Promise.all([call(mine, "sync"), call(mine, "sync")]);
    const background = [1, 2, 3, 4, 5, 6].map(() => call(mine, "reconcile"));
    await delay(300);
    await Promise.all([...background, call(theirs, "interactive")]);
    expect(order.slice(2).indexOf("interactive")).toBeLessThanOrEqual(1);
  });

  test.concurrent(
    "stand still together after a 429, however often a process begins anew, and for longer each time",
    async ({ expect }) => {
      const at = place("paused");
      const [first, second] = [process(), process()];
      const untilMs: number[] = [];
      for (const { budget } of [first, second, first]) {
        const sentAtMonotonicMs = performance.now();
        budget.pause(at, { ms: null, sentAtMonotonicMs });
        await expect
          .poll(
            async () =>
              (await sql.query(`SELECT max("strikes") AS n FROM budget.key WHERE "key" LIKE '%paused'`)).rows[0].n,
          )
          .toBe(untilMs.length + 1);
        const third = process();
        await third.budget.use(at, async () => void untilMs.push(performance.now() - sentAtMonotonicMs));
      }
      untilMs.forEach((ms, index) => expect(ms).toBeGreaterThanOrEqual(1_000 * 2 ** index - 5));
      await first.budget.use(at, async (slot) => {
        slot.sending();
        first.budget.flowing(at);
        slot.answered();
      });
      await expect
        .poll(
          async () =>
            (await sql.query(`SELECT max("strikes") AS n FROM budget.key WHERE "key" LIKE '%paused'`)).rows[0].n,
        )
        .toBe(0);
    },
  );

  test.concurrent("close what they have, so that the next one need not wait for it", async () => {
    const leaving = budgetOn(database.url, { graceMs: GRACE_MS });
    await Promise.all([1, 2].map(() => leaving.budget.use(place("leaving"), answered)));
    await leaving.budget.close();
    const beganMs = performance.now();
    await process().budget.use(place("leaving"), answered);
    expect(performance.now() - beganMs).toBeLessThan(3_000);
  });
});

describe("a permit", () => {
  test.concurrent("is too old for any byte once the machine slept over it, or its wall clock went ahead", async () => {
    const clock = createClock();
    let aheadMs = 0;
    const { slots } = process({ ...clock, machineMs: () => clock.machineMs() + aheadMs } as typeof clock);
    const taken = await permit(slots, "old");
    expect(taken.isFresh()).toBe(true);
    aheadMs = 5_001;
    expect(taken.isFresh()).toBe(false);
    expect(await taken.renew()).toBe(true);
    expect(taken.isFresh()).toBe(true);
    await taken.give(performance.now());
  });

  test.concurrent("is lost once somebody else has had its slot", async ({ expect }) => {
    const { slots } = process();
    const taken = await permit(slots, "lost");
    await sql.query(`UPDATE budget.key SET "token_0" = "token_0" + 1 WHERE "key" = 'shop shop lost'`);
    expect(await taken.renew()).toBe(false);
    expect(taken.isFresh()).toBe(false);
    await taken.give(performance.now());
  });
});

test("a call over a connection that another process has changed is superseded before it has a slot", async () => {
  const store = await openPostgres(database.url, { exclusive: false });
  const { shop } = shopRecord();
  await store.shops.insert(shopRecord());
  await store.connections.insert(connectionRecord({ id: "changed", shop, version: 4 }));
  const { budget } = process();
  const call = (version: number) =>
    budget.use(place("changed", { connection: { id: "changed", version } }), async () => "sent").catch(kindOf);
  expect(await call(4)).toBe("sent");
  await store.connections.update({ id: "changed" }, { version: 5 });
  expect(await Promise.all([call(4), call(5)])).toEqual(["superseded", "sent"]);
  await store.close();
});

test("after a crash of the server, which empties the tables, nobody sends for as long as anything may be under way", async () => {
  const one = await freshPostgres();
  await one.query("TRUNCATE budget.epoch, budget.key");
  const { budget } = budgetOn(one.url, { graceMs: GRACE_MS });
  const leaving = new AbortController();
  const call = budget.use(place("crashed", { signal: leaving.signal }), async () => "sent").catch(kindOf);
  await expect.poll(() => budget.state("any shop").pausedUntilMs).not.toBeNull();
  const leftMs = budget.state("any shop").pausedUntilMs! - Date.now();
  // 5 s to the bytes, 10 s for the request, the grace, a second.
  expect(leftMs).toBeGreaterThan(15_000);
  expect(leftMs).toBeLessThan(16_500);
  leaving.abort();
  expect(await call).toBe("cancelled");
  await budget.close();
  await one.remove();
});

describe("a database that does not answer", () => {
  const gives: Give[] = [{ key: "k", place: 0, token: "1", freeAtMs: 0, flows: false }];

  test("ends calls with a clear fault after a while, and takes what was given back once it answers again", async () => {
    const clock = virtualClock();
    let answers = false;
    const given: Give[] = [];
    const turns = createTurns<string, string>({
      clock,
      forgetAfterMs: 60_000,
      failed: () => undefined,
      run: async (batch) => {
        if (!answers) throw new AppError({ kind: "internal", message: "gone" });
        given.push(...batch.gives);
        return batch.asks.map(() => "taken");
      },
    });
    turns.give(gives);
    const ends: unknown[] = [];
    const ask = () =>
      turns.ask("ask").then(
        (end) => ends.push(end),
        (error: unknown) => ends.push(kindOf(error)),
      );
    void ask();
    await clock.run(1_000);
    void ask();
    await clock.run(11_000);
    void ask();
    await clock.run(12_000);
    answers = true;
    void ask();
    await clock.run(13_000);
    expect(ends).toEqual([null, null, "internal", "taken"]);
    expect(given).toEqual(gives);
    expect(turns.isIdle()).toBe(true);
  });
});
