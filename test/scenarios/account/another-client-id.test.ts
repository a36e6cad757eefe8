import { describe, expect, test } from "vitest";
import { confirmAccount } from "../../../app/account/confirm-account.ts";
import { connectAccount } from "../../../app/account/connect-account.ts";
import { saveTemplate } from "../../../app/by-hand/save-template.ts";
import { readOrigins } from "../../../app/pages/read-origins.ts";
import { ALL_ORIGINS } from "../../../app/views/origins.ts";
import { SHOP } from "../../fakes/records.ts";
import { createFakeAccount } from "../../fakes/shipping/account.ts";
import type { Habits } from "../../fakes/shipping/habits.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/**
 * Another client id, of the same account or of another one, connected while a write to a location's template is under way: there is one
 * template in the end, and its words are known for ours.
 *
 * Long, because each way in which a client id comes and goes is tried on one stage.
 */

const MINUTE_MS = 60_000;

const ALL = ALL_ORIGINS;

async function startedWith(clientId: string, habits: Partial<Habits> = {}) {
  const world = await createWorld({ habits });
  world.accounts.set(clientId, world.account);
  const key = await world.addLocation(1);
  const worker = world.start();
  return { world, key, end: () => world.clock.runWhile(worker.stop()) };
}

const LIST_FAILS = { ...PROMPT, answer: { kind: "said", status: 500, body: "{}", afterMs: 20 } } as const;

/** Another account, which "client-3" opens. */
function addOther(world: World): void {
  const habits = { wipes: false, tidies: false, refuses: [] };
  world.accounts.set("client-3", createFakeAccount({ habits, newId: () => world.services.random.id() }));
}

/** The PATCH of "475" has no clear end, the list fails, and another client id is connected, of which nobody has said whose account it is. */
async function unclearUnderAnother(clientId = "client-2") {
  const started = await startedWith("client-2");
  const { world, key } = started;
  addOther(world);
  await world.requestWork("location", key);
  await world.runFor();
  const unclear = { arrivesAfterMs: 20, effectAfterMs: 0, answer: { kind: "reset", afterMs: 50 } } as const;
  world.outcomeOf = (operation) => (operation === "update" ? unclear : operation === "list" ? LIST_FAILS : PROMPT);
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "475" }) }));
  await world.requestWork("location", key);
  await world.clock.runFor(3_000);
  expect(await connect(world, clientId)).toEqual({ kind: "unconfirmed" });
  return started;
}

const connect = (world: World, clientId: string) =>
  world.clock.runWhile(
    connectAccount(world.services, {
      shop: SHOP,
      stated: { environment: "test", clientId, clientSecret: "a-secret", scope: null, redirectUri: null },
    }),
  );

async function expectOneTemplate(world: World, key: string): Promise<void> {
  expect([...world.account.templates.keys()]).toHaveLength(1);
  const current = (await world.store.connections.find({ shop: SHOP, current: true }))!;
  expect(current.clientId).toBe("client-2");
  const [templateId] = world.account.templates.keys();
  expect(await world.store.links.list({ shop: SHOP, locationId: key })).toMatchObject([
    { connectionId: current.id, templateId, how: "created" },
  ]);
  expect(await world.workItem("location", key)).toMatchObject({ state: "active", reason: null });
}

test("the answer to the create comes after the new client id: its link passes over", async () => {
  const { world, key, end } = await startedWith("client-2");
  const late = { arrivesAfterMs: 20, effectAfterMs: 0, answer: { kind: "true", afterMs: 8_000 } } as const;
  world.outcomeOf = (operation) => (operation === "create" ? late : PROMPT);
  await world.requestWork("location", key);
  await world.clock.runFor(2_000);
  expect(await connect(world, "client-2")).toEqual({ kind: "connected" });
  await world.runFor(3 * MINUTE_MS);
  await expectOneTemplate(world, key);
  await end();
});

