import { describe, expect, test } from "vitest";
import { deleteOriginTemplate } from "../../../app/origins/delete-origin-template.ts";
import { excludeOrigin } from "../../../app/origins/exclude-origin.ts";
import { takeBackExclusion } from "../../../app/origins/take-back-exclusion.ts";
import { includeOrigin } from "../../../app/origins/include-origin.ts";
import { linkOrigin } from "../../../app/origins/link-origin.ts";
import { makeAgain } from "../../../app/origins/make-again.ts";
import { pauseOrigin } from "../../../app/origins/pause-origin.ts";
import { readOrigin } from "../../../app/pages/read-origin.ts";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import { refreshOrigin } from "../../../app/origins/refresh-origin.ts";
import { resolveDifference } from "../../../app/origins/resolve-difference.ts";
import { syncOrigin } from "../../../app/origins/sync-origin.ts";
import { unlinkOrigin } from "../../../app/origins/unlink-origin.ts";
import { NO_CONTACT, SHOP, locationRecord } from "../../fakes/records.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";
import { versionOf } from "../../../app/domain/plan/template-version.ts";
import type { AddressTemplate } from "../../../app/domain/records.ts";

/**
 * Linking an origin to a template, letting go of it, excluding, including and pausing the origin.
 *
 * Long, because each act undoes another, and the cases follow one origin through them.
 */

const OTHER = "two.myshopify.com";

async function syncedOrigin(world: World) {
  const locationId = await world.addLocation(1);
  await world.store.locations.insert(locationRecord({ ...shopifyLocation(1), shop: SHOP }));
  await run(world, syncOrigin(world.services, { shop: SHOP, locationId }));
  return { locationId, template: world.templateOf(locationId)! };
}

const run = <T>(world: World, work: Promise<T>) => world.clock.runWhile(work);
const view = async (world: World, locationId: string) =>
  (await readOrigin(world.services, { shop: SHOP, locationId }))!;

/** What a page sends back of a template that it shows. */
const asShown = (template: AddressTemplate) => ({ templateId: template.id, templateVersion: versionOf(template) });

/** A template somebody made by hand, and the book read since. */
async function templateByHand(world: World, over: Record<string, string | null> = {}) {
  const { address } = shopifyLocation(1);
  const template = world.account.byPerson.add({
    alias_name: "Mi bodega",
    address_type: "from",
    address_attributes: {
      ...{ ...NO_CONTACT, name: "Pedro", email: "pedro@example.com", phone: "3311112222", reference: "Azul" },
      ...{ street1: "Avenida Vallarta", street_number: "101", apartment_number: null, postal_code: address.zip! },
      ...{ area_level1: "Jalisco", area_level2: "Guadalajara", area_level3: "Americana", country_code: "MX" },
      ...over,
    },
  });
  await run(world, refreshAddressBook(world.services, { shop: SHOP, force: true }));
  return template;
}

describe("linking to a template that exists", () => {
  test("confirms the origin, fills what it lacks from the template, and makes no second one", async () => {
    const world = await createWorld();
    await world.store.shops.update({ shop: SHOP }, { contact: NO_CONTACT });
    const location = shopifyLocation(1);
    world.shopify.put(SHOP, location);
    await world.store.locations.insert(locationRecord({ ...location, shop: SHOP }));
    const template = await templateByHand(world);
    expect((await view(world, location.locationId)).proposals.map(({ templateId, how }) => [templateId, how])).toEqual([
      [template.id, "equal"],
    ]);
    const outcome = await run(
      world,
      linkOrigin(world.services, { shop: SHOP, locationId: location.locationId, ...asShown(template) }),
    );
    expect(outcome).toEqual({ kind: "done", progress: { kind: "done" } });
    expect(world.calls).not.toContain("create");
    expect(world.account.templates.get(template.id)!.address).toMatchObject({
      name: "Pedro",
      email: "pedro@example.com",
    });
    expect(await view(world, location.locationId)).toMatchObject({
      confirmed: true,
      template: { templateId: template.id, how: "chosen" },
    });
  });

  test("refuses one that stands for another location, and a second link", async () => {
    const world = await createWorld();
    const { locationId, template } = await syncedOrigin(world);
    const second = shopifyLocation(2);
    await world.store.locations.insert(locationRecord({ ...second, shop: SHOP }));
    const link = (id: string, templateId: string) =>
      run(world, linkOrigin(world.services, { shop: SHOP, locationId: id, ...asShown(template), templateId }));
    expect(await link(second.locationId, template.id)).toEqual({ kind: "taken" });
    expect(await link(locationId, template.id)).toEqual({ kind: "already_linked" });
    expect(await link(second.locationId, "somebody-elses")).toEqual({ kind: "not_found" });
  });
});

