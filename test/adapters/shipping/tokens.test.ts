import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAppError, type AppError } from "../../../app/domain/errors.ts";
import type { ConnectionRef } from "../../../app/ports.ts";
import { DRAFT, INTERACTIVE, startWorld, WRITE, type World } from "./support/world.ts";

/**
 * A connection's token, against the stand-in: who asks for it, how often, and what ends it.
 *
 * Long, because what renews, drops and ends a token are rules about the same few requests, counted together.
 */

let world: World;
/** Another stand-in, that gives refresh tokens. */
let refreshing: World;

beforeAll(async () => {
  world = await startWorld();
  refreshing = await startWorld({ standIn: { refreshTokens: true } });
});
afterAll(async () => {
  await world.stop();
  await refreshing.stop();
});

const fault = (call: Promise<unknown>): Promise<AppError> =>
  call.then(
    () => expect.unreachable("the call succeeded"),
    (error: unknown) => (isAppError(error) ? error : Promise.reject(error as Error)),
  );

function on(at: World, n: number) {
  const ref = at.connect(n);
  const row = at.tokens.rows.get(ref.id)!;
  const account = at.service.account(ref);
  return { ref, row, account, list: (signal?: AbortSignal) => account.listPage({ ...INTERACTIVE, page: 1, signal }) };
}

const calls = (at: World, n: number) => at.standIn.report().callsByClient[`test:test-client-${n}`] ?? {};

describe("tokens", () => {
  test.concurrent("200 concurrent calls at token expiry make one token request", async () => {
    const { ref, row, list } = on(world, 1);
    row.token = { accessToken: "old", refreshToken: null, scope: null, obtainedAtMs: 0, expiresAtMs: Date.now() - 1 };
    const stop = new AbortController();
    const all = Array.from({ length: 200 }, () => list(stop.signal));
    const ends = Promise.allSettled(all);
    await Promise.race(all);
    expect(calls(world, 1)).toMatchObject({ token: 1 });
    stop.abort();
    await ends;
    expect(calls(world, 1)).toMatchObject({ token: 1 });
    expect(world.tokens.rows.get(ref.id)?.token?.accessToken).not.toBe("old");
  });

  test.concurrent("no call reads the store once the token is known", async () => {
    const own = await startWorld();
    const { list } = on(own, 1);
    for (let count = 0; count < 3; count += 1) await list();
    expect(own.tokens.counts).toEqual({ reads: 2, saves: 1, invalid: 0 });
    await own.stop();
  });

  test.concurrent("a token revoked behind our back: one more request, and the call succeeds", async () => {
    const { ref, list } = on(world, 2);
    await list();
    world.standIn.revokeTokens(ref.clientId);
    expect(await list()).toMatchObject({ page: 1 });
    expect(calls(world, 2)).toEqual({ token: 2, list: 3 });
  });

  test.concurrent(
    "a 401 is a definite refusal: a write is repeated once, its pending write committed again before",
    async () => {
      const { ref, account, list } = on(world, 3);
      await list();
      world.standIn.revokeTokens(ref.clientId);
      let commits = 0;
      const written = await account.create(DRAFT, { ...WRITE, beforeSend: async () => void (commits += 1) });
      expect([written.kind, commits]).toEqual(["written", 2]);
      expect(world.standIn.templates(ref.clientId)).toHaveLength(1);
    },
  );

  test.concurrent("a second 401 with a fresh token is `unauthorized`, and nothing happened", async () => {
    const { ref, account } = on(world, 4);
    world.standIn.faults.set({ kind: "unauthorized", clientId: ref.clientId });
    expect(await fault(account.create(DRAFT, WRITE))).toMatchObject({
      kind: "unauthorized",
      status: 401,
      effect: "none",
    });
    expect(calls(world, 4)).toEqual({ token: 2, create: 2 });
  });

  test.concurrent("a wrong secret: one request, then none until it is changed", async () => {
    const { ref, row, list } = on(world, 5);
    row.credentials = { ...row.credentials!, clientSecret: "wrong" };
    const first = await Promise.all([fault(list()), fault(list()), fault(list())]);
    expect(first.map(({ kind }) => kind)).toEqual(["invalid_client", "invalid_client", "invalid_client"]);
    expect(first[0]!.serviceMessage).toMatch(/\S/);
    expect(row).toMatchObject({ state: "invalid", version: 2 });
    expect((await fault(list())).kind).toBe("invalid_client");
    // The same at the version that says so, and after a restart.
    const invalid: ConnectionRef = { ...ref, version: 2 };
    expect((await fault(world.service.account(invalid).listPage({ ...INTERACTIVE, page: 1 }))).kind).toBe(
      "invalid_client",
    );
    expect(calls(world, 5)).toEqual({ token: 1 });
    Object.assign(row, {
      version: 3,
      state: "active",
      credentials: { ...row.credentials!, clientSecret: "test-secret-5" },
    });
    const mended = world.service.account({ ...ref, version: 3 });
    expect(await mended.listPage({ ...INTERACTIVE, page: 1 })).toMatchObject({ page: 1 });
  });

  test.concurrent("a refresh token is used when there is one", async () => {
    const { ref, list, row } = on(refreshing, 1);
    await list();
    row.token = { ...row.token!, expiresAtMs: Date.now() - 1 };
    refreshing.service.forget(ref.id);
    await list();
    const grants = refreshing.sentFor(ref).flatMap(({ body }) => new URLSearchParams(body).get("grant_type") ?? []);
    expect(grants).toEqual(["client_credentials", "refresh_token"]);
  });

  test.concurrent("a refresh that is refused falls back to the client's credentials", async () => {
    const { ref, list, row } = on(refreshing, 2);
    await list();
    row.token = { ...row.token!, refreshToken: "long gone", expiresAtMs: Date.now() - 1 };
    refreshing.service.forget(ref.id);
    await list();
    const grants = refreshing.sentFor(ref).flatMap(({ body }) => new URLSearchParams(body).get("grant_type") ?? []);
    expect(grants).toEqual(["client_credentials", "refresh_token", "client_credentials"]);
  });

  test.concurrent("a token is renewed before it expires, and nobody waits for that", async () => {
    const { ref, row, list } = on(world, 21);
    await list();
    // Of two hours the last five minutes are the margin, times 0.8 to 1.
    const first = { ...row.token!, obtainedAtMs: Date.now() - 7_000_000, expiresAtMs: Date.now() + 200_000 };
    row.token = first;
    world.service.forget(ref.id);
    world.standIn.faults.set({ kind: "slow", clientId: ref.clientId, operations: ["token"], way: "in", delayMs: 500 });
    await list();
    expect(row.token).toEqual(first);
    while (row.token.accessToken === first.accessToken) await pause(20);
    expect(calls(world, 21)).toEqual({ token: 2, list: 2 });
  });

  test.concurrent("a renewal that fails leaves the old token in use while it serves", async () => {
    const { ref, row, list } = on(world, 22);
    await list();
    row.token = { ...row.token!, obtainedAtMs: Date.now() - 7_000_000, expiresAtMs: Date.now() + 2_500 };
    world.service.forget(ref.id);
    world.standIn.faults.set({ kind: "error-before", clientId: ref.clientId, operations: ["token"], status: 503 });
    expect(await list()).toMatchObject({ page: 1 });
    await pause(row.token.expiresAtMs - Date.now() + 10);
    expect(await fault(list())).toMatchObject({ kind: "server_error", status: 503 });
  });
});

