import { describe, expect, test } from "vitest";
import { refreshOrigin } from "../../../app/origins/refresh-origin.ts";
import { readHome } from "../../../app/pages/read-home.ts";
import { submitDraft } from "../../../app/by-hand/submit-draft.ts";
import { runNow } from "../../../app/runs/run-now.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World, WorldOptions } from "../../fakes/world.ts";

/**
 * The service answers a GET from a copy that is a while behind its writes, as lists may be. What nobody edited by hand is told as nobody's
 * change, and what somebody did edit is still seen.
 */

function getsLag(world: World, behindMs: number) {
  world.outcomeOf = (operation) => (operation === "get" ? { ...PROMPT, behindMs } : PROMPT);
}

async function change(world: World, key: string, address: { number: string; phone?: string }) {
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress(address) }));
  await world.requestWork("location", key);
  world.services.wake();
}

const look = (world: World, locationId: string) =>
  world.clock.runWhile(refreshOrigin(world.services, { shop: SHOP, locationId, force: true }));

const needs = async (world: World) => (await readHome(world.services, { shop: SHOP }))!.needs.map(({ need }) => need);
const differences = async (world: World) => (await world.store.links.find({ shop: SHOP }))!.differences;
const counts = async (world: World) => (await readHome(world.services, { shop: SHOP }))!.carriers[0];

async function staged(options: WorldOptions = {}) {
  const world = await createWorld({ ...options, policies: { carriers: [], ...options.policies } });
  const key = await world.addLocation(1);
  world.start();
  await world.runFor(180_000);
  // What this service does with fields that are not named is known from here on.
  await change(world, key, { number: "200" });
  await world.runFor(60_000);
  return { world, key, id: world.templateOf(key)!.id };
}

const number = (world: World, key: string) => world.templateOf(key)!.address.street_number;

describe("nobody edits anything by hand", () => {
  test("an older number is not written over the newer one of our last update", async () => {
    const { world, key } = await staged({ habits: { wipes: true } });
    getsLag(world, 20_000);
    await change(world, key, { number: "900" });
    await world.runFor(6_000);
    expect(number(world, key)).toBe("900");
    await change(world, key, { number: "900", phone: "+523398339097" });
    await world.runFor(24 * 3_600_000);
    expect(world.templateOf(key)!.address).toMatchObject({ street_number: "900", phone: "3398339097" });
    expect(await differences(world)).toEqual([]);
  });

  test("the second of two changes goes at once, and nobody is told of a conflict", async () => {
    const { world, key } = await staged();
    getsLag(world, 10_000);
    await change(world, key, { number: "900" });
    await world.runFor(6_000);
    await change(world, key, { number: "950" });
    await world.runFor(6_000);
    expect(number(world, key)).toBe("950");
    await world.runFor(3_600_000);
    expect(number(world, key)).toBe("950");
    expect(await needs(world)).toEqual([]);
  });

  test("a change that goes back to what stood before is written", async () => {
    const { world, key } = await staged();
    getsLag(world, 40_000);
    await change(world, key, { number: "900" });
    await world.runFor(6_000);
    await change(world, key, { number: "200" });
    await world.runFor(6_000);
    expect(number(world, key)).toBe("200");
    await world.runFor(3_600_000);
    expect(number(world, key)).toBe("200");
    expect(await needs(world)).toEqual([]);
  });

  /** The look for the carriers' answers 30 s after a change is enough: no second change is needed. */
  test("a change that carriers are asked about is not told as somebody's, and its verdict counts", async () => {
    const { world, key, id } = await staged({ policies: { carriers: ["fedex"], verifyAfterChange: true } });
    world.account.setVerdict(id, "fedex", "approved");
    await world.runFor(3_600_000);
    getsLag(world, 40_000);
    await change(world, key, { number: "900" });
    await world.runFor(50_000);
    // The verdict on the former address, which the GET still shows.
    expect(await counts(world)).toMatchObject({ accepted: 0 });
    await world.runFor(10 * 60_000);
    world.account.setVerdict(id, "fedex", "approved");
    await world.runFor(3_600_000);
    expect(await needs(world)).toEqual([]);
    expect(await counts(world)).toMatchObject({ accepted: 1, not_asked: 0 });
  });

  test("a verdict from before the question is none on it where the carrier says the same words again", async () => {
    const { world, key, id } = await staged({
      habits: { repeatsItself: true },
      policies: { carriers: ["fedex"], verifyAfterChange: true },
    });
    world.account.setVerdict(id, "fedex", "approved");
    await world.runFor(3_600_000);
    getsLag(world, 40_000);
    await change(world, key, { number: "900" });
    await world.runFor(5_000);
    world.account.setVerdict(id, "fedex", "rejected");
    await world.runFor(50_000);
    expect(await counts(world)).toMatchObject({ accepted: 0 });
    await world.runFor(3_600_000);
    expect(await counts(world)).toMatchObject({ accepted: 0, refused: 1 });
  });

  test("a page that is opened tells of nothing", async () => {
    const { world, key } = await staged();
    getsLag(world, 40_000);
    await change(world, key, { number: "900" });
    await world.runFor(10_000);
    await look(world, key);
    await world.runFor(5_000);
    expect(await differences(world)).toEqual([]);
    await world.runFor(3_600_000);
    expect(await needs(world)).toEqual([]);
    expect((await world.store.templates.find({ shop: SHOP }))!).toMatchObject({
      disputedSinceMs: null,
      replaced: null,
    });
  });

  test("a process that has just begun knows what another one wrote", async () => {
    const { world, key } = await staged();
    getsLag(world, 40_000);
    await change(world, key, { number: "900" });
    await world.runFor(6_000);
    const next = world.boot();
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "950" }) }));
    await world.requestWork("location", key);
    next.services.wake();
    await world.runFor(20_000);
    expect(number(world, key)).toBe("950");
    await world.runFor(3_600_000);
    expect(await needs(world)).toEqual([]);
  });

  test("a template that was made a moment ago is not told as gone", async () => {
    const world = await createWorld({ policies: { carriers: [] } });
    getsLag(world, 40_000);
    const key = await world.addLocation(1);
    world.start();
    while (!world.templateOf(key)) await world.runFor(1_000);
    await world.runFor(3_000);
    await change(world, key, { number: "900" });
    await world.runFor(5_000);
    expect((await world.store.templates.find({ shop: SHOP }))!.absentSinceMs).toBeNull();
    await world.runFor(120_000);
    expect(number(world, key)).toBe("900");
    expect(await needs(world)).toEqual([]);
  });

  test("a form that follows our update names none of the values from before it", async () => {
    const { world, key, id } = await staged({ habits: { wipes: true } });
    const base = structuredClone(world.templateOf(key)!);
    getsLag(world, 40_000);
    await change(world, key, { number: "900" });
    await world.runFor(6_000);
    const draft = {
      alias_name: base.alias_name,
      address_type: base.address_type,
      address_attributes: { ...base.address, reference: "Junto al parque" },
    };
    const requested = await submitDraft(world.services, {
      shop: SHOP,
      draftId: "d1",
      operation: "update",
      templateId: id,
      draft,
      base,
    });
    await world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
    expect(world.templateOf(key)!.address).toMatchObject({ street_number: "900", reference: "Junto al parque" });
  });
});

