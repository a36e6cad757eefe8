import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Budget, Place } from "../../app/adapters/shipping/budget-core.ts";
import type { Slot } from "../../app/adapters/shipping/slots/slot-use.ts";
import { isAppError } from "../../app/domain/errors.ts";
import { mostInSecond } from "./line/arrivals.ts";

/**
 * What a budget promises wherever its slots are kept, in real time. Lower bounds are exact: no machine is so slow that it sends too
 * early. Upper bounds leave a busy machine a moment. Each test has a shop and a client id of its own, so that they run side by side.
 */

export const GRACE_MS = 500;
const SLOT_MS = 1_005;
/** A busy machine's moment. */
const LATE_MS = 1_500;

export interface OpenBudget {
  budget: Budget;
  close(): Promise<void>;
}

export function budgetContract(name: string, open: () => Promise<OpenBudget>): void {
  describe(`the contract of the budget: ${name}`, () => {
    let opened: OpenBudget;
    let budget: Budget;
    beforeAll(async () => {
      opened = await open();
      budget = opened.budget;
    });
    afterAll(() => opened.close());

    const place = (own: string, over: Partial<Place> = {}): Place => ({
      shop: `shop ${own}`,
      client: `test ${own}`,
      priority: "sync",
      ...over,
    });
    const kindOf = (error: unknown) => (isAppError(error) ? error.kind : error);

    test.concurrent(
      "no sliding second holds three arrivals of a shop or of a client, however long each call takes",
      async () => {
        const arrivals = new Map<string, number[]>();
        const calls = Array.from({ length: 10 }, async (_, index) => {
          const at = place("mixed", { shop: `shop mixed ${index % 2}` });
          await pause(Math.random() * 1_000);
          await budget.use(at, async (slot) => {
            slot.sending();
            await pause(Math.random() * 200);
            for (const key of [at.shop, at.client])
              arrivals.set(key, [...(arrivals.get(key) ?? []), performance.now()]);
            await pause(Math.random() * 200);
            slot.answered();
          });
        });
        await Promise.all(calls);
        for (const times of arrivals.values()) expect(mostInSecond(times)).toBeLessThanOrEqual(2);
        expect(mostInSecond(arrivals.get(place("mixed").client)!)).toBe(2);
      },
    );

    /** When the third of three calls may send, in milliseconds since the first of the others ended so. */
    async function thirdAfter(own: string, end: (slot: Slot) => Promise<void>): Promise<number> {
      let endedMs = Infinity;
      const first = [1, 2].map(() =>
        budget
          .use(place(own), async (slot) => {
            await end(slot).finally(() => (endedMs = Math.min(endedMs, performance.now())));
          })
          .catch(() => undefined),
      );
      await Promise.all(first);
      return (await budget.use(place(own), async () => performance.now())) - endedMs;
    }

    test.concurrent("a slot is free 1,005 ms after its answer", async () => {
      const afterMs = await thirdAfter("answered", async (slot) => {
        slot.sending();
        await pause(50);
        slot.answered();
      });
      expect(afterMs).toBeGreaterThanOrEqual(SLOT_MS - 1);
      expect(afterMs).toBeLessThan(SLOT_MS + LATE_MS);
    });

    test.concurrent("a slot is free a second and the grace after an end without an answer", async () => {
      const afterMs = await thirdAfter("unclear", async (slot) => {
        slot.sending();
        throw new Error("reset");
      });
      expect(afterMs).toBeGreaterThanOrEqual(1_000 + GRACE_MS - 1);
      expect(afterMs).toBeLessThan(1_000 + GRACE_MS + LATE_MS);
    });

    test.concurrent("a slot on which nothing was sent is free at once", async () => {
      const afterMs = await thirdAfter("unsent", async () => {
        throw new Error("the pending write did not commit");
      });
      expect(afterMs).toBeLessThan(SLOT_MS);
    });

    test.concurrent("the caller has its end before the slot has rested", async () => {
      const call = budget.use(place("early"), async (slot) => {
        slot.sending();
        slot.answered();
        return performance.now();
      });
      expect(performance.now() - (await call)).toBeLessThan(SLOT_MS);
    });

    test.concurrent(
      "a slot carries a second request 1,005 ms after the answer to the first, and rests after that",
      async () => {
        const atMs: number[] = [];
        const twice = async (slot: Slot) => {
          slot.sending();
          slot.answered();
          atMs.push(performance.now());
          expect(await slot.again()).toBe(true);
          expect(slot.mayLeave()).toBe(true);
          slot.sending();
          atMs.push(performance.now());
          slot.answered();
        };
        await Promise.all([budget.use(place("twice"), twice), budget.use(place("twice"), twice)]);
        await budget.use(place("twice"), async () => void atMs.push(performance.now()));
        expect(mostInSecond(atMs)).toBe(2);
        expect(atMs).toHaveLength(5);
      },
    );

    test.concurrent("a pause holds what was not sent, and its client's other shops too", async () => {
      const at = place("paused");
      const beganMs = performance.now();
      budget.pause(at, { ms: 1_500, sentAtMonotonicMs: beganMs });
      expect(budget.state(at.shop).pausedUntilMs).not.toBeNull();
      const others = [at, place("paused", { shop: "another shop" })];
      const started = await Promise.all(others.map((each) => budget.use(each, async () => performance.now())));
      for (const startedMs of started) expect(startedMs - beganMs).toBeGreaterThanOrEqual(1_499);
    });

    test.concurrent("a call ends instead of waiting for a pause of more than a minute", async () => {
      const at = place("long");
      budget.pause(at, { ms: 600_000, sentAtMonotonicMs: performance.now() });
      expect(await budget.use(at, async () => "sent").catch(kindOf)).toBe("rate_limited");
    });

    test.concurrent("the most urgent call goes first, and who leaves is never sent", async () => {
      const order: string[] = [];
      const leaving = new AbortController();
      const call = (name: string, over: Partial<Place>) =>
        budget
          .use(place("order", over), async (slot) => {
            order.push(name);
            slot.sending();
            slot.answered();
          })
          .catch(kindOf);
      const held = [call("held", {}), call("held", {})];
      await Promise.all(held);
      const calls = [
        call("left", { signal: leaving.signal }),
        call("reconcile", { priority: "reconcile" }),
        call("verification", { priority: "verification" }),
        call("interactive", { priority: "interactive" }),
      ];
      leaving.abort();
      await Promise.all(calls);
      expect(order.slice(0, 2)).toEqual(["held", "held"]);
      expect(order).not.toContain("left");
      expect(order.indexOf("interactive")).toBeLessThan(order.indexOf("reconcile"));
    });
  });
}