describe("a connection's version", () => {
  test.concurrent(
    "a call for an older version is superseded before it is sent, as soon as the new one is known",
    async () => {
      const { ref, row, account, list } = on(world, 6);
      await list();
      row.version = 2;
      const newer = world.service.account({ ...ref, version: 2 });
      await newer.listPage({ ...INTERACTIVE, page: 1 });
      const before = calls(world, 6);
      expect(await fault(account.get("x", INTERACTIVE))).toMatchObject({ kind: "superseded", effect: "none" });
      expect(calls(world, 6)).toEqual(before);
    },
  );

  test.concurrent("a notice makes it known at once", async () => {
    const { ref, row, list } = on(world, 7);
    await list();
    row.version = 2;
    world.service.forget(ref.id);
    expect((await fault(list())).kind).toBe("superseded");
    expect(calls(world, 7)).toEqual({ token: 1, list: 1 });
  });

  test.concurrent("a call that waits for its slot when the version moves is not sent either", async () => {
    const { ref, row, list } = on(world, 8);
    await list();
    const waiting = fault(list());
    await pause(20);
    row.version = 2;
    world.service.forget(ref.id);
    expect((await waiting).kind).toBe("superseded");
  });

  test.concurrent("a call that is ahead of the store is superseded", async () => {
    const { ref } = on(world, 9);
    const ahead = world.service.account({ ...ref, version: 7 });
    expect((await fault(ahead.get("x", INTERACTIVE))).kind).toBe("superseded");
  });

  test.concurrent("a token that arrives for a version gone by is given back", async () => {
    const { ref, row, list } = on(world, 10);
    world.standIn.faults.set({ kind: "slow", clientId: ref.clientId, operations: ["token"], way: "out", delayMs: 200 });
    const call = fault(list());
    await pause(100);
    row.version = 2;
    expect((await call).kind).toBe("superseded");
    expect(calls(world, 10)).toEqual({ token: 1, revoke: 1 });
    expect(row.token).toBeNull();
  });

  test.concurrent.each([
    ["disconnected", "not_connected"],
    ["aside", "not_connected"],
    ["invalid", "invalid_client"],
  ] as const)("a connection that is %s sends nothing", async (state, kind) => {
    const own = { shop: `${state}.myshopify.com` };
    const ref = world.connect(11, own);
    world.tokens.rows.get(ref.id)!.state = state;
    expect((await fault(world.service.account(ref).get("x", INTERACTIVE))).kind).toBe(kind);
    expect(calls(world, 11)).toEqual({});
  });

  test.concurrent(
    "a connection the store does not know is not_connected, and a store that fails is internal",
    async () => {
      const { ref } = on(world, 12);
      expect((await fault(world.service.account({ ...ref, id: "nobody" }).get("x", INTERACTIVE))).kind).toBe(
        "not_connected",
      );
      const own = await startWorld();
      own.tokens.store.read = () => Promise.reject(new Error("disk full"));
      expect((await fault(own.service.account(own.connect(1)).get("x", INTERACTIVE))).kind).toBe("internal");
      await own.stop();
    },
  );
});

test("repeated wrong secrets are held back by shop, and a right one ends that", async () => {
  const { row } = on(world, 13);
  const wrong = { ...row.credentials!, clientSecret: "wrong" };
  const tries = [];
  for (let count = 0; count < 4; count += 1) tries.push(await world.service.obtainToken(wrong, INTERACTIVE));
  expect(tries.map((outcome) => outcome.kind === "invalid_client" && outcome.retryAtMs !== null)).toEqual([
    false,
    false,
    false,
    true,
  ]);
  const [, , , held] = tries;
  if (held?.kind === "invalid_client") expect(held.retryAtMs! - Date.now()).toBeGreaterThan(10_000);
  expect(calls(world, 13)).toEqual({ token: 3 });
  const otherShop = world.connect(14);
  expect(await world.service.obtainToken(world.tokens.rows.get(otherShop.id)!.credentials!, INTERACTIVE)).toMatchObject(
    { kind: "issued" },
  );
});
