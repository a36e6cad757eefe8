import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeTurns, turnOn } from "../../../contracts/turns.ts";
import { freshPostgres, type FreshPostgres } from "../../store/postgresql/fresh-postgres.ts";

/** The database's own part of the budget: what a turn takes, gives and refuses. */

let database: FreshPostgres;
let sql: pg.Pool;
beforeAll(async () => {
  database = await freshPostgres();
  sql = new pg.Pool({ connectionString: database.url, max: 4 });
  // The database is dropped while the last connections still close.
  sql.on("error", () => undefined);
});
afterAll(async () => {
  await sql.end();
  await database.remove();
});

const query = async (text: string, values: unknown[]) => (await sql.query<Record<string, unknown>>(text, values)).rows;
const turn = (asked: Parameters<typeof turnOn>[1]) => turnOn(query, asked);

describeTurns(query);

describe("a turn over the database", () => {
  test.concurrent("does not wait for a time that only a clock set back can have written", async ({ expect }) => {
    const own = "set back";
    await turn({ own, asks: [{}] });
    await sql.query(
      `UPDATE budget.key SET "free_0" = now() + interval '1 hour', "free_1" = now() + interval '1 hour' WHERE "key" LIKE '% set back'`,
    );
    await turn({ own, asks: [{ who: 5 }], hold: 100 });
    await expect.poll(async () => (await turn({ own, asks: [{ who: 5 }], hold: 100 }))[0]!.wait_ms).toBeNull();
  });

  test.concurrent(
    "of many processes beside each other never ends in a circle, and never gives a slot twice",
    async () => {
      const clients = await Promise.all(
        Array.from({ length: 6 }, async () => {
          const client = new pg.Client(database.url);
          await client.connect();
          return client;
        }),
      );
      const taken: string[] = [];
      await Promise.all(
        clients.map(async (client, who) => {
          for (let round = 0; round < 40; round += 1) {
            const keys = Array.from({ length: 12 }, () => Math.floor(Math.random() * 20));
            const { rows } = await client.query<Record<string, number>>(
              "SELECT * FROM budget.turn(18000,0,200,'{}','{}','{}','{}','{}',$1,$2,$3,$3,$4,$5,$3)",
              [
                keys.map((key) => `shop circle ${key}`),
                keys.map((key) => `client circle ${(key * 7) % 20}`),
                keys.map(() => 0),
                keys.map((_, index) => who * 1_000 + index),
                keys.map(() => null),
              ],
            );
            rows.forEach((row, index) => {
              if (row.wait_ms === null) taken.push(`${keys[index]} ${row.shop_place}`);
            });
          }
        }),
      );
      await Promise.all(clients.map((client) => client.end()));
      expect(new Set(taken).size).toBe(taken.length);
      expect(taken.length).toBeGreaterThan(20);
    },
  );
});