test("an owner who says by mistake that it is another account is corrected by what the account holds", async () => {
  const { world, key, end } = await startedWith("client-2");
  await world.requestWork("location", key);
  await world.runFor();
  world.outcomeOf = (operation) =>
    operation === "list" ? { ...PROMPT, answer: { kind: "said", status: 500, body: "{}", afterMs: 20 } } : PROMPT;
  expect(await connect(world, "client-2")).toEqual({ kind: "unconfirmed" });
  await confirmAccount(world.services, { shop: SHOP, same: false });
  world.outcomeOf = () => PROMPT;
  await world.runFor(20 * MINUTE_MS);
  await expectOneTemplate(world, key);
  await end();
});

test("a create whose end is unclear takes effect after the new client id was connected and its book read twice", async () => {
  const { world, key, end } = await startedWith("client-2");
  const unclear = { arrivesAfterMs: 20, effectAfterMs: 58_000, answer: { kind: "reset", afterMs: 50 } } as const;
  world.outcomeOf = (operation) => (operation === "create" ? unclear : PROMPT);
  await world.requestWork("location", key);
  await world.clock.runFor(2_000);
  expect(await connect(world, "client-2")).toEqual({ kind: "connected" });
  await world.clock.runFor(50_000);
  world.outcomeOf = () => PROMPT;
  expect(await world.store.connections.find({ shop: SHOP, current: true })).toMatchObject({ state: "active" });
  await world.runFor(5 * MINUTE_MS);
  await expectOneTemplate(world, key);
  await end();
});

test("a template that the service does not find for a moment is known to the new client id, too: its location does not double it", async () => {
  const { world, key, end } = await startedWith("client-2");
  const other = await world.addLocation(2);
  for (const each of [key, other]) await world.requestWork("location", each);
  await world.runFor(60_000);
  const { policies } = (await world.store.shops.find({ shop: SHOP }))!;
  await world.store.shops.update({ shop: SHOP }, { policies: { ...policies, onDeactivate: "unlink" } });
  const { id } = world.templateOf(key)!;
  world.account.hide(id, true);
  world.shopify.put(SHOP, shopifyLocation(1, { isActive: false }));
  expect(await connect(world, "client-2")).toEqual({ kind: "connected" });
  await world.runFor(5_000);
  expect(await world.store.links.count({ shop: SHOP, locationId: key })).toBe(0);
  world.shopify.put(SHOP, shopifyLocation(1));
  await world.requestWork("location", key);
  await world.runFor(40_000);
  world.account.hide(id, false);
  await world.runFor(3 * MINUTE_MS);
  expect(world.account.templates.size).toBe(2);
  expect(await world.store.links.find({ shop: SHOP, locationId: key })).toMatchObject({
    templateId: id,
    how: "adopted",
  });
  await end();
});

test("what a PATCH of the client id before emptied is put back over the new one", async () => {
  const { world, key, end } = await startedWith("client-2", { wipes: true });
  await world.requestWork("location", key);
  await world.runFor();
  const { address } = world.templateOf(key)!;
  const late = { arrivesAfterMs: 20, effectAfterMs: 0, answer: { kind: "true", afterMs: 8_000 } } as const;
  world.outcomeOf = (operation) => (operation === "update" ? late : operation === "list" ? LIST_FAILS : PROMPT);
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "101", phone: "+523398339097" }) }));
  await world.requestWork("location", key);
  await world.clock.runFor(3_000);
  expect(await connect(world, "client-2")).toEqual({ kind: "unconfirmed" });
  await world.clock.runFor(10_000);
  expect(world.templateOf(key)!.address).toMatchObject({ street1: "", phone: "3398339097" });
  world.outcomeOf = (operation) => (operation === "list" ? LIST_FAILS : PROMPT);
  await confirmAccount(world.services, { shop: SHOP, same: true });
  await world.runFor(MINUTE_MS);
  expect(world.templateOf(key)!.address).toEqual({ ...address, phone: "3398339097" });
  expect((await world.store.links.find({ shop: SHOP }))!.differences).toEqual([]);
  await end();
});

