import fc from "fast-check";
import { expect, test } from "vitest";
import { createBudget } from "../../../app/adapters/shipping/budget-core.ts";
import type { Budget, Line, Place } from "../../../app/adapters/shipping/budget-core.ts";
import type { Slot } from "../../../app/adapters/shipping/slots/slot-use.ts";
import { isAppError } from "../../../app/domain/errors.ts";
import { PRIORITIES } from "../../../app/ports.ts";
import { createSeededRandom } from "../../fakes/random.ts";
import { mostInSecond } from "./arrivals.ts";
import { frozenTime } from "./frozen-time.ts";

const GRACE_MS = 2_000;
/** See places.ts. */
const TURNS_MS = 5;
const SLOT_MS = 1_005;

export function budgetOnLineContract(createLine: () => Line): void {
  const { clock, pass } = frozenTime();
  const budgetOnLine = (): Budget =>
    createBudget({ clock, random: createSeededRandom(1), line: createLine(), graceMs: GRACE_MS, openAtOnce: true });
  const place = (over: Partial<Place> = {}): Place => ({ shop: "s", client: "c", priority: "sync", ...over });
  const kindOf = (error: unknown) => (isAppError(error) ? error.kind : error);

  const answeredAfter = (ms: number) => async (slot: Slot) => {
    slot.sending();
    await clock.sleep(ms);
    slot.answered();
  };

  test("callers who leave the line are never sent, and who stands behind them waits for none of them", async () => {
    const budget = budgetOnLine();
    let sent = 0;
    const send = async (slot: Slot) => {
      sent += 1;
      await answeredAfter(100)(slot);
    };
    const leaving = new AbortController();
    for (let held = 0; held < 2; held += 1) void budget.use(place(), send);
    const gone = Array.from({ length: 60 }, () => budget.use(place({ signal: leaving.signal }), send).catch(kindOf));
    let behindAtMs = Infinity;
    void budget.use(place({ priority: "reconcile" }), async () => void (behindAtMs = clock.monotonicMs()));
    await pass(50);
    const startMs = clock.monotonicMs();
    leaving.abort();
    expect(new Set(await Promise.all(gone))).toEqual(new Set(["cancelled"]));
    expect(clock.monotonicMs()).toBe(startMs);
    expect(budget.state("s").waiting).toMatchObject({ sync: 0, reconcile: 1 });
    await pass(60_000);
    expect(sent).toBe(2);
    expect(behindAtMs - startMs).toBeLessThanOrEqual(50 + SLOT_MS + 62 * TURNS_MS);
  });

  test("a close lets what is being sent end, refuses what waits and what comes, and sends nothing more", async () => {
    const budget = budgetOnLine();
    let sent = 0;
    const send = async (slot: Slot) => {
      sent += 1;
      await answeredAfter(3_000)(slot);
      return "answer";
    };
    const running = [budget.use(place(), send), budget.use(place(), send)];
    const waiting = Array.from({ length: 5 }, () => budget.use(place(), send).catch(kindOf));
    await pass(1_000);
    let closed = false;
    const closing = budget.close().then(() => (closed = true));
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: 5 }, () => "cancelled"));
    expect(await budget.use(place(), send).catch(kindOf)).toBe("cancelled");
    expect(closed).toBe(false);
    await pass(2_000 + TURNS_MS);
    expect(await Promise.all(running)).toEqual(["answer", "answer"]);
    await closing;
    await pass(60_000);
    expect(sent).toBe(2);
  });

  test("a slot rests in its place: the next call begins 1,005 ms after an answer, and 1 s and the grace after an end without one", async () => {
    for (const [ending, restsMs] of [
      [answeredAfter(300), SLOT_MS],
      [
        async (slot: Slot) => {
          slot.sending();
          await clock.sleep(300);
          throw new Error("reset");
        },
        1_000 + GRACE_MS,
      ],
    ] as const) {
      const budget = budgetOnLine();
      const startMs = clock.monotonicMs();
      for (let call = 0; call < 2; call += 1) void budget.use(place(), ending).catch(() => undefined);
      let thirdAtMs = Infinity;
      void budget.use(place(), async () => void (thirdAtMs = clock.monotonicMs()));
      await pass(10_000);
      expect(thirdAtMs - startMs).toBeGreaterThanOrEqual(300 + restsMs);
      expect(thirdAtMs - startMs).toBeLessThanOrEqual(300 + restsMs + 2 * TURNS_MS);
    }
  });

  const outcome = fc.record({
    wayInMs: fc.integer({ min: 0, max: 400 }),
    wayOutMs: fc.integer({ min: 0, max: 400 }),
    /** The answer is lost, and the request arrives so much later than the caller gave up. */
    brokenLateMs: fc.option(fc.integer({ min: 0, max: GRACE_MS }), { freq: 8 }),
    /** The caller leaves so long after it asked. */
    leavesAfterMs: fc.option(fc.integer({ min: 0, max: 5_000 }), { freq: 6 }),
    askedAtMs: fc.integer({ min: 0, max: 6_000 }),
    shop: fc.integer({ min: 0, max: 1 }),
    client: fc.integer({ min: 0, max: 2 }),
    priority: fc.constantFrom(...PRIORITIES),
  });

  test("no sliding second holds more than two arrivals of a shop or of a client, and every call ends, whatever happens", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(outcome, { minLength: 10, maxLength: 30 }), async (outcomes) => {
        const budget = budgetOnLine();
        const arrivals = new Map<string, number[]>();
        let ended = 0;
        for (const { wayInMs, wayOutMs, brokenLateMs, leavesAfterMs, askedAtMs, ...who } of outcomes) {
          const { priority } = who;
          const leaving = new AbortController();
          const at = place({ shop: `s${who.shop}`, client: `c${who.client}`, priority, signal: leaving.signal });
          const arrive = () => {
            for (const key of [at.shop, at.client])
              arrivals.set(key, [...(arrivals.get(key) ?? []), clock.monotonicMs()]);
          };
          clock.after(askedAtMs, () => {
            if (leavesAfterMs !== null) clock.after(leavesAfterMs, () => leaving.abort());
            const call = budget.use(at, async (slot) => {
              slot.sending();
              await clock.sleep(wayInMs);
              if (brokenLateMs !== null) return void clock.after(brokenLateMs, arrive);
              arrive();
              await clock.sleep(wayOutMs);
              slot.answered();
            });
            void call.catch(() => undefined).finally(() => (ended += 1));
          });
        }
        await pass(6_000 + outcomes.length * 2_500);
        expect(ended).toBe(outcomes.length);
        for (const times of arrivals.values()) expect(mostInSecond(times)).toBeLessThanOrEqual(2);
      }),
      { numRuns: 60, seed: 12 },
    );
  });
}
