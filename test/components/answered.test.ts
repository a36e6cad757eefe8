import { describe, expect, test } from "vitest";
import { endingOf } from "../../app/components/outage/answered.ts";

/** Which answers count as the app's own. */

const { signal } = new AbortController();
const OWN = { "X-Remix-Response": "yes", "Content-Type": "application/json" };

/** A body whose connection is cut after its first byte. */
const cut = () =>
  new ReadableStream({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode("{"));
      controller.error(new TypeError("network error"));
    },
  });

describe("an answer of the app's", () => {
  test("is passed on with its whole body", async () => {
    const ending = await endingOf(() => new Response('{"a":1}', { status: 422, headers: OWN }), signal);
    if (ending.kind !== "returned") throw new Error(ending.kind);
    expect(ending.answer!.status).toBe(422);
    expect(await ending.answer!.json()).toEqual({ a: 1 });
  });

  test("is passed on where it has none, and where a route has no loader", async () => {
    const empty = await endingOf(() => new Response(null, { status: 204, headers: OWN }), signal);
    expect(empty.kind).toBe("returned");
    expect(await endingOf(() => null, signal)).toEqual({ kind: "returned", value: null, answer: null });
  });

  test.each([302, 400, 404, 429])("is passed on as it was thrown (%i)", async (status) => {
    const thrown = new Response(null, { status });
    expect(await endingOf(() => Promise.reject(thrown as never), signal)).toEqual({
      kind: "thrown",
      thrown,
      answer: thrown,
    });
  });
});

describe("there is no answer", () => {
  test.each<[string, () => unknown]>([
    ["where nobody listens", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["where the app failed", () => Promise.reject(new Error("Unexpected Server Error"))],
    ["where a route threw 503", () => Promise.reject(new Response(null, { status: 503 }) as never)],
    ["where a proxy answers in its place", () => new Response("<html>", { status: 200 })],
    ["where it was cut", () => new Response(cut(), { headers: OWN })],
  ])("%s", async (_case, ask) => {
    expect(await endingOf(ask, signal)).toEqual({ kind: "unanswered" });
  });

  test("for the router, where it gave the request up itself", async () => {
    const given = new AbortController();
    given.abort();
    const error = new DOMException("aborted", "AbortError");
    await expect(endingOf(() => Promise.reject(error), given.signal)).rejects.toBe(error);
  });
});
