import { beforeEach, describe, expect, test } from "vitest";
import { isFresh } from "../../../app/book/number-readings.ts";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import { refreshTemplate } from "../../../app/origins/refresh-origin.ts";
import { requestVerification } from "../../../app/verification/request-verification.ts";
import { runNow } from "../../../app/runs/run-now.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import { createWorld, mexicanAddress } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/** Which of several readings is the newest does not rest on the time of day, which may be set. */

const DAY_MS = 24 * 3_600_000;

let world: World;
let key: string;
let templateId: string;

beforeEach(async () => {
  world = await createWorld();
  key = await world.addLocation(1);
  await run("location", key);
  templateId = (await world.store.links.find({ shop: SHOP }))!.templateId;
  world.calls.length = 0;
});

async function run(kind: "location" | "reconcile", of: string) {
  const requested = await world.requestWork(kind, of);
  return world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
}

const row = async () => (await world.store.templates.find({ shop: SHOP, templateId }))!;
const readBook = (force = true) => world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force }));
const readAlone = (force = true) =>
  world.clock.runWhile(refreshTemplate(world.services, { shop: SHOP, templateId, force }));
const said = (value: string) => world.account.byPerson.edit(templateId, "reference", value, world.clock.nowMs());

/** A process lived at a wrong date, and another one begins, which has the right one. */
async function datedAhead(): Promise<void> {
  // A list may be behind what was read in the half minute before.
  await world.clock.runFor(31_000);
  const aheadMs = world.services.clock.nowMs() + DAY_MS;
  await world.store.templates.update({ shop: SHOP }, { readAtMs: aheadMs, aloneAtMs: aheadMs });
  await world.store.locations.update({ shop: SHOP }, { readAtMs: aheadMs });
  await world.store.connections.update({ shop: SHOP }, { bookReadAtMs: aheadMs });
}

test("a listing is believed over a reading that was dated ahead, and what changed there is shown", async () => {
  await datedAhead();
  said("Puerta azul");
  await readBook();
  expect((await row()).template.address.reference).toBe("Puerta azul");
  expect((await row()).readAtMs).toBeLessThanOrEqual(world.services.clock.nowMs());
  expect(await world.workItem("location", key)).toMatchObject({ generation: 2 });
});

test("a template that a listing lacks is doubted, though its last reading was dated ahead", async () => {
  await datedAhead();
  world.account.byPerson.remove(templateId);
  await readBook();
  expect((await row()).unlistedSinceMs).not.toBeNull();
});

test("a look at everything is believed over a location's reading that was dated ahead", async () => {
  await datedAhead();
  world.shopify.put(SHOP, { ...world.shopify.known(SHOP, key)!, name: "Bodega nueva" });
  await run("reconcile", "shop");
  expect((await world.store.locations.find({ shop: SHOP }))!.name).toBe("Bodega nueva");
});

test.each([
  ["", 0],
  [", and the time of day is set back", -DAY_MS],
  [", and the time of day is set ahead", DAY_MS],
])("a reading of the template alone that came while the pages were read stands%s", async (_title, byMs) => {
  world.outcomeOf = (asked) => ({
    arrivesAfterMs: 20,
    effectAfterMs: 0,
    answer: { kind: "true", afterMs: asked === "list" ? 8_000 : 20 },
  });
  const listing = refreshAddressBook(world.services, { shop: SHOP, force: true });
  await world.clock.runFor(2_000);
  world.services.clock.adjust(byMs);
  said("Puerta azul");
  await readAlone();
  const { template } = await row();
  expect(template.address.reference).toBe("Puerta azul");
  await world.clock.runWhile(listing);
  expect((await row()).template).toEqual(template);
});

test("what is changed there after that reading, and before the service makes its list, has the location looked at", async () => {
  world.outcomeOf = (asked) => ({
    arrivesAfterMs: asked === "list" ? 5_000 : 20,
    effectAfterMs: 0,
    answer: { kind: "true", afterMs: 20 },
  });
  const listing = refreshAddressBook(world.services, { shop: SHOP, force: true });
  await world.clock.runFor(1_000);
  await readAlone();
  said("Puerta azul");
  await world.clock.runWhile(listing);
  expect(await world.workItem("location", key)).toMatchObject({ generation: 2 });
});

test("a location that its own run read while all were read stands, though the time of day is set back", async () => {
  const { shopify } = world.services;
  const locations = shopify.locations;
  const before = world.shopify.known(SHOP, key)!;
  shopify.locations = async (...asked) => {
    const listed = await locations(...asked);
    world.services.clock.adjust(-DAY_MS);
    world.shopify.put(SHOP, { ...before, name: "Bodega nueva" });
    await world.store.locations.update(
      { shop: SHOP },
      { name: "Bodega nueva", readAtMs: world.services.clock.nowMs() },
    );
    return listed;
  };
  await run("reconcile", "shop");
  expect((await world.store.locations.find({ shop: SHOP }))!.name).toBe("Bodega nueva");
});

