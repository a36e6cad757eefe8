import { describe, expect, test } from "vitest";
import type { Environment } from "../../../app/domain/records.ts";
import { Secret } from "../../../app/domain/secret.ts";
import { confirmAccount } from "../../../app/account/confirm-account.ts";
import { connectAccount } from "../../../app/account/connect-account.ts";
import { disconnectAccount, forgetDisconnected } from "../../../app/account/disconnect-account.ts";
import { introspectToken } from "../../../app/account/introspect-token.ts";
import { recordActivity } from "../../../app/activity/record-activity.ts";
import { readActivity } from "../../../app/pages/read-activity.ts";
import { readHome } from "../../../app/pages/read-home.ts";
import { readSettings } from "../../../app/pages/read-settings.ts";
import { refreshConnection } from "../../../app/pages/refresh-connection.ts";
import { testCredentials } from "../../../app/account/test-credentials.ts";
import { runNow } from "../../../app/runs/run-now.ts";
import type { StatedCredentials } from "../../../app/account/try-credentials.ts";
import { refOf } from "../../../app/runs/circuit-breaker.ts";
import { createFakeAccount } from "../../fakes/shipping/account.ts";
import {
  SHOP,
  connectionRecord,
  linkRecord,
  locationGid,
  shopRecord,
  verificationRecord,
} from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";
import { ALL_ACTIVITY } from "../../../app/views/activity.ts";

/**
 * A shop connects, changes its credentials or its account, and disconnects.
 *
 * Long, because each step is tried with every earlier state of the connection, on one stage.
 */

const OTHER_SHOP = "two.myshopify.com";

function stated(clientId: string | null, over: Partial<StatedCredentials> = {}): StatedCredentials {
  return { environment: "test", clientId, clientSecret: "a-secret", scope: null, redirectUri: null, ...over };
}

const connect = (world: World, credentials: StatedCredentials, shop = SHOP) =>
  world.clock.runWhile(connectAccount(world.services, { shop, stated: credentials }));

const current = (world: World) => world.store.connections.find({ shop: SHOP, current: true });

const silence = { arrivesAfterMs: null, effectAfterMs: null, answer: { kind: "reset", afterMs: 50 } } as const;

/** Another account beside the first. */
function addAccount(world: World, clientId: string) {
  const account = createFakeAccount({
    habits: { wipes: false, tidies: false, refuses: [] },
    newId: () => world.services.random.id(),
  });
  world.accounts.set(clientId, account);
  return account;
}

/** A link of the first connection, and what a carrier said of its template. */
async function link(world: World, templateId: string) {
  await world.store.links.insert(linkRecord({ locationId: locationGid(1), templateId }));
  await world.store.verifications.insert(verificationRecord({ templateId, carrier: "fedex", outcome: "accepted" }));
}