test("a template that somebody changed since it was shown is not linked: its owner saw other words", async () => {
  const world = await createWorld();
  const location = shopifyLocation(1);
  world.shopify.put(SHOP, location);
  await world.store.locations.insert(locationRecord({ ...location, shop: SHOP }));
  const template = await templateByHand(world);
  const one = { shop: SHOP, locationId: location.locationId };
  const before = asShown(structuredClone(template));
  world.account.byPerson.edit(template.id, "address_type", "to", world.clock.nowMs());
  await run(world, refreshAddressBook(world.services, { shop: SHOP, force: true }));
  expect(await run(world, linkOrigin(world.services, { ...one, ...before }))).toEqual({ kind: "changed_since" });
  expect(await world.store.links.count({ shop: SHOP })).toBe(0);
  expect(world.account.templates.get(template.id)!.address_type).toBe("to");
  const now = (await world.store.templates.find({ templateId: template.id }))!;
  expect(await run(world, linkOrigin(world.services, { ...one, ...asShown(now.template) }))).toMatchObject({
    kind: "done",
  });
});

test("a new reading of the same values is no change: what was shown can be linked", async () => {
  const world = await createWorld();
  const location = shopifyLocation(1);
  world.shopify.put(SHOP, location);
  await world.store.locations.insert(locationRecord({ ...location, shop: SHOP }));
  await templateByHand(world);
  const [proposal] = (await view(world, location.locationId)).proposals;
  await run(world, refreshAddressBook(world.services, { shop: SHOP, force: true }));
  const { templateId, version: templateVersion } = proposal!;
  const one = { shop: SHOP, locationId: location.locationId };
  expect(await run(world, linkOrigin(world.services, { ...one, templateId, templateVersion }))).toMatchObject({
    kind: "done",
  });
});

describe("letting go of a template", () => {
  test("unlinking keeps it in the account, and no run makes another", async () => {
    const world = await createWorld();
    const { locationId, template } = await syncedOrigin(world);
    expect(await unlinkOrigin(world.services, { shop: SHOP, locationId })).toBe("unlinked");
    await run(world, syncOrigin(world.services, { shop: SHOP, locationId }));
    expect([...world.account.templates.keys()]).toEqual([template.id]);
    expect(await view(world, locationId)).toMatchObject({
      state: "not_included",
      exclusion: "excluded",
      template: null,
      canInclude: true,
    });
  });

  test("deleting takes it out of the account once, however often it is pressed", async () => {
    const world = await createWorld();
    const { locationId } = await syncedOrigin(world);
    world.calls.length = 0;
    const press = () => deleteOriginTemplate(world.services, { shop: SHOP, locationId, draftId: "draft-7" });
    const [first] = await run(world, Promise.all([press(), press()]));
    expect(first).toMatchObject({ kind: "done" });
    expect(await run(world, press())).toEqual(first);
    await world.runFor();
    expect(world.calls.filter((call) => call === "delete")).toHaveLength(1);
    expect(await world.store.activity.count({ shop: SHOP, kind: "deletion_asked" })).toBe(1);
    expect(world.account.templates.size).toBe(0);
    expect(await view(world, locationId)).toMatchObject({ state: "not_included", template: null });
  });

  test("including again adds it anew", async () => {
    const world = await createWorld();
    const { locationId } = await syncedOrigin(world);
    await run(world, deleteOriginTemplate(world.services, { shop: SHOP, locationId, draftId: "draft-8" }));
    expect(await run(world, includeOrigin(world.services, { shop: SHOP, locationId }))).toMatchObject({ kind: "done" });
    expect(world.account.templates.size).toBe(1);
  });

  test("what Shopify deactivated cannot be included", async () => {
    const world = await createWorld();
    await world.store.locations.insert(locationRecord({ ...shopifyLocation(3), shop: SHOP, isActive: false }));
    const outcome = await run(
      world,
      includeOrigin(world.services, { shop: SHOP, locationId: shopifyLocation(3).locationId }),
    );
    expect(outcome).toEqual({ kind: "impossible" });
  });

  test("a location left out by hand is no origin", async () => {
    const world = await createWorld();
    const { locationId } = await syncedOrigin(world);
    expect(await excludeOrigin(world.services, { shop: SHOP, locationId })).toBe("excluded");
    expect((await view(world, locationId)).state).toBe("not_included");
  });

  test.each([
    ["what the policy says of it again", {}, "policy"],
    ["an origin by hand, where the policy says no", { fulfillsOnlineOrders: false }, "always"],
  ])("taken back, it is %s", async (_what, location, inclusion) => {
    const world = await createWorld();
    const { locationId } = await syncedOrigin(world);
    await world.store.locations.update({ shop: SHOP, locationId }, location);
    await excludeOrigin(world.services, { shop: SHOP, locationId });
    await run(world, takeBackExclusion(world.services, { shop: SHOP, locationId }));
    expect(await world.store.details.find({ shop: SHOP, locationId })).toMatchObject({ inclusion });
    expect((await view(world, locationId)).state).not.toBe("not_included");
  });
});

