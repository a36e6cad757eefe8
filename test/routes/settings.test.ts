import { describe, expect, test } from "vitest";
import type { StatedCredentials } from "../../app/account/try-credentials.ts";
import type { SettingsRequest } from "../../app/components/settings/settings-actions.ts";
import { DEFAULT_POLICIES } from "../../app/domain/records.ts";
import type { Policies } from "../../app/domain/records.ts";
import { connectionRecord, linkRecord, NO_CONTACT, SHOP } from "../fakes/records.ts";
import { createFakeAccount } from "../fakes/shipping/account.ts";
import type { CallOutcome } from "../fakes/shipping/network.ts";
import { CONTACT, createWorld } from "../fakes/world.ts";
import type { World, WorldOptions } from "../fakes/world.ts";
import { posting } from "./posting.ts";

/** What the settings page sends, from its action to the store and the service. */

const post = posting<SettingsRequest>(() => import("../../app/routes/app.settings/route.tsx"));

const credentials: StatedCredentials = {
  environment: "test",
  clientId: "client-1",
  clientSecret: "newer",
  scope: "read",
  redirectUri: "https://one.example/back",
};
const policies: Policies = {
  ...DEFAULT_POLICIES,
  syncOn: false,
  aliasPattern: "{name}!",
  carriers: ["FedEx", "fedex"],
};
const settings = { language: "es-MX", contact: { ...CONTACT, name: " Luz " }, policies } as const;
const save = { intent: "save", revision: 0, settings } as const;

const current = (world: World) => world.store.connections.find({ shop: SHOP, current: true });
const shopOf = (world: World) => world.store.shops.find({ shop: SHOP });

/** Connected with another client id, of which nobody knows whether it opens the same account. */
async function unconfirmed(world: World) {
  await world.store.links.insert(linkRecord({ templateId: "template-1" }));
  const habits = { wipes: false, tidies: false, refuses: [] };
  world.accounts.set("client-2", createFakeAccount({ habits, newId: () => world.services.random.id() }));
  const connect = { intent: "connect", ...credentials, clientId: "client-2" } as const;
  expect((await post(world, connect)).said).toEqual({ intent: "connect", outcome: { kind: "unconfirmed" } });
}

const COMMANDS: Record<SettingsRequest["intent"], () => Promise<void>> = {
  async connect() {
    const world = await createWorld({ connected: false });
    const { status, said } = await post(world, { intent: "connect", ...credentials });
    expect({ status, said }).toEqual({ status: 200, said: { intent: "connect", outcome: { kind: "connected" } } });
    const { environment, clientId, scope, redirectUri } = credentials;
    expect(await current(world)).toMatchObject({
      state: "active",
      environment,
      clientId: clientId!,
      scope,
      redirectUri,
    });
    expect((await current(world))!.clientSecret!.reveal()).toBe("newer");
  },
  async test() {
    const world = await createWorld();
    const before = await current(world);
    const { said } = await post(world, { intent: "test", ...credentials });
    expect(said).toEqual({ intent: "test", outcome: { kind: "works", scope: "default" } });
    await world.runFor(5_000);
    expect(world.calls).toEqual(["revoke"]);
    expect(await current(world)).toEqual(before);
  },
  async disconnect() {
    const world = await createWorld();
    const { said } = await post(world, { intent: "disconnect" });
    expect(said).toEqual({ intent: "disconnect", outcome: { kind: "disconnected" } });
    expect(await current(world)).toMatchObject({ state: "disconnected", clientSecret: null });
  },
  async introspect() {
    const world = await createWorld();
    await post(world, { intent: "connect", ...credentials });
    const { said } = await post(world, { intent: "introspect" });
    expect(said).toMatchObject({ intent: "introspect", outcome: { kind: "checked", active: true } });
    expect(world.calls).toEqual(["introspect"]);
  },
  async confirm_account() {
    const connectionOf = { yes: "client-2", no: "client-1" } as const;
    for (const [word, clientId] of Object.entries(connectionOf)) {
      const world = await createWorld();
      await unconfirmed(world);
      const connectionId = (await current(world))!.id;
      const { said } = await post(world, { intent: "confirm_account", connectionId, same: word === "yes" });
      expect(said).toEqual({ intent: "confirm_account", outcome: { kind: "answered" } });
      expect(await current(world)).toMatchObject({ state: "active", clientId: "client-2" });
      const { id } = (await world.store.connections.find({ clientId }))!;
      expect(await world.store.links.list({ shop: SHOP })).toMatchObject([{ connectionId: id }]);
    }
  },
  async switch_environment() {
    const world = await createWorld();
    await world.store.connections.insert(
      connectionRecord({ id: "live", environment: "production", state: "aside", current: false, version: 3 }),
    );
    const { said } = await post(world, { intent: "switch_environment", environment: "production" });
    expect(said).toEqual({ intent: "switch_environment", outcome: { kind: "switched" } });
    expect(await current(world)).toMatchObject({ id: "live", state: "active", version: 4 });
  },
  async save() {
    const world = await createWorld();
    expect((await post(world, save)).said).toEqual({ intent: "save", outcome: { kind: "saved", revision: 1 } });
    expect(await shopOf(world)).toMatchObject({
      language: "es-MX",
      contact: { ...CONTACT, name: "Luz" },
      policies: { ...policies, carriers: ["fedex"] },
      revision: 1,
    });
    expect((await world.workItem("reconcile", "shop")).generation).toBe(1);
  },
};

