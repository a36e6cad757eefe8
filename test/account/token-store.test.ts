import { describe, expect, test } from "vitest";
import { createTokenStore } from "../../app/account/token-store.ts";
import { createVirtualClock } from "../fakes/clock.ts";
import { createMemoryStore } from "../fakes/memory-store.ts";
import { createSeededRandom } from "../fakes/random.ts";
import { SHOP, connectionRecord, shopRecord } from "../fakes/records.ts";

const token = { accessToken: "new-token", refreshToken: null, scope: "read", obtainedAtMs: 1, expiresAtMs: 2 };

async function start(over: Parameters<typeof connectionRecord>[0] = {}) {
  const store = createMemoryStore();
  await store.shops.insert(shopRecord());
  await store.connections.insert(connectionRecord({ version: 3, state: "active", ...over }));
  const tokens = createTokenStore({ store, clock: createVirtualClock(), random: createSeededRandom(1) });
  return { store, tokens, connection: async () => (await store.connections.find({ id: "connection-1" }))! };
}

describe("tokens in their connection's row", () => {
  test("are read with the credentials, and without when the secret was forgotten", async () => {
    const { tokens, store } = await start();
    expect(await tokens.read("connection-1")).toMatchObject({
      version: 3,
      state: "active",
      credentials: { clientSecret: "client-secret-1" },
    });
    await store.connections.update({ id: "connection-1" }, { clientSecret: null, accessToken: null });
    expect(await tokens.read("connection-1")).toMatchObject({ credentials: null, token: null });
    expect(await tokens.read("nobody")).toBeNull();
  });

  test("are saved for the version they were fetched with, and no other", async () => {
    const { tokens, connection } = await start();
    expect(await tokens.save({ connectionId: "connection-1", version: 2, token })).toBe(false);
    expect((await connection()).tokenScope).not.toBe("read");
    expect(await tokens.save({ connectionId: "connection-1", version: 3, token })).toBe(true);
    expect((await connection()).accessToken!.reveal()).toBe("new-token");
  });

  test("a refused client is marked once, told once, and never after the owner moved on", async () => {
    const { tokens, connection, store } = await start();
    const refusal = {
      connectionId: "connection-1",
      version: 3,
      serviceMessage: "cliente desconocido",
      requestId: "r-1",
    };
    await tokens.markInvalid(refusal);
    await tokens.markInvalid(refusal);
    expect(await connection()).toMatchObject({ state: "invalid", version: 4, lastFaultKind: "invalid_client" });
    expect(await store.activity.list({ shop: SHOP })).toMatchObject([
      { kind: "connection_refused", outcome: "failed", detail: "cliente desconocido", requestId: "r-1" },
    ]);
    await store.connections.update({ id: "connection-1" }, { state: "disconnected" });
    await tokens.markInvalid({ ...refusal, version: 4 });
    expect((await connection()).state).toBe("disconnected");
  });
});
