import { beforeEach, describe, expect, test } from "vitest";
import { canonicalAddress } from "../../app/domain/address/compare.ts";
import type { Policies } from "../../app/domain/records.ts";
import { readHome } from "../../app/pages/read-home.ts";
import { readOrderOrigins } from "../../app/pages/read-order-origins.ts";
import { readOrigin } from "../../app/pages/read-origin.ts";
import { readOrigins } from "../../app/pages/read-origins.ts";
import { runNow } from "../../app/runs/run-now.ts";
import { saveSettings } from "../../app/shop/save-settings.ts";
import { ALL_ORIGINS } from "../../app/views/origins.ts";
import { SHOP, verificationRecord } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { REPLY_LOST, REQUEST_LOST } from "../fakes/shipping/outcomes.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** No page calls an origin well whose saved words no run has come to yet, whoever saved them and wherever. */

const ALL = ALL_ORIGINS;

let world: World;
let key: string;

beforeEach(async () => {
  world = await createWorld({ environment: "production", policies: { carriers: [] } });
  key = await world.addLocation(1);
  const requested = await world.requestWork("location", key);
  await world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
});

const page = async () => (await readOrigin(world.services, { shop: SHOP, locationId: key }))!;
const listed = async () => (await readOrigins(world.services, { shop: SHOP, query: ALL }))!.rows[0]!.state;
const readyAtHome = async () => (await readHome(world.services, { shop: SHOP }))!.origins.ready;
const onOrder = async () => (await readOrderOrigins(world.services, { shop: SHOP, locationIds: [key] })).origins[0]!;
const saidBefore = async () => (await world.store.links.find({ shop: SHOP }))!;

async function save({ contact = {}, policies = {} }: { contact?: object; policies?: Partial<Policies> }) {
  const record = (await world.store.shops.find({ shop: SHOP }))!;
  const { language, revision } = record;
  const settings = {
    language,
    contact: { ...record.contact, ...contact },
    policies: { ...record.policies, ...policies },
  };
  const saved = await world.clock.runWhile(saveSettings(world.services, { shop: SHOP, revision, settings }));
  expect(saved.kind).toBe("saved");
}

test("an origin that says all that is saved is ready, on every page", async () => {
  expect([await listed(), await readyAtHome(), (await page()).state, (await onOrder()).state]).toEqual([
    "ready",
    1,
    "ready",
    "ready",
  ]);
  expect((await page()).pending).toBe(false);
});

describe("as soon as Settings are saved, and before any run", () => {
  test.each<[string, Parameters<typeof save>[0]]>([
    ["the shop's reference", { contact: { reference: "Puerta azul" } }],
    ["the shop's e-mail", { contact: { email: "berta@example.com" } }],
    ["how names are made", { policies: { aliasPattern: "Tienda {name}" } }],
  ])("the origins are updating on every page: %s", async (_what, change) => {
    await save(change);
    expect([await listed(), await readyAtHome()]).toEqual(["changing", 0]);
    expect(await page()).toMatchObject({ state: "changing", pending: true, held: false });
    expect((await page()).readiness.find(({ code }) => code === "saved_there")).toMatchObject({ met: false });
    expect(await onOrder()).toMatchObject({ state: "changing", moving: true });
    world.start();
    await world.runFor();
    expect([await listed(), await readyAtHome(), (await page()).pending]).toEqual(["ready", 1, false]);
  });

  test("a default location is told to the service too", async () => {
    await save({ policies: { defaultLocationId: key } });
    expect(await listed()).toBe("changing");
  });

  test("a connection that rests makes them wait", async () => {
    await world.store.connections.update({ shop: SHOP }, { backoffUntilMs: world.services.clock.nowMs() + 30_000 });
    await save({ contact: { reference: "Puerta azul" } });
    expect(await listed()).toBe("waiting");
  });

  test("what is saved back to what the service has leaves them as they were", async () => {
    await save({ contact: { reference: "Puerta azul" } });
    await save({ contact: { reference: "Portón verde" } });
    expect(await listed()).toBe("ready");
  });

  test("what concerns no template leaves them as they were", async () => {
    await save({ policies: { onDelete: "keep" } });
    expect(await listed()).toBe("ready");
  });
});

test("a difference that is shown stays shown, and one that is resolved with theirs stays resolved", async () => {
  const { templateId } = await saidBefore();
  world.account.byPerson.edit(templateId, "reference", "Puerta roja", world.clock.nowMs());
  world.start();
  await world.requestWork("reconcile", "shop");
  await world.runFor();
  expect(await listed()).toBe("drift");
  const { resolveDifference } = await import("../../app/origins/resolve-difference.ts");
  const choices = [{ field: "reference", theirs: "Puerta roja", choice: "theirs" }] as const;
  await world.clock.runWhile(resolveDifference(world.services, { shop: SHOP, locationId: key, choices: [...choices] }));
  await world.runFor();
  expect(await listed()).toBe("ready");
});

describe("a template that is known no more, or is in doubt", () => {
  test("makes its origin no ready one, though nobody has asked for a run", async () => {
    await world.store.templates.delete({ shop: SHOP });
    expect(await listed()).toBe("changing");
  });

  test.each(["absentSinceMs", "unlistedSinceMs", "disputedSinceMs"] as const)("%s", async (mark) => {
    await world.store.templates.update({ shop: SHOP }, { [mark]: world.services.clock.nowMs() });
    expect(await listed()).toBe("changing");
  });

  test("as by a row that cannot be read: the word and the warning agree", async () => {
    const { templateId } = await saidBefore();
    const row = { id: templateId, name: null, what: "no_address", requestId: "r", sinceMs: 1 } as const;
    await world.store.connections.update({ shop: SHOP }, { bookUnreadable: [row] });
    expect(await page()).toMatchObject({ state: "changing", unreadable: { what: "no_address" } });
    expect(await listed()).toBe("changing");
  });
});

describe("what carriers said of the former address", () => {
  const standings = async () => (await page()).standings.map(({ outcome, stale }) => ({ outcome, stale }));
  const fresh = [{ outcome: "accepted", stale: false }];
  const former = [{ outcome: "accepted", stale: true }];

  beforeEach(async () => {
    const { templateId } = await saidBefore();
    const addressKey = canonicalAddress(world.account.templates.get(templateId)!.address);
    await world.store.verifications.insert(
      verificationRecord({ templateId, carrier: "fedex", outcome: "accepted", addressKey }),
    );
    expect(await standings()).toEqual(fresh);
  });

  const move = (number: string) => world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number }) }));

  async function run() {
    const requested = await world.requestWork("location", key);
    await world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
  }

  test("is shown as that while a write of the new one has no clear end", async () => {
    move("777");
    world.outcomeOf = (asked) => (asked === "update" ? REPLY_LOST : PROMPT);
    await run();
    expect(await standings()).toEqual(former);
    expect(await listed()).toBe("waiting");
  });

  test("is fresh again should the location move back before anything was sent", async () => {
    world.outcomeOf = () => REQUEST_LOST;
    move("777");
    await run();
    expect(await standings()).toEqual(former);
    move("101");
    await run();
    expect(await standings()).toEqual(fresh);
  });

  test("stays fresh where only who is there changes", async () => {
    await save({ contact: { reference: "Puerta azul" } });
    expect(await standings()).toEqual(fresh);
    expect(await listed()).toBe("changing");
  });
});