test("a reading that is dated ahead is not young: a page reads anew, and nothing is sent on it", async () => {
  const { clock } = world.services;
  expect(isFresh(clock, { ...(await row()), readAtMs: clock.nowMs() - 1_000 })).toBe(true);
  await datedAhead();
  expect(isFresh(clock, await row())).toBe(false);
  await readAlone(false);
  await readBook(false);
  expect(world.calls).toEqual(["get", "list"]);
});

test("each reading has a number of its own, higher than those before, also where the template was forgotten in between", async () => {
  const first = (await row()).reading;
  await readAlone();
  const second = (await row()).reading;
  expect(second).toBeGreaterThan(first);
  await world.store.templates.delete({ shop: SHOP, templateId });
  await readBook();
  expect((await row()).reading).toBeGreaterThan(second);
});

describe("an answer that was overtaken by a write of ours", () => {
  /** The service tells what stands there when it is asked; the answer takes its time. */
  const slowGets = () => {
    world.outcomeOf = (asked) => ({
      arrivesAfterMs: 20,
      effectAfterMs: 0,
      answer: { kind: "true", afterMs: asked === "get" ? 3_000 : 20 },
    });
  };
  const promptGets = () => {
    world.outcomeOf = () => PROMPT;
  };
  const move = async () => {
    promptGets();
    world.shopify.put(SHOP, { ...world.shopify.known(SHOP, key)!, address: mexicanAddress({ number: "777" }) });
    await run("location", key);
  };
  const number = async () => (await row()).template.address.street_number;

  test("is not kept by a page: the template is read again", async () => {
    slowGets();
    const reading = refreshTemplate(world.services, { shop: SHOP, templateId, force: true });
    await world.clock.runFor(500);
    await move();
    expect(await number()).toBe("777");
    await world.clock.runWhile(reading);
    expect(await number()).toBe("777");
    expect(await world.workItem("location", key)).toMatchObject({ generation: 2, observedGeneration: 2 });
  });

  test("is not kept by who follows a verification: it looks again", async () => {
    await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex"] });
    const worker = world.start();
    await world.runFor(4_000);
    slowGets();
    world.calls.length = 0;
    while (!world.calls.includes("get")) await world.clock.runFor(100);
    await move();
    expect(await number()).toBe("777");
    await world.runFor(5_000);
    expect(await number()).toBe("777");
    expect(await world.workItem("location", key)).toMatchObject({ generation: 2, observedGeneration: 2 });
    await world.clock.runWhile(worker.stop());
  });
});

describe("an answer that a list has overtaken, which may be behind it", () => {
  const slowly = (of: string) => {
    world.outcomeOf = (asked) => ({
      arrivesAfterMs: 20,
      effectAfterMs: 0,
      answer: { kind: "true", afterMs: asked === of ? 3_000 : 20 },
    });
  };
  const sendsGet = async () => {
    world.calls.length = 0;
    while (!world.calls.includes("get")) await world.clock.runFor(100);
  };
  /** Somebody wrote in the template a moment ago, and the list does not show it yet. */
  async function saidAndListed() {
    const before = structuredClone(world.account.templates.get(templateId)!);
    world.malformed.set(templateId, (template, operation) => (operation === "list" ? before : template));
    said("Puerta azul");
    slowly("get");
    await sendsGet();
    await readBook();
    await world.runFor(10_000);
  }

  test("is asked for again by who follows a verification, though the list told what the carrier says", async () => {
    await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex"] });
    const worker = world.start();
    await world.runFor(90_000);
    world.account.setVerdict(templateId, "fedex", "approved");
    await saidAndListed();
    expect(await world.store.verifications.find({ shop: SHOP })).toMatchObject({ outcome: "accepted" });
    expect((await row()).template.address.reference).toBe("Puerta azul");
    expect(await world.workItem("location", key)).toMatchObject({ generation: 2, observedGeneration: 2 });
    await world.clock.runWhile(worker.stop());
  });

  test("is asked for again by its location's run, though the list ended the doubt for which it was asked", async () => {
    const worker = world.start();
    await world.runFor(60_000);
    await world.store.templates.update({ templateId }, { unlistedSinceMs: world.clock.nowMs() });
    await world.requestWork("location", key);
    worker.wake();
    await saidAndListed();
    expect((await row()).template.address.reference).toBe("Puerta azul");
    expect((await world.store.links.find({ shop: SHOP }))!.differences).toMatchObject([{ theirs: "Puerta azul" }]);
    await world.clock.runWhile(worker.stop());
  });
});