test("what a person wrote is put back when an unclear PATCH emptied it and an earlier client id comes back", async () => {
  const { world, key, end } = await startedWith("client-2", { wipes: true });
  await world.requestWork("location", key);
  await world.runFor();
  await connect(world, "client-2");
  await world.runFor(10 * MINUTE_MS);
  const { id } = world.templateOf(key)!;
  world.account.byPerson.edit(id, "reference", "Portón de una persona", world.clock.nowMs());
  const unclear = { arrivesAfterMs: 20, effectAfterMs: 0, answer: { kind: "reset", afterMs: 50 } } as const;
  world.outcomeOf = (operation) => (operation === "update" ? unclear : PROMPT);
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "475" }) }));
  await world.requestWork("location", key);
  await world.clock.runFor(3_000);
  expect(world.templateOf(key)!.address).toMatchObject({ street_number: "475", name: "" });
  world.outcomeOf = () => PROMPT;
  await connect(world, "client-1");
  const { contact } = (await world.store.shops.find({ shop: SHOP }))!;
  await world.store.shops.update({ shop: SHOP }, { contact: { ...contact, reference: "Portón de la tienda" } });
  await world.runFor(10 * MINUTE_MS);
  expect(world.templateOf(key)!.address).toMatchObject({ street_number: "475", reference: "Portón de una persona" });
  expect((await world.store.links.find({ shop: SHOP }))!.differences).toMatchObject([
    { field: "reference", theirs: "Portón de una persona" },
  ]);
  await end();
});

test.each([
  ["is known already", false],
  ["no listing has shown", true],
])(
  "a GET over the new client id may be behind what was written over the one before: a template that %s",
  async (_what, hidden) => {
    const { world, key, end } = await startedWith("client-2", { wipes: true });
    await world.requestWork("location", key);
    await world.runFor(10 * MINUTE_MS);
    const lists = hidden ? LIST_FAILS : PROMPT;
    world.outcomeOf = (operation) =>
      operation === "list" ? lists : operation === "get" ? { ...PROMPT, behindMs: 25_000 } : PROMPT;
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "505" }) }));
    await world.requestWork("location", key);
    await world.runFor(5_000);
    expect(world.templateOf(key)!.address.street_number).toBe("505");
    await connect(world, "client-2");
    await confirmAccount(world.services, { shop: SHOP, same: true });
    await world.requestWork("location", key);
    await world.runFor(10 * MINUTE_MS);
    expect(world.templateOf(key)!.address.street_number).toBe("505");
    expect((await world.store.links.find({ shop: SHOP }))!.differences).toEqual([]);
    await end();
  },
);

test("what an unclear PATCH of the client id before said is known for ours, though a run came before its owner told the account", async () => {
  const { world, key, end } = await unclearUnderAnother();
  await world.runFor(10 * MINUTE_MS);
  expect(await world.workItem("location", key)).toMatchObject({ reason: { code: "account_unconfirmed" } });
  world.outcomeOf = (operation) => (operation === "list" ? LIST_FAILS : PROMPT);
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "488" }) }));
  await confirmAccount(world.services, { shop: SHOP, same: true });
  await world.requestWork("location", key);
  world.outcomeOf = () => PROMPT;
  await world.runFor(20 * MINUTE_MS);
  expect((await world.store.links.find({ shop: SHOP }))!.differences).toEqual([]);
  expect(world.templateOf(key)!.address.street_number).toBe("488");
  await end();
});

