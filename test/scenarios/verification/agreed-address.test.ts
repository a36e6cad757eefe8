import { beforeEach, describe, expect, test } from "vitest";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import { canonicalAddress } from "../../../app/domain/address/compare.ts";
import { resolveDifference } from "../../../app/origins/resolve-difference.ts";
import type { Worker } from "../../../app/worker/worker.ts";
import { SHOP } from "../../fakes/records.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

let world: World;
let worker: Worker;
let templateId: string;

const record = async () =>
  (await world.store.verifications.find({ connectionId: "connection-1", templateId, carrier: "fedex" }))!;

describe("the address that both sides agree on, where nothing was sent", () => {
  const STREET = "street_number" as const;

  beforeEach(async () => {
    world = await createWorld({ policies: { verifyAfterChange: true, carriers: ["fedex"] } });
    await world.addLocation(1);
    worker = world.start();
    await world.runFor(120_000);
    templateId = (await world.store.links.find({ shop: SHOP }))!.templateId;
    world.account.setVerdict(templateId, "fedex", "approved");
    await world.runFor(600_000);
    expect((await record()).outcome).toBe("accepted");
    world.calls.length = 0;
  });

  async function look() {
    const [location] = await world.store.locations.list({ shop: SHOP });
    await world.requestWork("location", location!.locationId);
    world.services.wake();
    await world.runFor(4_000);
    return location!.locationId;
  }

  async function changeThere(number: string) {
    world.account.byPerson.edit(templateId, STREET, number, world.clock.nowMs());
    await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
    return look();
  }

  const choose = (locationId: string, choice: "ours" | "theirs", theirs: string) =>
    resolveDifference(world.services, { shop: SHOP, locationId, choices: [{ field: STREET, choice, theirs }] });

  const move = (number: string) => world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number }) }));

  test.each([
    ["a change in the account", null],
    ["a conflict", "888"],
  ])("is asked about once its owner keeps theirs in %s, and not before", async (_name, ours) => {
    if (ours !== null) move(ours);
    const locationId = await changeThere("9 bis");
    expect(world.calls).not.toContain("verify");
    await world.clock.runWhile(choose(locationId, "theirs", "9 bis"));
    await world.runFor(4_000);
    expect(world.calls.filter((call) => call === "verify")).toHaveLength(1);
    expect(world.calls).not.toContain("update");
    const asked = canonicalAddress(world.account.templates.get(templateId)!.address);
    expect(await record()).toMatchObject({ question: "asked", questionKey: asked });
    await look();
    await look();
    expect(world.calls.filter((call) => call === "verify")).toHaveLength(1);
    await world.clock.runWhile(worker.stop());
  });

  test("is asked about when Shopify comes to say what the account says", async () => {
    await changeThere("9 bis");
    move("9 bis");
    await look();
    expect(world.calls.filter((call) => call === "verify")).toHaveLength(1);
    await world.clock.runWhile(worker.stop());
  });

  test("is not asked about where it is the one of the verdict", async () => {
    await changeThere("9 bis");
    await changeThere("101");
    expect(world.calls).not.toContain("verify");
    expect(await record()).toMatchObject({ outcome: "accepted", question: null });
    await world.clock.runWhile(worker.stop());
  });

  test("is not asked about where the shop's rule says so", async () => {
    const shop = (await world.store.shops.find({ shop: SHOP }))!;
    await world.store.shops.update({ shop: SHOP }, { policies: { ...shop.policies, verifyAfterChange: false } });
    const locationId = await changeThere("9 bis");
    await world.clock.runWhile(choose(locationId, "theirs", "9 bis"));
    await world.runFor(4_000);
    expect(world.calls).not.toContain("verify");
    await world.clock.runWhile(worker.stop());
  });
});