describe("what others did in the account", () => {
  test("a change there shows as drift after a look, and our answer resolves it", async () => {
    const world = await createWorld();
    const { locationId, template } = await syncedOrigin(world);
    world.account.byPerson.edit(template.id, "reference", "Portón azul", world.clock.nowMs());
    world.start();
    await world.runFor(60_000);
    expect(await run(world, refreshOrigin(world.services, { shop: SHOP, locationId }))).toBe("fresh");
    await world.runFor();
    const seen = await view(world, locationId);
    expect(seen).toMatchObject({
      state: "drift",
      differences: [{ field: "reference", kind: "drift", theirs: "Portón azul" }],
    });
    const choice = { field: "reference", choice: "ours", theirs: "Portón azul" } as const;
    await run(world, resolveDifference(world.services, { shop: SHOP, locationId, choices: [choice] }));
    expect(world.account.templates.get(template.id)!.address.reference).toBe("Portón verde");
    expect((await view(world, locationId)).differences).toEqual([]);
  });

  test("an answer to a value that is no longer there is not taken", async () => {
    const world = await createWorld();
    const { locationId } = await syncedOrigin(world);
    const choices = [{ field: "reference", choice: "ours", theirs: "never seen" } as const];
    expect(await run(world, resolveDifference(world.services, { shop: SHOP, locationId, choices }))).toEqual({
      kind: "changed_since",
    });
  });

  test("one that was deleted there is made again on demand, and only then", async () => {
    const world = await createWorld();
    const { locationId, template } = await syncedOrigin(world);
    expect(await run(world, makeAgain(world.services, { shop: SHOP, locationId }))).toEqual({ kind: "not_missing" });
    world.start();
    // A GET may be behind its making until then.
    await world.runFor(61_000);
    world.account.byPerson.remove(template.id);
    await run(world, refreshOrigin(world.services, { shop: SHOP, locationId }));
    await world.runFor(125_000);
    await run(world, refreshOrigin(world.services, { shop: SHOP, locationId }));
    await world.runFor();
    expect((await view(world, locationId)).state).toBe("missing_there");
    expect(world.account.templates.size).toBe(0);
    await run(world, makeAgain(world.services, { shop: SHOP, locationId }));
    expect(world.account.templates.size).toBe(1);
  });
});

describe("sync now", () => {
  test("notices by itself what was changed or deleted in the account", async () => {
    const world = await createWorld();
    const { locationId, template } = await syncedOrigin(world);
    world.account.byPerson.edit(template.id, "reference", "Portón azul", world.clock.nowMs());
    await run(world, syncOrigin(world.services, { shop: SHOP, locationId }));
    expect((await view(world, locationId)).differences).toMatchObject([{ field: "reference", theirs: "Portón azul" }]);
    world.account.byPerson.remove(template.id);
    await run(world, syncOrigin(world.services, { shop: SHOP, locationId }));
    // One 404 may be a passing one.
    expect(await view(world, locationId)).toMatchObject({ held: true, reasonCode: "absence_unconfirmed" });
    await world.runFor(60_000);
    await run(world, syncOrigin(world.services, { shop: SHOP, locationId }));
    // So may one listing.
    expect(await view(world, locationId)).toMatchObject({ held: true, reasonCode: "absence_unconfirmed" });
    await world.runFor(60_000);
    await run(world, syncOrigin(world.services, { shop: SHOP, locationId }));
    expect((await view(world, locationId)).state).toBe("missing_there");
  });

  test("reads the template all the same where the service takes its time to answer", async () => {
    const world = await createWorld();
    const { locationId, template } = await syncedOrigin(world);
    world.account.byPerson.edit(template.id, "reference", "Portón azul", world.clock.nowMs());
    world.outcomeOf = () => ({ arrivesAfterMs: 20, effectAfterMs: 0, answer: { kind: "true", afterMs: 1_800 } });
    await run(world, syncOrigin(world.services, { shop: SHOP, locationId }));
    await world.clock.runFor(5_000);
    expect((await view(world, locationId)).differences).toMatchObject([{ field: "reference", theirs: "Portón azul" }]);
  });
});