test("what an unclear PATCH said is known for ours, though its owner said by mistake that the account is another", async () => {
  const { world, key, end } = await unclearUnderAnother();
  await confirmAccount(world.services, { shop: SHOP, same: false });
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "488" }) }));
  await world.requestWork("location", key);
  await world.runFor(10 * MINUTE_MS);
  world.outcomeOf = () => PROMPT;
  await world.runFor(60 * MINUTE_MS);
  await expectOneTemplate(world, key);
  expect((await world.store.links.find({ shop: SHOP }))!.differences).toEqual([]);
  expect(world.templateOf(key)!.address.street_number).toBe("488");
  expect(await world.store.pendingWrites.count({ shop: SHOP })).toBe(0);
  await end();
});

/** Another account was in use for a while, and its book was read; then the first client id is connected again. */
async function backFromAnother(world: World, key: string): Promise<void> {
  await confirmAccount(world.services, { shop: SHOP, same: false });
  await world.requestWork("location", key);
  await world.runFor(10 * MINUTE_MS);
  expect(await world.store.connections.find({ shop: SHOP, current: true })).toMatchObject({
    clientId: "client-3",
    bookReadAtMs: expect.any(Number),
  });
  expect(await connect(world, "client-1")).toEqual({ kind: "connected" });
  await world.runFor(20 * MINUTE_MS);
}

const ownLink = (world: World) => world.store.links.find({ shop: SHOP, connectionId: "connection-1" });

test("what an unclear PATCH said is known for ours when its client id comes back after another account was in use", async () => {
  const { world, key, end } = await unclearUnderAnother("client-3");
  world.outcomeOf = () => PROMPT;
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "488" }) }));
  await backFromAnother(world, key);
  expect(await ownLink(world)).toMatchObject({ differences: [], unclear: null });
  expect(world.templateOf(key)!.address.street_number).toBe("488");
  await end();
});

test("what an unclear PATCH said is known for ours, though the location could not be planned before the book was read", async () => {
  const { world, key, end } = await unclearUnderAnother();
  world.shopify.put(SHOP, shopifyLocation(1, { address: { ...mexicanAddress({ number: "475" }), address1: "" } }));
  await confirmAccount(world.services, { shop: SHOP, same: false });
  await world.requestWork("location", key);
  await world.runFor(10 * MINUTE_MS);
  expect(await world.workItem("location", key)).toMatchObject({ state: "blocked", reason: { code: "incomplete" } });
  world.outcomeOf = () => PROMPT;
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "488" }) }));
  await world.requestWork("location", key);
  await world.runFor(60 * MINUTE_MS);
  await expectOneTemplate(world, key);
  expect((await world.store.links.find({ shop: SHOP }))!).toMatchObject({ differences: [], unclear: null });
  expect(world.templateOf(key)!.address.street_number).toBe("488");
  await end();
});

test("a template that an unclear PATCH changed is ours to delete when its client id comes back", async () => {
  const { world, key, end } = await unclearUnderAnother("client-3");
  world.outcomeOf = () => PROMPT;
  const { policies } = (await world.store.shops.find({ shop: SHOP }))!;
  await world.store.shops.update({ shop: SHOP }, { policies: { ...policies, onDeactivate: "delete" } });
  await confirmAccount(world.services, { shop: SHOP, same: false });
  await world.runFor(10 * MINUTE_MS);
  world.shopify.put(SHOP, shopifyLocation(1, { isActive: false, address: mexicanAddress({ number: "475" }) }));
  await backFromAnother(world, key);
  expect(world.account.templates.size).toBe(0);
  expect(await ownLink(world)).toBeNull();
  await end();
});