describe("connecting", () => {
  test("gets a token there and then, keeps it, and looks at everything", async () => {
    const world = await createWorld({ connected: false });
    expect(await connect(world, stated("client-1"))).toEqual({ kind: "connected" });
    expect(await current(world)).toMatchObject({
      state: "active",
      version: 1,
      clientId: "client-1",
      tokenScope: "default",
    });
    expect((await current(world))!.accessToken!.reveal()).toMatch(/^token-of-client-1/);
    expect((await world.workItem("reconcile", "shop")).generation).toBe(1);
    expect(await world.store.activity.find({ shop: SHOP, kind: "connected" })).toMatchObject({ actor: "owner" });
  });

  test("stores nothing when the service refuses, and points to the other environment", async () => {
    const world = await createWorld({ connected: false });
    const other: Record<Environment, Environment> = { test: "production", production: "test" };
    for (const environment of ["test", "production"] as const) {
      const outcome = await connect(world, stated("nobody", { environment }));
      expect(outcome).toMatchObject({
        kind: "invalid_client",
        serviceMessage: "no such client",
        otherEnvironment: other[environment],
      });
    }
    expect(await world.store.connections.count({ shop: SHOP })).toBe(0);
    expect(await world.store.activity.count({ shop: SHOP })).toBe(0);
  });

  test("says which field is empty without spending a call", async () => {
    const world = await createWorld({ connected: false });
    expect(await connect(world, stated(null, { clientSecret: null }))).toEqual({
      kind: "missing",
      fields: ["clientId", "clientSecret"],
    });
    expect(world.arrivals).toEqual([]);
  });

  test("says that the service cannot be reached, and changes nothing", async () => {
    const world = await createWorld();
    world.outcomeOf = () => silence;
    const before = await current(world);
    expect(await connect(world, stated("client-1"))).toMatchObject({
      kind: "unreachable",
      fault: { kind: "transport" },
    });
    expect(await current(world)).toEqual(before);
  });

  test("a new secret keeps the connection and its links; an empty one keeps the stored secret", async () => {
    const world = await createWorld();
    await link(world, "template-1");
    const before = (await current(world))!;
    expect(await connect(world, stated(null, { clientSecret: "newer" }))).toEqual({ kind: "connected" });
    expect(await current(world)).toMatchObject({ id: before.id, version: before.version + 1, state: "active" });
    expect((await current(world))!.clientSecret!.reveal()).toBe("newer");
    await connect(world, stated(null, { clientSecret: null, scope: "read" }));
    expect((await current(world))!.clientSecret!.reveal()).toBe("newer");
    expect(await current(world)).toMatchObject({ scope: "read", version: before.version + 2 });
    expect(await world.store.links.count({ connectionId: before.id })).toBe(1);
    expect(await world.store.activity.count({ shop: SHOP, kind: "credentials_changed" })).toBe(2);
  });

  test("never takes another shop's stored secret", async () => {
    const world = await createWorld();
    await world.store.shops.insert(shopRecord({ shop: OTHER_SHOP }));
    const outcome = await connect(world, stated("client-1", { clientSecret: null }), OTHER_SHOP);
    expect(outcome).toEqual({ kind: "missing", fields: ["clientSecret"] });
  });
});

