import { beforeEach, describe, expect, test } from "vitest";
import { createFairShare } from "../../app/http/fair-share.ts";
import type { FairShare } from "../../app/http/fair-share.ts";

const SHOP = "one.myshopify.com";

let nowMs: number;
let share: FairShare;
beforeEach(() => {
  nowMs = 1_000;
  share = createFairShare({ monotonicMs: () => nowMs }, { burst: 10, aSecond: 2, inFlight: 3 });
});

/** A form whose answer leaves at once. */
function send(shop = SHOP): number | null {
  const answer = new AbortController();
  const waitS = share.take(shop, answer.signal);
  answer.abort();
  return waitS;
}

const sendMany = (count: number, shop = SHOP) => Array.from({ length: count }, () => send(shop));

describe("a shop's forms", () => {
  test("are taken in a burst, and then some a second; the others are told when to come again", () => {
    expect(sendMany(10)).toEqual(Array.from({ length: 10 }, () => null));
    expect(send()).toBe(1);
    nowMs += 1_000;
    expect(sendMany(3)).toEqual([null, null, 1]);
    nowMs += 3_600_000;
    expect(sendMany(11).filter((waitS) => waitS === null)).toHaveLength(10);
  });

  test("take nothing from another shop's", () => {
    sendMany(100);
    expect(send("two.myshopify.com")).toBeNull();
  });

  test("are not taken while too many wait for their answer", () => {
    const answers = [1, 2, 3].map(() => new AbortController());
    for (const { signal } of answers) expect(share.take(SHOP, signal)).toBeNull();
    expect(send()).toBe(1);
    answers[0]!.abort();
    expect(send()).toBeNull();
  });

  test("that nobody ever answered do not count for ever", () => {
    for (let form = 0; form < 3; form += 1) share.take(SHOP, new AbortController().signal);
    nowMs += 59_000;
    expect(send()).toBe(1);
    nowMs += 1_000;
    expect(send()).toBeNull();
  });
});