test("a form that comes first when the client id is back tells what an unclear PATCH had said", async () => {
  const { world, key, end } = await unclearUnderAnother("client-3");
  world.outcomeOf = () => PROMPT;
  await confirmAccount(world.services, { shop: SHOP, same: false });
  await world.runFor(10 * MINUTE_MS);
  // The location's own run cannot look first.
  world.shopify.trouble = () => ({ delayMs: 0, fails: true });
  expect(await connect(world, "client-1")).toEqual({ kind: "connected" });
  expect(await ownLink(world)).toMatchObject({ unclear: { operation: "update" } });
  const before = world.templateOf(key)!;
  const address = { ...before.address, reference: "Junto al mercado" };
  const draft = { alias_name: before.alias_name, address_type: "from", address_attributes: address };
  const form = { shop: SHOP, draftId: "draft-1", templateId: before.id, draft, base: before };
  expect(await world.clock.runWhile(saveTemplate(world.services, form))).toMatchObject({ kind: "done" });
  expect(await ownLink(world)).toMatchObject({ unclear: null, answered: { address: { street_number: "475" } } });
  await end();
});

test("a template that an unclear DELETE took is made again when its client id comes back, and nobody is asked", async () => {
  const { world, key, end } = await startedWith("client-2");
  await world.requestWork("location", key);
  await world.runFor();
  const { policies } = (await world.store.shops.find({ shop: SHOP }))!;
  await world.store.shops.update({ shop: SHOP }, { policies: { ...policies, onDeactivate: "delete" } });
  const unclear = { arrivesAfterMs: 20, effectAfterMs: 0, answer: { kind: "reset", afterMs: 50 } } as const;
  world.outcomeOf = (operation) => (operation === "delete" ? unclear : PROMPT);
  world.shopify.put(SHOP, shopifyLocation(1, { isActive: false }));
  await world.requestWork("location", key);
  await world.clock.runFor(3_000);
  expect(world.account.templates.size).toBe(0);
  addOther(world);
  expect(await connect(world, "client-3")).toEqual({ kind: "unconfirmed" });
  world.shopify.put(SHOP, shopifyLocation(1));
  await backFromAnother(world, key);
  expect(await ownLink(world)).toMatchObject({ missingSinceMs: null, how: "created" });
  expect(world.templateOf(key)).toBeDefined();
  await end();
});

describe("a list that a new client id is recognised by shows a template otherwise, and Shopify keeps everybody out", () => {
  const standings = async (world: World) =>
    (await readOrigins(world.services, { shop: SHOP, query: ALL }))!.rows[0]!.standings;
  const STALE = [{ carrier: "fedex", outcome: "accepted", stale: true }];

  /** A carrier has accepted the former address, and whatever reads the book by itself asks Shopify first. */
  async function moved() {
    const started = await startedWith("client-2");
    const { world, key } = started;
    const { policies } = (await world.store.shops.find({ shop: SHOP }))!;
    const verifying = { ...policies, verifyAfterChange: true, carriers: ["fedex"] };
    await world.store.shops.update({ shop: SHOP }, { policies: verifying });
    await world.requestWork("location", key);
    await world.runFor(20_000);
    const { id } = world.templateOf(key)!;
    world.account.setVerdict(id, "fedex", "approved");
    await world.runFor(60 * MINUTE_MS);
    world.account.byPerson.edit(id, "street_number", "909", world.clock.nowMs());
    world.shopify.freeze(SHOP, true);
    return started;
  }

  test("the verdict on the former address is not shown as fresh", async () => {
    const { world, end } = await moved();
    expect(await connect(world, "client-2")).toEqual({ kind: "connected" });
    await world.runFor(5_000);
    expect(await standings(world)).toMatchObject(STALE);
    await end();
  });

  test("nor where the owner said whose account it is before the list came", async () => {
    const { world, end } = await moved();
    const late = { ...PROMPT, answer: { kind: "true", afterMs: 8_000 } } as const;
    world.outcomeOf = (operation) => (operation === "list" ? late : PROMPT);
    expect(await connect(world, "client-2")).toEqual({ kind: "unconfirmed" });
    expect(await confirmAccount(world.services, { shop: SHOP, same: true })).toBe(true);
    await world.runFor(10_000);
    expect(await standings(world)).toMatchObject(STALE);
    await end();
  });
});