describe("a new client id", () => {
  test("without links puts the old connection aside", async () => {
    const world = await createWorld();
    addAccount(world, "client-2");
    expect(await connect(world, stated("client-2"))).toEqual({ kind: "connected" });
    expect(await world.store.connections.find({ clientId: "client-1" })).toMatchObject({
      state: "aside",
      current: false,
      version: 2,
    });
    expect(await world.store.connections.count({ shop: SHOP, current: true })).toBe(1);
  });

  test("whose book holds a linked template is the same account: links and verdicts pass over", async () => {
    const world = await createWorld();
    await link(world, "template-1");
    addAccount(world, "client-2").create(
      { alias_name: "Bodega", address_type: "from", address_attributes: {} },
      "template-1",
    );
    expect(await connect(world, stated("client-2"))).toEqual({ kind: "connected" });
    const { id, state } = (await current(world))!;
    expect(state).toBe("active");
    expect(await world.store.links.list({ shop: SHOP })).toMatchObject([
      { connectionId: id, templateId: "template-1" },
    ]);
    expect(await world.store.verifications.list({ shop: SHOP })).toMatchObject([
      { connectionId: id, outcome: "accepted" },
    ]);
  });

  test("and back to the first one: the links come back too, and nothing is doubled", async () => {
    const world = await createWorld();
    const locationId = await world.addLocation(1);
    const worker = world.start();
    await world.runFor();
    world.accounts.set("client-2", world.account);
    for (const clientId of ["client-2", "client-1"]) {
      expect(await connect(world, stated(clientId))).toEqual({ kind: "connected" });
      await world.runFor();
      expect(await world.store.links.list({ shop: SHOP })).toMatchObject([
        { connectionId: (await current(world))!.id, locationId },
      ]);
    }
    expect(world.account.templates.size).toBe(1);
    await world.clock.runWhile(worker.stop());
  });

  test("of the same account, while a write is unclear: it is cleared up there, and our own words are no drift", async () => {
    const world = await createWorld({ habits: { wipes: true } });
    const locationId = await world.addLocation(1);
    const worker = world.start();
    await world.runFor();
    world.outcomeOf = (asked) =>
      asked === "update"
        ? { arrivesAfterMs: 20, effectAfterMs: 60_000, answer: { kind: "server_error", afterMs: 20 } }
        : PROMPT;
    world.shopify.put(SHOP, shopifyLocation(1, { name: "Bodega 9", address: mexicanAddress({ number: "777" }) }));
    await world.requestWork("location", locationId);
    await world.runFor(5_000);
    world.outcomeOf = () => PROMPT;
    world.accounts.set("client-2", world.account);
    expect(await connect(world, stated("client-2"))).toEqual({ kind: "connected" });
    await world.runFor(200_000);
    expect(await world.store.links.list({ shop: SHOP })).toMatchObject([{ locationId, differences: [] }]);
    expect(world.templateOf(locationId)!.address).toMatchObject({ street_number: "777", name: "Ana Pérez" });
    await world.clock.runWhile(worker.stop());
  });

  test.each(["told by a template", "told by the owner"])("of the second of two accounts, %s", async (how) => {
    const world = await createWorld();
    await link(world, "template-1");
    const second = addAccount(world, "client-2");
    await connect(world, stated("client-2"));
    await confirmAccount(world.services, { shop: SHOP, same: false });
    const { id: secondId } = (await current(world))!;
    await world.store.links.insert(
      linkRecord({ id: "link-2", connectionId: secondId, locationId: locationGid(1), templateId: "template-2" }),
    );
    if (how === "told by a template")
      second.create({ alias_name: "Bodega", address_type: "from", address_attributes: {} }, "template-2");
    await world.runFor(1_000);
    world.accounts.set("client-3", second);
    await connect(world, stated("client-3"));
    await confirmAccount(world.services, { shop: SHOP, same: true });
    const { id } = (await current(world))!;
    expect(await world.store.links.list({ shop: SHOP }, { orderBy: { templateId: "asc" } })).toMatchObject([
      { connectionId: "connection-1", templateId: "template-1" },
      { connectionId: id, templateId: "template-2" },
    ]);
  });

  test("that was not told apart yet is asked about again with the next secret", async () => {
    const world = await createWorld();
    await link(world, "template-1");
    addAccount(world, "client-2");
    await connect(world, stated("client-2"));
    await world.clock.runWhile(disconnectAccount(world.services, { shop: SHOP }));
    expect(await connect(world, stated("client-2"))).toEqual({ kind: "unconfirmed" });
  });

  test("that cannot be told waits for the owner, who may say that it is another", async () => {
    const world = await createWorld();
    await link(world, "template-1");
    addAccount(world, "client-2");
    expect(await connect(world, stated("client-2"))).toEqual({ kind: "unconfirmed" });
    expect((await readSettings(world.services, { shop: SHOP }))!.connection).toMatchObject({
      state: "unconfirmed",
      linksKept: 1,
    });
    expect(await confirmAccount(world.services, { shop: SHOP, same: false })).toBe(true);
    expect(await current(world)).toMatchObject({ state: "active", clientId: "client-2" });
    expect(await world.store.links.find({ templateId: "template-1" })).toMatchObject({ connectionId: "connection-1" });
    expect(await confirmAccount(world.services, { shop: SHOP, same: true })).toBe(false);
  });

  test("of the other environment asks nothing: each environment keeps its own links", async () => {
    const world = await createWorld();
    await link(world, "template-1");
    addAccount(world, "client-9");
    expect(await connect(world, stated("client-9", { environment: "production" }))).toEqual({ kind: "connected" });
    expect(await connect(world, stated("client-1"))).toEqual({ kind: "connected" });
    expect(await current(world)).toMatchObject({ id: "connection-1", state: "active" });
  });

  test("whose book does not come in time is asked about, not guessed", async () => {
    const world = await createWorld();
    await link(world, "template-1");
    addAccount(world, "client-2");
    world.outcomeOf = (operation) => (operation === "list" ? silence : PROMPT);
    expect(await connect(world, stated("client-2"))).toEqual({ kind: "unconfirmed" });
  });
});

