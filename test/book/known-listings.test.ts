import { expect, test } from "vitest";
import { provedFromMs } from "../../app/book/known-listings.ts";

test("what a listing proves is told in whole milliseconds, though the monotonic clock counts parts of them", () => {
  const clock = { nowMs: () => 1_000_000, monotonicMs: () => 5_000.7 } as Parameters<typeof provedFromMs>[0]["clock"];
  const proof = { provedFromMs: 4_000.2 } as Parameters<typeof provedFromMs>[1];
  expect(provedFromMs({ clock }, proof)).toBe(998_999);
  expect(provedFromMs({ clock }, null)).toBeNull();
});
