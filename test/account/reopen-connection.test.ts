import { describe, expect, test } from "vitest";
import { readShell } from "../../app/pages/read-shell.ts";
import { connectAccount } from "../../app/account/connect-account.ts";
import { SHOP } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import type { CallOutcome } from "../fakes/shipping/network.ts";
import { REQUEST_LOST } from "../fakes/shipping/outcomes.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** A connection that the service closed is asked for again at each look at everything, once. */

const HOUR_MS = 3_600_000;

const said = (status: number, body: string): CallOutcome => ({
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: { kind: "said", status, body, afterMs: 20 },
});
const INVALID = said(401, JSON.stringify({ error: "invalid_client", error_description: "Cliente desconocido." }));

const tokenRequests = (world: World) => world.requests.filter(({ operation }) => operation === "token").length;
const current = async (world: World) => (await world.store.connections.find({ shop: SHOP, current: true }))!;

/** A location in step; then the service refuses the client, and the location changes. */
async function closed(): Promise<{ world: World; key: string }> {
  const world = await createWorld();
  const key = await world.addLocation(1);
  world.start();
  await world.requestWork("reconcile", "shop");
  await world.runFor();
  world.outcomeOf = (operation) => (operation === "token" ? INVALID : PROMPT);
  await world.store.connections.update({ shop: SHOP }, { tokenExpiresAtMs: 0 });
  world.services.shipping.forget("connection-1");
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
  await world.requestWork("location", key);
  world.requests.length = 0;
  await world.runFor();
  expect(await current(world)).toMatchObject({ state: "invalid" });
  expect(tokenRequests(world)).toBe(1);
  world.requests.length = 0;
  return { world, key };
}

/** Until the next look at everything has ended. */
async function nextReconcile(world: World): Promise<void> {
  const { observedGeneration } = await world.workItem("reconcile", "shop");
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  while ((await world.workItem("reconcile", "shop")).observedGeneration === observedGeneration)
    await world.runFor(1_000);
  await world.runFor();
}

describe("a connection that the service closed", () => {
  test("is asked for after a minute, five and fifteen, then at the next look at everything, and stays closed while it is refused", async () => {
    const { world } = await closed();
    const asked = [];
    for (const minutes of [1, 3, 2, 8, 2]) {
      await world.runFor(minutes * 60_000);
      asked.push(tokenRequests(world));
    }
    expect(asked).toEqual([1, 1, 2, 2, 3]);
    await world.runFor(4 * HOUR_MS);
    expect(tokenRequests(world)).toBe(3);
    await world.runFor(4 * HOUR_MS);
    expect(tokenRequests(world)).toBe(4);
    expect(world.requests).toHaveLength(4);
    expect(await current(world)).toMatchObject({ state: "invalid", failures: 0 });
    expect(await world.store.activity.count({ shop: SHOP, kind: "connection_refused" })).toBe(1);
  });

  test("opens by itself when the service accepts the credentials again: told, the banner gone, and what waited done", async () => {
    const { world, key } = await closed();
    expect((await readShell(world.services, { shop: SHOP }))!.connection.health).toBe("invalid");
    world.outcomeOf = () => PROMPT;
    await nextReconcile(world);
    expect(await current(world)).toMatchObject({ state: "active", lastFaultKind: null, failures: 0 });
    expect((await readShell(world.services, { shop: SHOP }))!.connection.health).toBe("ready");
    expect(await world.store.activity.find({ shop: SHOP, kind: "connection_reopened" })).toMatchObject({
      actor: "service",
      outcome: "done",
    });
    expect(world.templateOf(key)!.address.street_number).toBe("777");
    // The token that opened it serves.
    expect(tokenRequests(world)).toBe(1);
  });

  test.each([
    ["nobody answers", REQUEST_LOST],
    ["something on the way answers", said(401, "<html>login</html>")],
    ["the service has a problem", said(503, "{}")],
  ])("stays closed and is asked once where %s, and sooner again than in six hours", async (_name, outcome) => {
    const { world } = await closed();
    world.outcomeOf = (operation) => (operation === "token" ? outcome : PROMPT);
    await nextReconcile(world);
    expect(await current(world)).toMatchObject({ state: "invalid", failures: 0, backoffUntilMs: null });
    expect(tokenRequests(world)).toBe(1);
    world.outcomeOf = () => PROMPT;
    await world.runFor(HOUR_MS);
    expect(await current(world)).toMatchObject({ state: "active" });
    expect(tokenRequests(world)).toBe(2);
  });

  test("whose links belong to another client id is not opened without its owner's word", async () => {
    const { world } = await closed();
    const link = (await world.store.links.find({ shop: SHOP }))!;
    await world.store.connections.insert({
      ...(await current(world)),
      id: "older",
      clientId: "older",
      current: false,
      state: "aside",
    });
    await world.store.links.update({ id: link.id }, { connectionId: "older" });
    world.outcomeOf = () => PROMPT;
    world.account.byPerson.remove(link.templateId);
    await nextReconcile(world);
    expect(await current(world)).toMatchObject({ state: "unconfirmed" });
  });

  test("is the owner's, whose new credentials come while it is asked for", async () => {
    const { world } = await closed();
    let answered = false;
    world.outcomeOf = (operation) => {
      if (operation !== "token" || answered) return PROMPT;
      answered = true;
      return { ...PROMPT, answer: { kind: "true", afterMs: 5_000 } };
    };
    await world.requestWork("reconcile", "shop");
    world.services.wake();
    while (!answered) await world.runFor(100);
    const stated = {
      environment: "test",
      clientId: null,
      clientSecret: "newer",
      scope: null,
      redirectUri: null,
    } as const;
    expect(await world.clock.runWhile(connectAccount(world.services, { shop: SHOP, stated }))).toEqual({
      kind: "connected",
    });
    const { version } = await current(world);
    await world.runFor();
    expect(await current(world)).toMatchObject({ state: "active", version });
    expect((await current(world)).clientSecret!.reveal()).toBe("newer");
    expect(await world.store.activity.count({ shop: SHOP, kind: "connection_reopened" })).toBe(0);
    expect(world.requests.filter(({ operation }) => operation === "revoke")).toHaveLength(1);
  });
});
