import { expect, test } from "vitest";
import { wholeLookAtMs } from "../../app/readings/whole-look.ts";

test.each([
  ["without an account the locations are all there is", 200, null, 200],
  ["the account was read after the locations", 200, { bookReadAtMs: 210 }, 200],
  ["the account is closed, and was read before", 200, { bookReadAtMs: 100 }, 100],
  ["the account was never read", 200, { bookReadAtMs: null }, null],
  ["nothing was looked at", null, { bookReadAtMs: 100 }, null],
])("all was looked at when both were read: %s", (_what, reconciledAtMs, connection, atMs) => {
  expect(wholeLookAtMs({ reconciledAtMs }, connection)).toBe(atMs);
});
