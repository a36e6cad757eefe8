import { expect, test } from "vitest";
import { wholeLookAtMs } from "../../app/readings/whole-look.ts";

test.each([
  ["without an account the locations are all there is", 200, null, 200],
  ["the account was read after the locations", 200, { state: "active", bookReadAtMs: 210 }, 200],
  ["the account is closed, and was read before", 200, { state: "invalid", bookReadAtMs: 100 }, 100],
  ["the account was closed before it was read", 200, { state: "invalid", bookReadAtMs: null }, null],
  ["what was read of the account is doubted", 200, { state: "active", bookReadAtMs: null }, 200],
  ["nothing was looked at", null, { state: "active", bookReadAtMs: 100 }, null],
] as const)("all was looked at when both were read: %s", (_what, reconciledAtMs, connection, atMs) => {
  expect(wholeLookAtMs({ reconciledAtMs }, connection)).toBe(atMs);
});
