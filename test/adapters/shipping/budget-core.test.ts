import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBudget, type Place } from "../../../app/adapters/shipping/budget-core.ts";
import type { Slot } from "../../../app/adapters/shipping/slots/slot-use.ts";
import { isAppError } from "../../../app/domain/errors.ts";
import { PRIORITIES } from "../../../app/ports.ts";
import { mostInSecond } from "../../contracts/line/arrivals.ts";
import { createSeededRandom } from "../../fakes/random.ts";
import { createSemaphoreLine } from "../../fakes/semaphore-line.ts";
import { virtualClock, type VirtualClock } from "./support/virtual-clock.ts";

/**
 * The budget's core on virtual time, without Bottleneck: hours of traffic, every interleaving drawn from a seed.
 *
 * Long, because the proof of the rate is one argument: every rule of a slot stands beside the property that rests on it.
 */

const GRACE_MS = 2_000;

function budgetOn(clock: VirtualClock, over: Partial<Parameters<typeof createBudget>[0]> = {}) {
  const random = createSeededRandom(1);
  return createBudget({ clock, random, line: createSemaphoreLine(), graceMs: GRACE_MS, openAtOnce: true, ...over });
}

const place = (over: Partial<Place> = {}): Place => ({ shop: "s", client: "c", priority: "sync", ...over });

/** What the network does to one request. */
interface Exchange {
  wayInMs: number;
  wayOutMs: number;
  /** The answer is lost: the client gives up after `wayInMs`, and the request arrives up to the grace later. */
  brokenLateMs: number | null;
}

interface CallOutcome extends Exchange {
  /** Another exchange on the same slot, after one that was answered. */
  second: Exchange | null;
  askedAtMs: number;
  shop: number;
  client: number;
  priority: number;
}

const exchange = {
  wayInMs: fc.integer({ min: 0, max: 400 }),
  wayOutMs: fc.integer({ min: 0, max: 400 }),
  brokenLateMs: fc.option(fc.integer({ min: 0, max: GRACE_MS }), { freq: 8 }),
};

const outcome: fc.Arbitrary<CallOutcome> = fc.record({
  ...exchange,
  second: fc.option(fc.record(exchange), { freq: 2 }),
  askedAtMs: fc.integer({ min: 0, max: 8_000 }),
  shop: fc.integer({ min: 0, max: 1 }),
  client: fc.integer({ min: 0, max: 2 }),
  priority: fc.integer({ min: 0, max: 3 }),
});

test("no sliding second holds more than two arrivals, of a shop or of a client, whatever the network does", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(outcome, { minLength: 20, maxLength: 60 }), async (outcomes) => {
      const clock = virtualClock();
      const budget = budgetOn(clock);
      const arrivals = new Map<string, number[]>();
      const arrive = (at: Place) => {
        for (const key of [`shop ${at.shop}`, `client ${at.client}`]) {
          arrivals.set(key, [...(arrivals.get(key) ?? []), clock.monotonicMs()]);
        }
      };
      let ended = 0;
      /** Whether it was answered. */
      const exchange = async (at: Place, slot: Slot, { wayInMs, wayOutMs, brokenLateMs }: Exchange) => {
        slot.sending();
        await clock.sleep(wayInMs);
        if (brokenLateMs !== null) {
          clock.after(brokenLateMs, () => arrive(at));
          return false;
        }
        arrive(at);
        await clock.sleep(wayOutMs);
        slot.answered();
        return true;
      };
      for (const { askedAtMs, second, shop, client, priority, ...first } of outcomes) {
        const at = place({ shop: `s${shop}`, client: `c${client}`, priority: PRIORITIES[priority]! });
        clock.after(askedAtMs, () => {
          const call = budget.use(at, async (slot) => {
            const answered = await exchange(at, slot, first);
            if (!second || !answered) return;
            expect(await slot.again()).toBe(true);
            await exchange(at, slot, second);
          });
          void call.then(() => (ended += 1));
        });
      }
      await clock.run();
      expect(ended).toBe(outcomes.length);
      for (const times of arrivals.values()) expect(mostInSecond(times)).toBeLessThanOrEqual(2);
    }),
    { numRuns: 600 },
  );
});

