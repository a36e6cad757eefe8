import { describe, expect, test } from "vitest";

/** What a turn of the budget takes, gives and refuses, of PostgreSQL's function and of the one in memory. */

type Query = (text: string, values: unknown[]) => Promise<Record<string, unknown>[]>;

interface Turn {
  own: string;
  gives?: { key: string; place: number; token: string; rest: number }[];
  asks?: { rank?: number; waited?: number; who?: number }[];
  hold?: number;
}

/** A turn as a process takes it. */
export async function turnOn(query: Query, { own, gives = [], asks = [], hold = 18_000 }: Turn) {
  return query("SELECT * FROM budget.turn($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15)", [
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
  ]);
}

/** Each test has keys of its own. */
export function describeTurns(query: Query): void {
  const turn = (asked: Turn) => turnOn(query, asked);

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
        const give = {
          key: `shop ${own}`,
          place: Number(first!.shop_place),
          token: String(first!.shop_token),
          rest: 0,
        };
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
  });
}
