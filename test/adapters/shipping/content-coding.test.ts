import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { decodeBody } from "../../../app/adapters/shipping/content-coding.ts";

/** The bound on what a body may unpack into. The other ways of coding are in encodings.test.ts, over true HTTP. */

const LARGEST_BYTES = 10_000;
const filled = (bytes: number) => JSON.stringify("x".repeat(bytes - 2));
const decoded = (body: Buffer, coding: string) => decodeBody(body, { coding, largestBytes: LARGEST_BYTES });

test.each([
  ["once", gzipSync(filled(LARGEST_BYTES + 1)), "gzip"],
  ["in its second layer", gzipSync(gzipSync(filled(64 * LARGEST_BYTES))), "gzip, gzip"],
])("a body that unpacks into more than any may hold is too large: %s", (_when, body, coding) => {
  expect(body.length).toBeLessThan(LARGEST_BYTES);
  expect(decoded(body, coding)).toEqual({ cutShort: "too_large" });
});

test("one that unpacks into just as much is read", () => {
  expect(decoded(gzipSync(filled(LARGEST_BYTES)), "gzip")).toEqual({ body: filled(LARGEST_BYTES) });
});