describe("when a slot is free again", () => {
  /** Times at which the third of three calls got its slot, if the first two ended so. */
  async function thirdAfter(end: (slot: { sending(): void; answered(): void }, clock: VirtualClock) => Promise<void>) {
    const clock = virtualClock();
    const budget = budgetOn(clock);
    let startedMs = -1;
    for (let count = 0; count < 2; count += 1)
      void budget.use(place(), (slot) => end(slot, clock)).catch(() => undefined);
    void budget.use(place(), async () => void (startedMs = clock.monotonicMs()));
    await clock.run();
    return startedMs;
  }

  test("1,005 ms after its answer", async () => {
    const started = await thirdAfter(async (slot, clock) => {
      slot.sending();
      await clock.sleep(300);
      slot.answered();
    });
    expect(started).toBe(1_305);
  });

  test("1 s and the grace after an end without an answer", async () => {
    const started = await thirdAfter(async (slot, clock) => {
      slot.sending();
      await clock.sleep(300);
      throw new Error("reset");
    });
    expect(started).toBe(300 + 1_000 + GRACE_MS);
  });

  test("at once when nothing was sent", async () => {
    const started = await thirdAfter(async (_slot, clock) => {
      await clock.sleep(300);
      throw new Error("the pending write did not commit");
    });
    expect(started).toBe(300);
  });

  test("and the caller has its answer before that", async () => {
    const clock = virtualClock();
    const budget = budgetOn(clock);
    let answeredMs = -1;
    const call = budget.use(place(), async (slot) => {
      slot.sending();
      await clock.sleep(300);
      slot.answered();
      return "answer";
    });
    void call.then(() => (answeredMs = clock.monotonicMs()));
    await clock.run();
    expect([await call, answeredMs]).toEqual(["answer", 300]);
  });
});

describe("a slot for two requests, one after the other", () => {
  const answeredAfter = async (slot: Slot, clock: VirtualClock, ms: number) => {
    slot.sending();
    await clock.sleep(ms);
    slot.answered();
  };

  test("carries the second 1,005 ms after the answer to the first, and rests as long after that", async () => {
    const clock = virtualClock();
    const budget = budgetOn(clock);
    const at: number[] = [];
    for (let count = 0; count < 2; count += 1) {
      void budget.use(place(), async (slot) => {
        await answeredAfter(slot, clock, 300);
        expect(await slot.again()).toBe(true);
        at.push(clock.monotonicMs());
        await answeredAfter(slot, clock, 100);
      });
    }
    void budget.use(place(), async () => void at.push(clock.monotonicMs()));
    await clock.run();
    expect(at).toEqual([1_305, 1_305, 1_405 + 1_005]);
  });

  test("is free at once where the second is not sent after all", async () => {
    const clock = virtualClock();
    const budget = budgetOn(clock);
    let startedMs = -1;
    for (let count = 0; count < 2; count += 1) {
      const withheld = budget.use(place(), async (slot) => {
        await answeredAfter(slot, clock, 300);
        await slot.again();
        throw new Error("what it was to rest on has changed");
      });
      void withheld.catch(() => undefined);
    }
    void budget.use(place(), async () => void (startedMs = clock.monotonicMs()));
    await clock.run();
    expect(startedMs).toBe(1_305);
  });

  test("carries no second after a first without an answer, and rests for a second and the grace", async () => {
    const clock = virtualClock();
    const budget = budgetOn(clock);
    let startedMs = -1;
    for (let count = 0; count < 2; count += 1) {
      const silent = budget.use(place(), async (slot) => {
        slot.sending();
        await clock.sleep(300);
        return slot.again();
      });
      void silent.then(
        () => expect.unreachable(),
        (error: unknown) => expect(isAppError(error) && [error.kind, error.effect]).toEqual(["internal", "none"]),
      );
    }
    void budget.use(place(), async () => void (startedMs = clock.monotonicMs()));
    await clock.run();
    expect(startedMs).toBe(300 + 1_000 + GRACE_MS);
  });

  test("says so when a pause began meanwhile, or the budget closed", async () => {
    const clock = virtualClock();
    const budget = budgetOn(clock);
    const ends: unknown[] = [];
    const asked = (at: Place) =>
      void budget
        .use(at, async (slot) => {
          await answeredAfter(slot, clock, 100);
          return slot.again();
        })
        .then(
          (end) => ends.push(end),
          (error: unknown) => ends.push(isAppError(error) && error.kind),
        );
    asked(place());
    clock.after(500, () => budget.pause(place(), { ms: 3_000, sentAtMonotonicMs: 100 }));
    await clock.run();
    asked(place());
    clock.after(500, () => void budget.close());
    await clock.run();
    expect(ends).toEqual([false, "cancelled"]);
  });

  test("is enough: two of two shops with one client id never wait for each other", async () => {
    const clock = virtualClock();
    const budget = budgetOn(clock);
    let ended = 0;
    for (let count = 0; count < 6; count += 1) {
      void budget
        .use(place({ shop: `s${count}` }), async (slot) => {
          await answeredAfter(slot, clock, 50);
          await slot.again();
          await answeredAfter(slot, clock, 50);
        })
        .then(() => (ended += 1));
    }
    await clock.run();
    expect(ended).toBe(6);
    expect(clock.monotonicMs()).toBeLessThan(3 * 2 * 1_055 + 1);
  });
});