test("a failure of the connection that was does not rest the one that is", async () => {
  const world = await createWorld();
  const key = await world.addLocation(1);
  let met = false;
  world.outcomeOf = (operation) => {
    if (met || operation !== "create") return PROMPT;
    met = true;
    return { arrivesAfterMs: 20, effectAfterMs: null, answer: { kind: "server_error", afterMs: 5_000 } };
  };
  const requested = await world.requestWork("location", key);
  const run = runNow(world.services, { shop: SHOP, ...requested });
  await world.clock.runFor(3_000);
  expect(met).toBe(true);
  await connect(world, stated("client-1", { clientSecret: "a-new-secret" }));
  await world.clock.runWhile(run);
  await world.runFor(5_000);
  expect(await current(world)).toMatchObject({ version: 2, failures: 0, backoffUntilMs: null });
});

describe("testing credentials", () => {
  test("says that they work, swaps nothing, and gives the token back", async () => {
    const world = await createWorld();
    const before = await current(world);
    const outcome = await world.clock.runWhile(
      testCredentials(world.services, { shop: SHOP, stated: stated("client-1") }),
    );
    expect(outcome).toEqual({ kind: "works", scope: "default" });
    await world.runFor(5_000);
    expect(world.calls).toEqual(["revoke"]);
    expect(await current(world)).toEqual(before);
  });
});

