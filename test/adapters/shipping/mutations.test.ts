import fc from "fast-check";
import { expect, test } from "vitest";
import { assembleShippingService } from "../../../app/adapters/shipping/service.ts";
import type { Network, WireAnswer } from "../../../app/adapters/shipping/network.ts";
import type { Clock, ConnectionRef } from "../../../app/ports.ts";
import { endOf, GOOD, goodFor, NAMES, nameOf, NINE, type NineName } from "./support/operations.ts";
import { createSemaphoreLine } from "../../fakes/semaphore-line.ts";
import { memoryTokenStore } from "./support/world.ts";

/** Ten thousand answers bent out of shape, through the whole adapter but the socket: each ends in time and as something known. */

/** Every wait is over at once, and time says so. */
function leapingClock(): Clock {
  let nowMs = 1_000;
  return {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    machineMs: () => nowMs,
    turn: async () => undefined,
    sleep: async (ms) => void (nowMs += ms),
    after: () => () => undefined,
  };
}

type Path = (string | number)[];

function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...at, key]))];
}

/** The value with what stands at a path replaced, or taken away. */
function replaced(value: unknown, [head, ...rest]: Path, by: { value: unknown } | null): unknown {
  if (head === undefined) return by?.value;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>;
  if (rest.length === 0 && by === null) delete copy[head];
  else copy[head] = replaced(copy[head], rest, by);
  return copy;
}

interface Bend {
  name: NineName;
  answer: WireAnswer;
}

const strange = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(null, "", 0, -1, 1e308, [], {}, "\ud800", { __proto__: 1 }),
);
const status = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      200,
      201,
      202,
      204,
      299,
      301,
      400,
      401,
      403,
      404,
      408,
      409,
      413,
      422,
      429,
      451,
      500,
      503,
      599,
    ),
  },
);
const retryAfter = fc.constantFrom(
  "",
  "0",
  "1",
  "-5",
  "soon",
  "1e9",
  "99999999999",
  "Wed, 21 Oct 2015 07:28:00 GMT",
  "NaN",
);

const bend: fc.Arbitrary<Bend> = fc
  .record({
    name: fc.constantFrom(...NAMES),
    where: fc.array(fc.nat(), { maxLength: 3 }),
    what: fc.option(strange),
    cut: fc.option(fc.nat({ max: 400 }), { freq: 4 }),
    splice: fc.option(fc.string({ maxLength: 8 }), { freq: 6 }),
    cutShort: fc.option(fc.constantFrom<"too_large" | "broken">("too_large", "broken"), { freq: 12 }),
    status,
    retryAfter: fc.option(retryAfter),
  })
  .map(({ name, where, what, cut, splice, cutShort, status, retryAfter }) => {
    let value: unknown = GOOD[name].body;
    for (const pick of where) {
      const paths = pathsOf(value);
      value = replaced(value, paths[pick % paths.length]!, what === null ? null : { value: what });
    }
    let body = JSON.stringify(value) ?? "";
    if (cut !== null) body = body.slice(0, cut);
    if (splice !== null) body = body.slice(0, body.length / 2) + splice + body.slice(body.length / 2);
    const headers: Record<string, string> = retryAfter === null ? {} : { "retry-after": retryAfter };
    return { name, answer: { status: status || GOOD[name].status, headers, body, cutShort } };
  });

test("10,000 mutated answers: no crash, no hang, and every end has a type", async () => {
  let bent: Bend;
  const network: Network = {
    offers: () => true,
    exchange(exchange) {
      exchange.onSending();
      exchange.onAnswer();
      const name = nameOf(exchange.request);
      const { status, body } = goodFor(exchange.request);
      const good = { status, headers: {}, body: JSON.stringify(body), cutShort: null };
      return { answer: Promise.resolve(name === bent.name ? bent.answer : good), stop: () => undefined };
    },
    close: async () => undefined,
  };
  let shops = 0;
  const ends = new Set<string>();
  const tokens = memoryTokenStore();
  const service = assembleShippingService({
    userAgent: "test",
    clock: leapingClock(),
    random: { next: () => 0.5, id: () => "id" },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    tokens: tokens.store,
    network,
    line: createSemaphoreLine(),
    totalTimeoutMs: 10_000,
    budget: { graceMs: 0, openAtOnce: true },
  });
  await fc.assert(
    fc.asyncProperty(bend, async (drawn) => {
      bent = drawn;
      const id = `shop-${++shops}`;
      const ref: ConnectionRef = { id, version: 1, shop: id, environment: "test", clientId: id };
      const credentials = { ...ref, clientSecret: "s", scope: null, redirectUri: null };
      const token = { accessToken: "t", refreshToken: null, scope: null, obtainedAtMs: 0, expiresAtMs: 1e15 };
      tokens.rows.clear();
      tokens.rows.set(id, { version: 1, state: "active", credentials, token });
      const end = await endOf(NINE[drawn.name](service, { ref, credentials }));
      ends.add(end);
      expect(end).toMatch(/^(read|found|not_found|written|refused|issued|invalid_client|true|false|![a-z_]+\??)$/);
      expect(end).not.toContain("internal");
    }),
    { numRuns: 10_000 },
  );
  // The answers were bent far enough, and not too far, to reach every kind of end.
  for (const end of [
    "read",
    "written",
    "refused",
    "issued",
    "!unreadable",
    "!unreadable?",
    "!server_error?",
    "!unauthorized",
  ]) {
    expect(ends).toContain(end);
  }
});