describe("a command of the settings page", () => {
  test.each(Object.entries(COMMANDS))("%s", (_intent, play) => play());
});

const FIELDS = ["clientId", "clientSecret"];
const outcome: CallOutcome = { arrivesAfterMs: null, effectAfterMs: null, answer: { kind: "reset", afterMs: 50 } };
const refusal: CallOutcome = {
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: { kind: "said", status: 400, body: JSON.stringify({ error: "invalid_scope" }), afterMs: 20 },
};
const nobody = { ...credentials, clientId: "nobody" };
const nothing = { ...credentials, clientId: null, clientSecret: null };
const wrong = { ...settings, contact: { ...NO_CONTACT, email: "nobody" } };

describe("the settings page is told why not", () => {
  test.each<[string, SettingsRequest, object, (WorldOptions & { outcome?: CallOutcome })?]>([
    ...(["connect", "test"] as const).flatMap((intent): [string, SettingsRequest, object, object][] => [
      ["fields are empty", { intent, ...nothing }, { kind: "missing", fields: FIELDS }, { connected: false }],
      ["nobody knows the id", { intent, ...nobody }, { kind: "invalid_client", otherEnvironment: "production" }, {}],
      ["the scope is refused", { intent, ...credentials }, { kind: "refused" }, { outcome: refusal }],
      [
        "nobody answers",
        { intent, ...credentials },
        { kind: "unreachable", fault: { kind: "transport" } },
        { outcome },
      ],
    ]),
    ["there was nothing", { intent: "disconnect" }, { kind: "disconnected" }, { connected: false }],
    ["there is no token", { intent: "introspect" }, { kind: "no_token" }, { connected: false }],
    ["there is no other account", { intent: "switch_environment", environment: "production" }, { kind: "none" }],
    ["it is in use already", { intent: "switch_environment", environment: "test" }, { kind: "already" }],
    [
      "nothing was asked",
      { intent: "confirm_account", connectionId: connectionRecord().id, same: true },
      { kind: "not_asked" },
    ],
    ["somebody saved since", { ...save, revision: 4 }, { kind: "stale" }],
    ["the contact is wrong", { ...save, settings: wrong }, { kind: "invalid", problems: [{ field: "email" }] }],
  ])("%s", async (_title, body, said, { outcome: happens, ...options } = {}) => {
    const world = await createWorld(options);
    if (happens) world.outcomeOf = () => happens;
    const before = [await current(world), await shopOf(world)];
    expect(await post(world, body)).toMatchObject({ status: 200, said: { intent: body.intent, outcome: said } });
    expect([await current(world), await shopOf(world)]).toEqual(before);
  });

  test.each([true, false])("the account that was asked about is not the one in use any more: %s", async (same) => {
    const world = await createWorld();
    await unconfirmed(world);
    const asked = (await current(world))!;
    await world.store.connections.update({ id: asked.id }, { current: false, state: "aside" });
    const live = { id: "live", environment: "production", clientId: "client-7", state: "unconfirmed" } as const;
    await world.store.connections.insert(connectionRecord(live));
    const links = await world.store.links.list({ shop: SHOP });
    const { said } = await post(world, { intent: "confirm_account", connectionId: asked.id, same });
    expect(said).toEqual({ intent: "confirm_account", outcome: { kind: "not_asked" } });
    expect(await current(world)).toMatchObject({ id: "live", state: "unconfirmed" });
    expect(await world.store.connections.find({ id: asked.id })).toMatchObject({ state: "aside" });
    expect(await world.store.links.list({ shop: SHOP })).toEqual(links);
  });

  test("nobody answers for a token", async () => {
    const world = await createWorld();
    await post(world, { intent: "connect", ...credentials });
    world.outcomeOf = () => outcome;
    const { said } = await post(world, { intent: "introspect" });
    expect(said).toMatchObject({
      intent: "introspect",
      outcome: { kind: "unreachable", fault: { kind: "transport" } },
    });
  });

  test("the shop is not known", async () => {
    const world = await createWorld();
    expect(await post(world, save, { shop: "two.myshopify.com" })).toEqual({ status: 404, said: null });
  });

  test.each(["nobody's", "gid://shopify/Location/99", ""])(
    "the default %j is no location of the shop's",
    async (id) => {
      const world = await createWorld();
      const before = await shopOf(world);
      const body = { ...save, settings: { ...settings, policies: { ...policies, defaultLocationId: id } } };
      expect(await post(world, body)).toEqual({ status: 404, said: null });
      expect(await shopOf(world)).toEqual(before);
    },
  );

  test("a default that the shop had before Shopify lost it may stay", async () => {
    const world = await createWorld({ policies: { defaultLocationId: "gid://shopify/Location/7" } });
    const kept = { ...policies, defaultLocationId: "gid://shopify/Location/7" };
    const answer = await post(world, { ...save, settings: { ...settings, policies: kept } });
    expect(answer).toMatchObject({ status: 200, said: { outcome: { kind: "saved" } } });
  });
});
