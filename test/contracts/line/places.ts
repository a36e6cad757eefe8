import { expect, test } from "vitest";
import type { Line } from "../../../app/adapters/shipping/budget-core.ts";
import { PRIORITIES } from "../../../app/ports.ts";
import type { Priority } from "../../../app/ports.ts";
import { createSeededRandom } from "../../fakes/random.ts";
import { frozenTime } from "./frozen-time.ts";

/** A line may take a few turns of the event loop, which its own timers count in milliseconds, to let the next one in. */
const TURNS_MS = 5;

interface Asked {
  shop?: string;
  client?: string;
  priority?: Priority;
  /** How long the job holds its places. */
  holdsMs?: number;
}

export function placesContract(createLine: () => Line): void {
  const { clock, pass } = frozenTime();

  /** A line with a record of who was in it when. */
  function observed() {
    const line = createLine();
    const inside = new Map<string, number>();
    const entered: { name: string; atMs: number }[] = [];
    let most = 0;
    let ended = 0;
    const count = (key: string, by: number) => {
      inside.set(key, (inside.get(key) ?? 0) + by);
      most = Math.max(most, inside.get(key)!);
    };
    const enter = (name: string, { shop = "s", client = "c", priority = "sync", holdsMs = 100 }: Asked = {}) => {
      const keys = [`shop ${shop}`, `client ${client}`];
      const over = line.enter({ shop, client, priority }, async () => {
        keys.forEach((key) => count(key, 1));
        entered.push({ name, atMs: clock.monotonicMs() });
        if (holdsMs > 0) await clock.sleep(holdsMs);
        keys.forEach((key) => count(key, -1));
      });
      return over.then(() => void (ended += 1));
    };
    return {
      enter,
      entered,
      names: () => entered.map(({ name }) => name),
      most: () => most,
      ended: () => ended,
    };
  }

  test("two of a shop and two of a client hold a place at once, never three, and every job has its turn once", async () => {
    const { enter, names, most, ended } = observed();
    const random = createSeededRandom(7);
    const jobs = 400;
    for (let job = 0; job < jobs; job += 1) {
      setTimeout(
        () =>
          void enter(`job ${job}`, {
            shop: `s${random.between(0, 3)}`,
            client: `c${random.between(0, 2)}`,
            priority: random.pick([...PRIORITIES]),
            holdsMs: random.pick([0, 0, 1, 40, 1_005]),
          }),
        random.between(0, 20_000),
      );
    }
    await pass(600_000);
    expect(most()).toBe(2);
    expect(ended()).toBe(jobs);
    expect(new Set(names()).size).toBe(jobs);
    expect(names()).toHaveLength(jobs);
  });

  test("a place is free when its job's promise ends, however long that takes, and not before", async () => {
    const { enter, entered } = observed();
    const holds = { "an hour": 3_600_000, "half an hour": 1_800_000, third: 100, fourth: 7_200_000, fifth: 100 };
    for (const [name, holdsMs] of Object.entries(holds)) {
      void enter(name, { holdsMs });
      await pass(TURNS_MS);
    }
    await pass(4 * 3_600_000);
    const endOf = (name: keyof typeof holds) => entered.find((each) => each.name === name)!.atMs + holds[name];
    const followed: [keyof typeof holds, keyof typeof holds][] = [
      ["half an hour", "third"],
      ["third", "fourth"],
      ["an hour", "fifth"],
    ];
    for (const [first, next] of followed) {
      const lateMs = endOf(next) - holds[next] - endOf(first);
      expect(lateMs, `${next} follows ${first}`).toBeGreaterThanOrEqual(0);
      expect(lateMs, `${next} follows ${first}`).toBeLessThanOrEqual(TURNS_MS);
    }
    expect(entered).toHaveLength(5);
  });

  test("the most urgent goes first: interactive, sync, verification, reconcile; and among equals the one that came first", async () => {
    const { enter, names } = observed();
    for (const name of ["held 1", "held 2"]) void enter(name, { priority: "reconcile" });
    await pass(TURNS_MS);
    const asked = PRIORITIES.toReversed().flatMap((priority) =>
      [1, 2, 3].map((nth) => ({ name: `${priority} ${nth}`, priority })),
    );
    for (const { name, priority } of asked) {
      void enter(name, { priority });
      await pass(1);
    }
    await pass(5_000);
    const inTurn = PRIORITIES.flatMap((priority) => [1, 2, 3].map((nth) => `${priority} ${nth}`));
    expect(names()).toEqual(["held 1", "held 2", ...inTurn]);
  });

  test("a hundred equals go in the order in which they came", async () => {
    const { enter, names } = observed();
    const asked = Array.from({ length: 100 }, (_, nth) => `job ${nth}`);
    for (const name of asked) void enter(name, { holdsMs: 10 });
    await pass(2_000);
    expect(names()).toEqual(asked);
  });

  test("who comes late and is more urgent overtakes a backlog, but nobody who is inside", async () => {
    const { enter, entered } = observed();
    for (let nth = 0; nth < 50; nth += 1) void enter(`backlog ${nth}`, { priority: "reconcile", holdsMs: 1_005 });
    await pass(500);
    void enter("late", { priority: "interactive" });
    await pass(60_000);
    const late = entered.findIndex(({ name }) => name === "late");
    expect(late).toBe(2);
    expect(entered[late]!.atMs - entered[0]!.atMs).toBeLessThanOrEqual(1_005 + TURNS_MS);
  });

  test("shops of one client share its two places, the most urgent first; a shop of another client waits for none of them", async () => {
    const { enter, names } = observed();
    for (const name of ["a1", "a2"]) void enter(name, { shop: "a", client: "shared" });
    await pass(TURNS_MS);
    void enter("b", { shop: "b", client: "shared", priority: "reconcile" });
    void enter("d", { shop: "d", client: "shared", priority: "verification" });
    void enter("e", { shop: "e", client: "shared", priority: "interactive" });
    void enter("apart", { shop: "apart", client: "own", priority: "reconcile" });
    await pass(TURNS_MS);
    expect(names()).toEqual(["a1", "a2", "apart"]);
    await pass(1_000);
    expect(names()).toEqual(["a1", "a2", "apart", "e", "d", "b"]);
  });

  test("a shop's background work that waits for a client's place lets its own urgent call not stay behind another shop's backlog", async () => {
    const { enter, entered } = observed();
    for (let nth = 0; nth < 40; nth += 1) void enter(`busy ${nth}`, { shop: "busy", holdsMs: 1_005 });
    for (let nth = 0; nth < 40; nth += 1) void enter(`busier ${nth}`, { shop: "busier", holdsMs: 1_005 });
    for (let nth = 0; nth < 4; nth += 1)
      void enter(`quiet ${nth}`, { shop: "quiet", priority: "reconcile", holdsMs: 1_005 });
    await pass(1_500);
    const askedAtMs = clock.monotonicMs();
    void enter("urgent", { shop: "quiet", priority: "interactive" });
    await pass(100_000);
    const urgent = entered.find(({ name }) => name === "urgent")!;
    // A second for what is inside, one for the two of its own shop that stand in the client's line, and one should the client's places
    // have been passed on before the shop's was: the backlog would take 80.
    expect(urgent.atMs - askedAtMs).toBeLessThanOrEqual(3 * (1_005 + TURNS_MS));
  });

  test("a shop that had been idle is no freer than before, whenever its last job ended", async () => {
    const { enter, most, ended } = observed();
    const random = createSeededRandom(11);
    const jobs = 300;
    for (let job = 0; job < jobs; job += 1) {
      void enter(`job ${job}`, { client: `c${job}`, holdsMs: random.pick([20, 20, 20, 90]) });
      // The last one ends right now, in a moment, or ended a moment ago; another may still be inside.
      await pass(random.between(6, 24));
    }
    await pass(10_000);
    expect(ended()).toBe(jobs);
    expect(most()).toBe(2);
  });

  test("a job that ends at once passes its places on", async () => {
    const { enter, names } = observed();
    void enter("held 1", { holdsMs: 1_000 });
    void enter("held 2", { holdsMs: 1_000 });
    for (let nth = 0; nth < 50; nth += 1) void enter(`empty ${nth}`, { holdsMs: 0 });
    void enter("behind them", { holdsMs: 0 });
    await pass(1_000 + 60 * TURNS_MS);
    expect(names()).toHaveLength(53);
    expect(names().at(-1)).toBe("behind them");
  });
}
