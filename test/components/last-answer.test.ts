import { expect, test } from "vitest";
import { lastAnswerAtMs } from "../../app/views/connection-summary.ts";

test.for<[success: number | null, book: number | null, answer: number | null]>([
  [null, null, null],
  [3, null, 3],
  [null, 5, 5],
  [3, 5, 5],
  [5, 3, 5],
])("after a success at %s and a reading of the book at %s the last answer is of %s", ([success, book, answer]) => {
  expect(lastAnswerAtMs({ lastSuccessAtMs: success, bookReadAtMs: book })).toBe(answer);
});
