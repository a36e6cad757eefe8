import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClock } from "../../../../app/adapters/machine/clock.ts";
import type { Budget } from "../../../../app/adapters/shipping/budget-core.ts";
import type { Slots } from "../../../../app/adapters/shipping/slots/slots.ts";
import type { Priority } from "../../../../app/ports.ts";
import { mostInSecond } from "../../../contracts/line/arrivals.ts";
import { freshPostgres, type FreshPostgres } from "../../store/postgresql/fresh-postgres.ts";
import { answered, budgetOn, kindOf, place } from "./budget-on-postgres.ts";

/** Two processes' budgets on one database. What only a process that dies shows is in cluster.test.ts. */

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
    "let no interactive call stand behind its own process's background work, which other processes' work keeps waiting",
    async () => {
      const [mine, theirs] = [process(), process()];
      const end = new AbortController();
      const busy = [1, 2, 3, 4].map(async () => {
        while (!end.signal.aborted) await theirs.budget.use(place("inverted"), answered);
      });
      await delay(1_200);
      const waits = [1, 2, 3, 4].map(() =>
        mine.budget.use(place("inverted", { priority: "reconcile", signal: end.signal }), answered).catch(kindOf),
      );
      await delay(1_200);
      const beganMs = performance.now();
      await mine.budget.use(place("inverted", { priority: "interactive" }), answered);
      expect(performance.now() - beganMs).toBeLessThan(3_000);
      end.abort();
      await Promise.all([...busy, ...waits]);
    },
  );

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