describe("somebody edits it in the service's own pages, within the minute", () => {
  test("the old value is seen once a GET cannot be behind any more, by itself", async () => {
    const { world, key, id } = await staged();
    await change(world, key, { number: "900" });
    await world.runFor(6_000);
    world.account.byPerson.edit(id, "street_number", "200", world.clock.nowMs());
    await look(world, key);
    await world.runFor(5_000);
    expect(await differences(world)).toEqual([]);
    await world.runFor(60_000);
    expect(await differences(world)).toMatchObject([{ field: "street_number", kind: "drift", theirs: "200" }]);
    expect(number(world, key)).toBe("200");
  });

  test("another value is seen at once", async () => {
    const { world, key, id } = await staged();
    await change(world, key, { number: "900" });
    await world.runFor(6_000);
    world.account.byPerson.edit(id, "street_number", "7", world.clock.nowMs());
    await change(world, key, { number: "950" });
    await world.runFor(5_000);
    expect(await differences(world)).toMatchObject([{ field: "street_number", kind: "conflict", theirs: "7" }]);
    expect(number(world, key)).toBe("7");
  });

  test("the old value beside another one is seen at once", async () => {
    const { world, key, id } = await staged();
    await change(world, key, { number: "900" });
    await world.runFor(6_000);
    world.account.byPerson.edit(id, "street_number", "200", world.clock.nowMs());
    world.account.byPerson.edit(id, "reference", "Puerta azul", world.clock.nowMs());
    await look(world, key);
    await world.runFor(5_000);
    expect((await differences(world)).map(({ field }) => field).sort()).toEqual(["reference", "street_number"]);
  });
});

test("a template that we deleted a moment ago, and that lists and GETs still show, is not linked again", async () => {
  const { world, key, id } = await staged({ policies: { onDeactivate: "delete" } });
  const put = async (isActive: boolean) => {
    world.shopify.put(SHOP, shopifyLocation(1, { isActive }));
    await world.requestWork("location", key);
    world.services.wake();
  };
  await put(false);
  while (world.account.templates.has(id)) await world.runFor(500);
  world.outcomeOf = (operation) =>
    operation === "get" || operation === "list" ? { ...PROMPT, behindMs: 20_000 } : PROMPT;
  // The list is read, and shows it with the location's marker.
  await world.requestWork("reconcile", "shop");
  await put(true);
  await world.runFor(5 * 60_000);
  expect(world.templateOf(key)?.id).not.toBe(id);
  expect(world.templateOf(key)).toBeDefined();
  expect(world.account.duplicates()).toBe(0);
  expect(await needs(world)).toEqual([]);
});