describe("disconnecting", () => {
  test("stops, revokes, forgets; links and details stay", async () => {
    const world = await createWorld();
    await connect(world, stated("client-1"));
    await link(world, "template-1");
    const { version } = (await current(world))!;
    expect(await world.clock.runWhile(disconnectAccount(world.services, { shop: SHOP }))).toBe(true);
    const after = (await current(world))!;
    expect(after).toMatchObject({
      state: "disconnected",
      version: version + 1,
      clientSecret: null,
      accessToken: null,
      refreshToken: null,
    });
    expect(world.calls).toEqual(["revoke"]);
    expect(await world.store.links.count({ shop: SHOP })).toBe(1);
    expect(await world.clock.runWhile(disconnectAccount(world.services, { shop: SHOP }))).toBe(false);
  });

  test("forgets the accounts that were set aside too, test and production alike", async () => {
    const world = await createWorld();
    await connect(world, stated("client-1"));
    addAccount(world, "client-2");
    await connect(world, stated("client-2"));
    const aside = { clientId: "client-3", environment: "production", state: "aside", current: false } as const;
    await world.store.connections.insert(connectionRecord({ id: "live", accessToken: new Secret("a"), ...aside }));
    await world.store.shops.insert(shopRecord({ shop: OTHER_SHOP }));
    await world.store.connections.insert(connectionRecord({ id: "theirs", shop: OTHER_SHOP, ...aside }));
    await world.clock.runWhile(disconnectAccount(world.services, { shop: SHOP }));
    await world.runFor(30_000);
    const own = await world.store.connections.list({ shop: SHOP });
    expect(own.map(({ state, clientSecret, accessToken }) => [state, clientSecret, accessToken])).toEqual(
      Array.from({ length: 3 }, () => ["disconnected", null, null]),
    );
    expect(world.calls.filter((call) => call === "revoke").length).toBe(3);
    expect((await world.store.connections.find({ id: "theirs" }))!.clientSecret).not.toBeNull();
    expect(await connect(world, stated("client-1", { clientSecret: null }))).toEqual({
      kind: "missing",
      fields: ["clientSecret"],
    });
  });

  test("sends nothing more for whoever still holds the connection", async () => {
    const world = await createWorld();
    await connect(world, stated("client-1"));
    const connection = (await current(world))!;
    const account = world.services.shipping.account(refOf(connection));
    await world.clock.runWhile(account.listPage({ page: 1, priority: "sync" }));
    await world.clock.runWhile(disconnectAccount(world.services, { shop: SHOP }));
    world.calls.length = 0;
    const late = account.listPage({ page: 1, priority: "sync" });
    await expect(world.clock.runWhile(late)).rejects.toMatchObject({ kind: "superseded" });
    expect(world.calls).toEqual([]);
  });

  test("ends what waited for its turn, reads too", async () => {
    const world = await createWorld();
    await connect(world, stated("client-1"));
    const account = world.services.shipping.account(refOf((await current(world))!));
    const reads = [1, 2, 3].map((number) => account.get(`template-${number}`, { priority: "reconcile" }));
    const ends = Promise.allSettled(reads);
    await world.clock.runFor(200);
    await world.clock.runWhile(disconnectAccount(world.services, { shop: SHOP }));
    const told = (await world.clock.runWhile(ends)).map((end) =>
      end.status === "rejected" ? end.reason.kind : "read",
    );
    expect(told.toSorted()).toEqual(["read", "read", "superseded"]);
    expect(world.calls).toEqual(["get", "get", "revoke"]);
  });

  test("forgets although the service does not confirm", async () => {
    const world = await createWorld();
    await connect(world, stated("client-1"));
    world.outcomeOf = () => silence;
    await world.clock.runWhile(disconnectAccount(world.services, { shop: SHOP }));
    await world.runFor(60_000);
    expect(await current(world)).toMatchObject({ state: "disconnected", clientSecret: null });
  });

  test("forgets at once though the tokens cannot be revoked yet", async () => {
    const world = await createWorld();
    await connect(world, stated("client-1"));
    world.outcomeOf = () => ({
      arrivesAfterMs: 60_000,
      effectAfterMs: null,
      answer: { kind: "reset", afterMs: 60_000 },
    });
    const ended = disconnectAccount(world.services, { shop: SHOP });
    await world.clock.runFor(1);
    expect(await current(world)).toMatchObject({ state: "disconnected", clientSecret: null, accessToken: null });
    expect(await world.clock.runWhile(ended)).toBe(true);
  });

  test("at boot leaves a shop alone that connects again while it is looked for", async () => {
    const world = await createWorld();
    await world.store.connections.update({ id: "connection-1" }, { state: "disconnected" });
    const { store } = world.services;
    const connectsMeanwhile = {
      ...store,
      connections: {
        ...store.connections,
        async list(...asked: Parameters<typeof store.connections.list>) {
          const found = await store.connections.list(...asked);
          await store.connections.update(
            { id: "connection-1", state: "disconnected" },
            { state: "active", version: 7 },
          );
          return found;
        },
      },
    };
    await forgetDisconnected({ ...world.services, store: connectsMeanwhile });
    const { state, clientSecret } = (await current(world))!;
    expect({ state, kept: clientSecret !== null }).toEqual({ state: "active", kept: true });
  });

  test("that a crash cut in two is ended at boot, and a connection in use is left alone", async () => {
    const world = await createWorld();
    await forgetDisconnected(world.services);
    expect((await current(world))!.clientSecret).not.toBeNull();
    await world.store.connections.update({ id: "connection-1" }, { state: "disconnected" });
    await forgetDisconnected(world.services);
    expect((await current(world))!.clientSecret).toBeNull();
  });

  test("from before it forgot what was set aside is completed at boot", async () => {
    const world = await createWorld();
    await world.store.connections.update({ id: "connection-1" }, { state: "disconnected", clientSecret: null });
    const aside = { id: "aside", clientId: "client-2", state: "aside", current: false } as const;
    await world.store.connections.insert(connectionRecord(aside));
    await forgetDisconnected(world.services);
    expect(await world.store.connections.find({ id: "aside" })).toMatchObject({
      state: "disconnected",
      clientSecret: null,
    });
  });
});