test("at boot nothing is sent for the grace and a second", async () => {
  const clock = virtualClock();
  const budget = budgetOn(clock, { openAtOnce: false });
  const started: number[] = [];
  for (const shop of ["a", "b", "c"]) {
    void budget.use(place({ shop, client: shop }), async () => void started.push(clock.monotonicMs()));
  }
  expect(budget.state("never seen").pausedUntilMs).toBe(3_000);
  await clock.run();
  expect(started).toEqual([3_000, 3_000, 3_000]);
});

test("after a restore nothing is sent for as long as is said, and who may not wait for that long is told so", async () => {
  const clock = virtualClock();
  const budget = budgetOn(clock, { openAtOnce: false, closedForMs: 100_000 });
  const refused = budget.use(place(), async () => undefined).catch((error: unknown) => error);
  expect(await refused).toMatchObject({ kind: "rate_limited", effect: "none" });
  clock.leap(50_000);
  const sentMs = budget.use(place(), async () => clock.monotonicMs());
  await clock.run();
  expect(await sentMs).toBe(100_000);
});

describe("who goes first", () => {
  async function orderOf(asked: Partial<Place>[]): Promise<number[]> {
    const clock = virtualClock();
    const budget = budgetOn(clock);
    const order: number[] = [];
    asked.forEach((over, index) => {
      void budget.use(place(over), async (slot) => {
        order.push(index);
        slot.sending();
        slot.answered();
      });
    });
    await clock.run();
    return order;
  }

  test("the most urgent, and among equals the one that came first", async () => {
    const priorities = [
      "reconcile",
      "reconcile",
      "reconcile",
      "verification",
      "sync",
      "interactive",
      "interactive",
    ] as const;
    expect(await orderOf(priorities.map((priority) => ({ priority })))).toEqual([0, 1, 5, 6, 4, 3, 2]);
  });

  test("a shop does not wait for another, unless they share a client", async () => {
    const apart = Array.from({ length: 6 }, (_, index) => ({ shop: `s${index % 2}`, client: `c${index % 2}` }));
    expect(await orderOf(apart)).toEqual([0, 1, 2, 3, 4, 5]);
    const shared = [
      { shop: "a" },
      { shop: "a" },
      { shop: "b", priority: "reconcile" },
      { shop: "b", priority: "interactive" },
    ] as const;
    expect(await orderOf([...shared])).toEqual([0, 1, 3, 2]);
  });
});

