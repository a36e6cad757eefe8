import { describe, expect, test } from "vitest";
import { createRefusals, createSlowedAlone } from "../../../app/adapters/shipping/refusals.ts";
import type { Refusals } from "../../../app/adapters/shipping/refusals.ts";

/** When a new token may help against a 401. */

const refused = (refusals: Refusals, request: string, token: string, answeredAtMonotonicMs: number): boolean =>
  refusals.refused(request, { token, answeredAtMonotonicMs });
const served = (refusals: Refusals, request: string, token: string, sentAtMonotonicMs: number): void =>
  refusals.served(request, { token, sentAtMonotonicMs });

describe("another token may help", () => {
  test("the first time, also of a token that has served others before", () => {
    const refusals = createRefusals();
    served(refusals, "list", "token-1", 0);
    expect(refused(refusals, "get", "token-1", 10)).toBe(true);
    expect(refused(refusals, "patch", "token-1", 20)).toBe(true);
  });

  test("while the token has served nothing that was sent since it was refused", () => {
    const refusals = createRefusals();
    refused(refusals, "get", "token-1", 10);
    refused(refusals, "get", "token-2", 20);
    expect(refused(refusals, "get", "token-2", 30)).toBe(true);
    served(refusals, "list", "token-2", 19);
    served(refusals, "list", "token-1", 40);
    expect(refused(refusals, "get", "token-2", 50)).toBe(true);
  });

  test("once the service has let the request through", () => {
    const refusals = createRefusals();
    refused(refusals, "get", "token-1", 10);
    served(refusals, "get", "token-2", 20);
    expect(refused(refusals, "get", "token-2", 30)).toBe(true);
  });
});

describe("another token does not help", () => {
  test("where the one before was refused for the same request", () => {
    const refusals = createRefusals();
    refused(refusals, "get", "token-1", 10);
    expect(refused(refusals, "get", "token-2", 20)).toBe(false);
  });

  test("where the token has served another request since it was first refused for this one", () => {
    const refusals = createRefusals();
    refused(refusals, "get", "token-1", 10);
    refused(refusals, "get", "token-2", 20);
    served(refusals, "list", "token-2", 20);
    for (const atMs of [30, 40, 50]) expect(refused(refusals, "get", "token-2", atMs)).toBe(false);
  });
});

test("of very many requests the one that was refused longest ago is forgotten", () => {
  const refusals = createRefusals();
  for (let count = 0; count <= 1_000; count += 1) refused(refusals, `get ${count}`, "token-1", count);
  expect(refused(refusals, "get 1000", "token-2", 2_000)).toBe(false);
  expect(refused(refusals, "get 0", "token-2", 2_000)).toBe(true);
});

/** A 429 to one request alone. */

const answeredAt = (ms: number) => ({ answeredAtMonotonicMs: ms });
const sent = (ms: number) => ({ sentAtMonotonicMs: ms });

test("a request is slowed down alone once another one left after its first 429 and was let through", () => {
  const known = createSlowedAlone();
  known.flowing("client", "GET /b", sent(1));
  expect(known.slowed("client", "GET /a", answeredAt(2))).toBe(false);
  expect(known.slowed("client", "GET /a", answeredAt(3))).toBe(false);
  known.flowing("client", "GET /b", sent(4));
  expect(known.slowed("client", "GET /a", answeredAt(5))).toBe(true);
});

test("what left before the first 429 came says nothing, nor does another client", () => {
  const known = createSlowedAlone();
  known.slowed("client", "GET /a", answeredAt(2));
  known.flowing("client", "GET /b", sent(2));
  known.flowing("other", "GET /b", sent(9));
  expect(known.slowed("client", "GET /a", answeredAt(3))).toBe(false);
});

test("a request that is let through begins anew", () => {
  const known = createSlowedAlone();
  known.slowed("client", "GET /a", answeredAt(2));
  known.flowing("client", "GET /a", sent(3));
  expect(known.slowed("client", "GET /a", answeredAt(4))).toBe(false);
  known.flowing("client", "GET /b", sent(5));
  expect(known.slowed("client", "GET /a", answeredAt(6))).toBe(true);
});

test("others are likely to be slowed down alone, too, for a minute", () => {
  const known = createSlowedAlone();
  known.slowed("client", "GET /a", answeredAt(1_000));
  known.flowing("client", "GET /b", sent(2_000));
  expect(known.isLikely("client", 2_000)).toBe(false);
  known.slowed("client", "GET /a", answeredAt(3_000));
  expect(known.isLikely("client", 62_999)).toBe(true);
  expect(known.isLikely("client", 63_000)).toBe(false);
  expect(known.isLikely("other", 3_000)).toBe(false);
});

test("a thousand requests are remembered, and the oldest is forgotten first", () => {
  const known = createSlowedAlone();
  for (let number = 0; number <= 1_000; number += 1) known.slowed("client", `GET /${number}`, answeredAt(1));
  known.flowing("client", "GET /b", sent(2));
  expect(known.slowed("client", "GET /1", answeredAt(3))).toBe(true);
  expect(known.slowed("client", "GET /0", answeredAt(3))).toBe(false);
});