describe("asking about the token", () => {
  test("tells the service's word, that there is none, or that it cannot be asked", async () => {
    const world = await createWorld();
    const ask = () => world.clock.runWhile(introspectToken(world.services, { shop: SHOP }));
    await connect(world, stated("client-1"));
    expect(await ask()).toMatchObject({ kind: "checked", active: true });
    world.outcomeOf = () => silence;
    expect(await ask()).toMatchObject({ kind: "unreachable" });
    await world.clock.runWhile(disconnectAccount(world.services, { shop: SHOP }));
    expect(await ask()).toEqual({ kind: "no_token" });
  });
});

describe("the banner's button", () => {
  test("mends a connection as soon as the service answers", async () => {
    const world = await createWorld();
    world.start();
    // The look at everything that each boot begins with is another one.
    await world.runFor(1_000);
    await world.store.connections.update(
      { id: "connection-1" },
      { failures: 3, backoffUntilMs: world.clock.nowMs() + 60_000, lastFaultKind: "timeout" },
    );
    expect(await world.clock.runWhile(refreshConnection(world.services, { shop: SHOP }))).toBe("mended");
    expect(await current(world)).toMatchObject({ failures: 0, backoffUntilMs: null });
  });

  test("says that it is still failing, and that there is nothing to mend", async () => {
    const world = await createWorld();
    world.start();
    await world.store.connections.update({ id: "connection-1" }, { failures: 3, lastFaultKind: "transport" });
    world.outcomeOf = () => silence;
    expect(await world.clock.runWhile(refreshConnection(world.services, { shop: SHOP }))).toBe("still_failing");
    await world.clock.runWhile(disconnectAccount(world.services, { shop: SHOP }));
    expect(await refreshConnection(world.services, { shop: SHOP })).toBe("not_connected");
  });
});

test("a stored secret that no key opens stops its shop without a call, is told, and ends with a new one", async () => {
  const world = await createWorld();
  const key = await world.addLocation(1);
  await world.store.connections.update({ id: "connection-1" }, { clientSecret: Secret.unreadable("no key") });
  const worker = world.start();
  await world.runFor();
  expect(world.arrivals).toEqual([]);
  expect(await world.workItem("location", key)).toMatchObject({
    state: "blocked",
    reason: { code: "secret_unreadable" },
  });
  const home = await readHome(world.services, { shop: SHOP });
  expect(home!.connection.health).toBe("unreadable");
  expect(await connect(world, stated("client-1", { clientSecret: null }))).toMatchObject({ fields: ["clientSecret"] });
  expect(await connect(world, stated("client-1"))).toEqual({ kind: "connected" });
  await world.runFor();
  expect(world.templateOf(key)).toBeDefined();
  await world.clock.runWhile(worker.stop());
});

test("each environment has its own activity, and the pages show that of the account in use", async () => {
  const world = await createWorld({ environment: "production" });
  const words = async () =>
    (await readActivity(world.services, { shop: SHOP, query: ALL_ACTIVITY }))!.entries.map(({ kind }) => kind);
  const note = (kind: string) =>
    world.store.transaction(SHOP, (tables) =>
      recordActivity(world.services, tables, { shop: SHOP, actor: "sync", kind, outcome: "done" }),
    );
  await note("template_created");
  await world.store.connections.update({ shop: SHOP }, { environment: "test" });
  await note("template_updated");
  expect(await words()).toEqual(["template_updated"]);
  await world.store.connections.update({ shop: SHOP }, { environment: "production" });
  expect(await words()).toEqual(["template_created"]);
});
