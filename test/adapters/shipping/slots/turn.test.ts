import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

interface Turn {
  own: string;
  gives?: { key: string; place: number; token: string; rest: number }[];
  asks?: { rank?: number; waited?: number; who?: number }[];
  hold?: number;
}

/** A turn as a process takes it. */
async function turn({ own, gives = [], asks = [], hold = 18_000 }: Turn) {
  const { rows } = await sql.query<Record<string, number | string | boolean | null>>(
    "SELECT * FROM budget.turn($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15)",
    [
      hold,
      0,
      200,
      gives.map(({ key }) => key),
      gives.map((give) => give.place),
      gives.map(({ token }) => token),
      gives.map(({ rest }) => rest),
      gives.map(() => true),
      asks.map(() => `shop ${own}`),
      asks.map(() => `client ${own}`),
      asks.map(({ rank = 1 }) => rank),
      asks.map(({ waited = 0 }) => waited),
      asks.map(({ who = 1 }, index) => who + index),
      asks.map(() => null),
      asks.map(() => null),
    ],
  );
  return rows;
}

describe("a turn", () => {
  test.concurrent("takes two slots of a key and refuses a third", async () => {
    const rows = await turn({ own: "three", asks: [{}, {}, {}] });
    expect(rows.map(({ wait_ms }) => wait_ms)).toEqual([null, null, 200]);
  });

  test.concurrent(
    "gives a slot back to whoever asks next, and a give of an earlier holder changes nothing",
    async () => {
      const own = "fenced";
      const [first] = await turn({ own, asks: [{}, {}] });
      const give = { key: `shop ${own}`, place: Number(first!.shop_place), token: String(first!.shop_token), rest: 0 };
      const clients = {
        key: `client ${own}`,
        place: Number(first!.client_place),
        token: String(first!.client_token),
        rest: 0,
      };
      const [again] = await turn({ own, gives: [give, clients], asks: [{ who: 7 }] });
      expect(again!.wait_ms).toBeNull();
      const [late] = await turn({ own, gives: [give, clients], asks: [{ who: 8 }] });
      expect(late!.wait_ms).toBe(200);
    },
  );

  test.concurrent("has the slots of a holder that never came back once their time is over", async ({ expect }) => {
    const own = "killed";
    await turn({ own, asks: [{}, {}], hold: 300 });
    const [refused] = await turn({ own, asks: [{ who: 5 }], hold: 300 });
    expect(refused!.wait_ms).toBeLessThanOrEqual(300);
    await expect.poll(async () => (await turn({ own, asks: [{ who: 5 }], hold: 300 }))[0]!.wait_ms).toBeNull();
  });

  test.concurrent(
    "lets nobody less urgent, or who waits for less long, overtake whoever stands at the head",
    async () => {
      const own = "head";
      const [first] = await turn({ own, asks: [{}, {}] });
      await turn({ own, asks: [{ who: 50, rank: 1, waited: 1_000 }] });
      const give = (key: "shop" | "client") => ({
        key: `${key} ${own}`,
        place: Number(first![`${key}_place`]),
        token: String(first![`${key}_token`]),
        rest: 0,
      });
      const ask = async (who: number, rank: number, waited: number) =>
        (await turn({ own, asks: [{ who, rank, waited }] }))[0]!.wait_ms;
      await turn({ own, gives: [give("shop"), give("client")] });
      expect(await ask(60, 2, 9_000)).not.toBeNull();
      expect(await ask(60, 1, 10)).not.toBeNull();
      expect(await ask(50, 1, 1_001)).toBeNull();
    },
  );

  test.concurrent("does not keep a slot for a head that never asks again", async ({ expect }) => {
    const own = "gone";
    const [first] = await turn({ own, asks: [{}, {}] });
    await turn({ own, asks: [{ who: 50, rank: 0 }] });
    const gives = (["shop", "client"] as const).map((key) => ({
      key: `${key} ${own}`,
      place: Number(first![`${key}_place`]),
      token: String(first![`${key}_token`]),
      rest: 0,
    }));
    await turn({ own, gives });
    await expect.poll(async () => (await turn({ own, asks: [{ who: 60, rank: 3 }] }))[0]!.wait_ms).toBeNull();
  });

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