test("a shop's interactive call does not stay behind another shop's backlog because its own background work does", async () => {
  const clock = virtualClock();
  const budget = budgetOn(clock);
  const answered = (slot: { sending(): void; answered(): void }) => {
    slot.sending();
    slot.answered();
    return Promise.resolve();
  };
  let backlog = 40;
  const work = async (shop: string): Promise<void> => {
    for (; backlog > 0; backlog -= 1) await budget.use(place({ shop, priority: "sync" }), answered);
  };
  for (const shop of ["busy", "busier"]) for (let count = 0; count < 4; count += 1) void work(shop);
  for (let count = 0; count < 4; count += 1) void budget.use(place({ shop: "quiet", priority: "reconcile" }), answered);
  let startedMs = Infinity;
  clock.after(1_500, () => {
    void budget.use(place({ shop: "quiet", priority: "interactive" }), (slot) => {
      startedMs = clock.monotonicMs();
      return answered(slot);
    });
  });
  await clock.run();
  // The two of its own that are in hand, then this one.
  expect(startedMs - 1_500).toBeLessThan(2_100);
});

describe("a 429", () => {
  test("holds what has not been sent, of this client in other shops too, until the pause is over", async () => {
    const clock = virtualClock();
    const budget = budgetOn(clock);
    const started: Record<string, number> = {};
    budget.pause({ shop: "s", client: "c" }, { ms: 5_000, sentAtMonotonicMs: 0 });
    for (const at of [place(), place({ shop: "other" }), place({ shop: "free", client: "free" })]) {
      void budget.use(at, async () => void (started[at.shop] = clock.monotonicMs()));
    }
    expect([budget.state("s").pausedUntilMs, budget.state("other").pausedUntilMs]).toEqual([5_000, 5_000]);
    expect(budget.state("free").pausedUntilMs).toBeNull();
    await clock.run();
    expect(started).toEqual({ s: 5_000, other: 5_000, free: 0 });
  });

  test("whose pause is longer than a minute ends calls unsent instead of keeping them", async () => {
    const clock = virtualClock();
    const budget = budgetOn(clock);
    budget.pause({ shop: "s", client: "c" }, { ms: 600_000, sentAtMonotonicMs: 0 });
    const error: unknown = await budget.use(place(), async () => "sent").catch((caught: unknown) => caught);
    expect(isAppError(error) && [error.kind, error.effect, error.traits.retry]).toEqual(["rate_limited", "none", true]);
    expect(budget.state("s").pausedUntilMs).toBe(600_000);
  });
});

describe("what is shown", () => {
  test("waiting by priority, running, and an estimate that falls as work is done", async () => {
    const clock = virtualClock();
    const budget = budgetOn(clock);
    const answer = async (slot: { sending(): void; answered(): void }) => {
      slot.sending();
      await clock.sleep(95);
      slot.answered();
    };
    for (const priority of ["sync", "sync", "sync", "interactive", "reconcile"] as const)
      void budget.use(place({ priority }), answer);
    const before = budget.state("s");
    expect(before).toMatchObject({
      waiting: { interactive: 1, sync: 1, verification: 0, reconcile: 1 },
      running: 2,
      pausedUntilMs: null,
    });
    await clock.run(1_200);
    const after = budget.state("s");
    expect(after).toMatchObject({ waiting: { interactive: 0, sync: 0, verification: 0, reconcile: 1 }, running: 0 });
    expect(after.estimateMs(0)).toBeLessThan(before.estimateMs(0));
    expect(after.estimateMs(100) - after.estimateMs(0)).toBeGreaterThan(100 * 502);
    await clock.run();
    expect(budget.state("s")).toMatchObject({
      waiting: { interactive: 0, sync: 0, verification: 0, reconcile: 0 },
      running: 0,
    });
  });

  test("two unclear ends hold the budget, and it says until when", async () => {
    const clock = virtualClock();
    const budget = budgetOn(clock);
    const breaks = async (slot: { sending(): void }) => {
      slot.sending();
      throw new Error("reset");
    };
    for (let count = 0; count < 2; count += 1) void budget.use(place(), breaks).catch(() => undefined);
    await clock.run(1);
    expect(budget.state("s").pausedUntilMs).toBe(3_000);
    await clock.run();
    expect(budget.state("s").pausedUntilMs).toBeNull();
  });
});