describe("opened by five people at once", () => {
  async function opened() {
    const world = await createWorld();
    const { locationId } = await syncedOrigin(world);
    await world.runFor(60_000);
    world.calls.length = 0;
    const look = (how = {}) => refreshOrigin(world.services, { shop: SHOP, locationId, ...how });
    const gets = () => world.calls.filter((call) => call === "get").length;
    return { world, look, gets };
  }

  test("its template is read once", async () => {
    const { world, look, gets } = await opened();
    const told = await run(world, Promise.all([look(), look(), look(), look(), look()]));
    expect(told).toEqual(["fresh", "fresh", "fresh", "fresh", "fresh"]);
    expect(gets()).toBe(1);
  });

  test("a forced look never joins a reading that began before it, and such looks share one", async () => {
    const { world, look, gets } = await opened();
    await run(world, Promise.all([look(), look({ force: true }), look({ force: true }), look()]));
    expect(gets()).toBe(2);
  });
});

describe("pausing", () => {
  test("holds back changes until it is resumed, and passes over another shop's", async () => {
    const world = await createWorld();
    const { locationId } = await syncedOrigin(world);
    expect(
      await pauseOrigin(world.services, {
        shop: SHOP,
        locationIds: [locationId, "gid://shopify/Location/999"],
        paused: true,
      }),
    ).toEqual([locationId]);
    expect(await pauseOrigin(world.services, { shop: SHOP, locationIds: [locationId], paused: true })).toHaveLength(0);
    expect((await view(world, locationId)).state).toBe("paused");
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
    await run(world, syncOrigin(world.services, { shop: SHOP, locationId }));
    expect(world.calls).not.toContain("update");
    expect(await pauseOrigin(world.services, { shop: SHOP, locationIds: [locationId], paused: false })).toHaveLength(1);
  });
});

test("nothing an owner does touches another shop's location", async () => {
  const world = await createWorld();
  const { locationId } = await syncedOrigin(world);
  await world.store.shops.insert({ ...(await world.store.shops.find({ shop: SHOP }))!, shop: OTHER });
  const theirs = { shop: OTHER, locationId };
  world.calls.length = 0;
  expect(await readOrigin(world.services, theirs)).toBeNull();
  expect(await unlinkOrigin(world.services, theirs)).toBe("not_found");
  expect(await excludeOrigin(world.services, theirs)).toBe("not_found");
  expect(await pauseOrigin(world.services, { shop: OTHER, locationIds: [locationId], paused: true })).toHaveLength(0);
  for (const work of [
    syncOrigin(world.services, theirs),
    includeOrigin(world.services, theirs),
    makeAgain(world.services, theirs),
    linkOrigin(world.services, { ...theirs, templateId: "template-1", templateVersion: null }),
    deleteOriginTemplate(world.services, { ...theirs, draftId: "draft-9" }),
    resolveDifference(world.services, { ...theirs, choices: [{ field: "phone", choice: "ours", theirs: null }] }),
  ]) {
    expect(await run<{ kind: string }>(world, work)).toEqual({ kind: "not_found" });
  }
  expect(world.calls).toEqual([]);
});

describe("a template that is no origin any more", () => {
  async function switched() {
    const world = await createWorld({ policies: { carriers: [] } });
    const { locationId, template } = await syncedOrigin(world);
    expect((await view(world, locationId)).state).toBe("ready");
    world.account.byPerson.edit(template.id, "address_type", "to", world.clock.nowMs());
    await run(world, refreshOrigin(world.services, { shop: SHOP, locationId, force: true }));
    world.start();
    await world.runFor();
    const typeThere = () => world.account.templates.get(template.id)!.address_type;
    return { world, locationId, typeThere };
  }

  test("is shown as a difference with the choice, and not as ready", async () => {
    const { world, locationId, typeThere } = await switched();
    const origin = await view(world, locationId);
    expect(origin.state).toBe("drift");
    expect(origin.differences).toEqual([
      expect.objectContaining({ field: "address_type", kind: "drift", ours: "from", theirs: "to" }),
    ]);
    expect(origin.readiness).toContainEqual({ code: "agreed", met: false });
    expect(typeThere()).toBe("to");
  });

  test("is an origin again where its owner chooses so", async () => {
    const { world, locationId, typeThere } = await switched();
    const choices = [{ field: "address_type", choice: "ours", theirs: "to" } as const];
    await run(world, resolveDifference(world.services, { shop: SHOP, locationId, choices }));
    expect(typeThere()).toBe("from");
    expect((await view(world, locationId)).differences).toEqual([]);
  });
});
