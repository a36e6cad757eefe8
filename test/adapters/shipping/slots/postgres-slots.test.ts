import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClock } from "../../../../app/adapters/machine/clock.ts";
import type { Budget } from "../../../../app/adapters/shipping/budget-core.ts";
import type { Permit, Slots } from "../../../../app/adapters/shipping/slots/slots.ts";
import { createTurns, type Give } from "../../../../app/adapters/shipping/slots/turns.ts";
import { AppError } from "../../../../app/domain/errors.ts";
import { connectionRecord, shopRecord } from "../../../fakes/records.ts";
import { freshPostgres, type FreshPostgres } from "../../store/postgresql/fresh-postgres.ts";
import { openPostgres } from "../../store/postgresql/open-postgres.ts";
import { virtualClock } from "../support/virtual-clock.ts";
import { answered, budgetOn, kindOf, place } from "./budget-on-postgres.ts";

/** Slots in the database, as one budget sees them. */

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

test("when the server's clock is set ahead, nobody uses what it then calls free", async () => {
  const one = await freshPostgres();
  let aheadMs = 0;
  const { slots, log, budget } = budgetOn(one.url, {
    graceMs: GRACE_MS,
    through: (real) => ({
      ...real,
      async turn<R extends pg.QueryResultRow>(text: string, values: unknown[]) {
        const rows = await real.turn<R>(text, values);
        return rows.map((row) => ("now_ms" in row ? { ...row, now_ms: Number(row.now_ms) + aheadMs } : row));
      },
    }),
  });
  const ask = () => slots.take({ ...place("ahead"), sinceMs: performance.now() });
  const first = await ask();
  expect(first).toHaveProperty("give");
  aheadMs = 3_600_000;
  expect(await ask()).toHaveProperty("waitMs");
  // Everybody waits, whoever noticed it.
  const other = budgetOn(one.url, { graceMs: GRACE_MS });
  const refused = await other.slots.take({ ...place("another"), sinceMs: performance.now() });
  expect("waitMs" in refused && refused.waitMs).toBeGreaterThan(15_000);
  expect(log.lines.map(({ fields }) => String(fields.error))).toEqual([
    expect.stringContaining("the clock of the database's server was set ahead"),
  ]);
  await (first as Permit).give(performance.now());
  await Promise.all([budget.close(), other.budget.close()]);
  await one.remove();
});
