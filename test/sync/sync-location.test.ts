import { beforeEach, describe, expect, test, vi } from "vitest";
import { markerIn, markerOf } from "../../app/domain/marker.ts";
import type { LinkRecord } from "../../app/domain/records.ts";
import { keepTemplate } from "../../app/book/keep-template.ts";
import { runNow } from "../../app/runs/run-now.ts";
import { resolveDifference } from "../../app/origins/resolve-difference.ts";
import { refOf } from "../../app/runs/circuit-breaker.ts";
import { NO_CONTACT, SHOP } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { firstMeets, REPLY_LOST } from "../fakes/shipping/outcomes.ts";
import { CONTACT, createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/**
 * The run of one location, from what it finds to what it sends.
 *
 * Long, because the run is one sequence of steps, and each step has its cases on one stage.
 */

async function run(world: World, key: string) {
  const requested = await world.requestWork("location", key);
  return world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
}

const linkOf = async (world: World, locationId: string): Promise<LinkRecord> =>
  (await world.store.links.find({ shop: SHOP, locationId }))!;

let world: World;
let key: string;

async function mapped(options: Parameters<typeof createWorld>[0] = {}) {
  world = await createWorld(options);
  key = await world.addLocation(1);
  await run(world, key);
  world.calls.length = 0;
}

describe("a location becomes a template", () => {
  beforeEach(async () => {
    world = await createWorld();
    key = await world.addLocation(1);
  });

  test("a confirmed and complete one is created once, with its marker, and linked", async () => {
    expect(await run(world, key)).toEqual({ kind: "done" });
    expect(world.calls).toEqual(["create"]);
    const [template] = [...world.account.templates.values()];
    expect(markerIn(template!.alias_name)).toBe(markerOf(SHOP, key));
    expect(template!.address).toMatchObject({
      street1: "Avenida Vallarta",
      street_number: "101",
      area_level3: "Americana",
    });
    expect(await linkOf(world, key)).toMatchObject({ templateId: template!.id, how: "created", differences: [] });
    expect(await world.store.pendingWrites.count({ shop: SHOP })).toBe(0);
    const [line] = await world.store.activity.list({ shop: SHOP, kind: "template_created" });
    expect(line).toMatchObject({ locationId: key, outcome: "done", templateId: template!.id });
    expect(line!.fields).toContainEqual({ field: "street_number", from: null, to: "101" });
  });

  test("one that nobody confirmed waits, and nothing is sent", async () => {
    await world.store.details.update({ locationId: key }, { confirmedAtMs: null });
    expect(await run(world, key)).toMatchObject({ kind: "blocked", reason: { code: "unconfirmed" } });
    expect(world.calls).toEqual([]);
  });

  test("one that lacks something waits, and nothing is sent", async () => {
    await world.store.shops.update({ shop: SHOP }, { contact: NO_CONTACT });
    expect(await run(world, key)).toMatchObject({ kind: "blocked", reason: { code: "incomplete" } });
    expect(world.calls).toEqual([]);
  });

  test.each([
    ["a fulfilment service's", { isFulfillmentService: true }],
    ["one that ships nothing", { fulfillsOnlineOrders: false }],
    ["an inactive one", { isActive: false }],
  ])("%s is left alone", async (_name, over) => {
    const other = await world.addLocation(2, over);
    expect(await run(world, other)).toEqual({ kind: "done" });
    expect(world.calls).toEqual([]);
  });

  test("without a connection it waits for one", async () => {
    await world.store.connections.update({ shop: SHOP }, { state: "disconnected", version: 2 });
    expect(await run(world, key)).toMatchObject({ kind: "blocked", reason: { code: "not_connected" } });
  });
});

describe("looking again", () => {
  beforeEach(() => mapped());

  test("at what has not changed costs no call", async () => {
    expect(await run(world, key)).toEqual({ kind: "done" });
    expect(world.calls).toEqual([]);
  });

  test("at a change costs one GET and one PATCH, of the fields that changed", async () => {
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
    expect(await run(world, key)).toEqual({ kind: "done" });
    expect(world.calls).toEqual(["get", "update"]);
    expect(world.templateOf(key)!.address).toMatchObject({ street_number: "777", street1: "Avenida Vallarta" });
  });

  test("at a change of what nobody sends costs no call", async () => {
    world.shopify.put(SHOP, {
      ...shopifyLocation(1),
      address: { ...mexicanAddress({ number: "101" }), city: " Guadalajara " },
    });
    await run(world, key);
    expect(world.calls).toEqual([]);
  });
});

describe("somebody else's words", () => {
  beforeEach(() => mapped());
  const move = () => world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));

  test("stay, and are shown as drift beside what went", async () => {
    world.account.byPerson.edit((await linkOf(world, key)).templateId, "reference", "Timbre azul", world.clock.nowMs());
    move();
    expect(await run(world, key)).toEqual({ kind: "done" });
    expect(world.templateOf(key)!.address).toMatchObject({ reference: "Timbre azul", street_number: "777" });
    expect((await linkOf(world, key)).differences).toMatchObject([
      { field: "reference", kind: "drift", ours: "Portón verde", theirs: "Timbre azul" },
    ]);
  });

  test("in a field that we changed too wait for the owner, and the others go", async () => {
    world.account.byPerson.edit((await linkOf(world, key)).templateId, "street_number", "9 bis", world.clock.nowMs());
    world.shopify.put(SHOP, shopifyLocation(1, { name: "Centro", address: mexicanAddress({ number: "777" }) }));
    expect(await run(world, key)).toMatchObject({ kind: "blocked", reason: { code: "conflict" } });
    const template = world.templateOf(key)!;
    expect(template.address.street_number).toBe("9 bis");
    expect(template.alias_name).toMatch(/^Centro /);
  });

  test.each([
    ["ours", "777"],
    ["theirs", "9 bis"],
  ] as const)("are resolved by choosing %s", async (choice, there) => {
    world.account.byPerson.edit((await linkOf(world, key)).templateId, "street_number", "9 bis", world.clock.nowMs());
    move();
    await run(world, key);
    const choices = [{ field: "street_number" as const, choice, theirs: "9 bis" }];
    const changed = await world.clock.runWhile(
      resolveDifference(world.services, { shop: SHOP, locationId: key, choices }),
    );
    expect(changed).toEqual({ kind: "done", progress: { kind: "done" } });
    expect(world.templateOf(key)!.address.street_number).toBe(there);
    expect(await linkOf(world, key)).toMatchObject({ differences: [], choices: [] });
  });

  test("that another run read while this one planned are not overwritten by what this one was shown", async () => {
    const { templateId, connectionId } = await linkOf(world, key);
    const { shops, connections } = world.store;
    const find = shops.find.bind(shops);
    vi.spyOn(shops, "find").mockImplementation(async (where) => {
      if (world.calls.includes("get") && world.templateOf(key)!.address.street_number !== "9 bis") {
        world.account.byPerson.edit(templateId, "street_number", "9 bis", world.clock.nowMs());
        const ref = refOf((await connections.find({ id: connectionId }))!);
        const template = structuredClone(world.templateOf(key)!);
        await world.store.transaction(SHOP, (tables) => keepTemplate(world.services, tables, { ref, template }));
      }
      return find(where);
    });
    move();
    expect(await run(world, key)).toMatchObject({ kind: "blocked", reason: { code: "conflict" } });
    expect(world.templateOf(key)!.address.street_number).toBe("9 bis");
  });

  test("a template they deleted is asked about, not made again", async () => {
    // Until then a GET may be behind its making.
    await world.clock.runFor(61_000);
    world.account.byPerson.remove((await linkOf(world, key)).templateId);
    move();
    expect((await run(world, key)).kind).toBe("under_way");
    expect((await world.workItem("location", key)).reason?.code).toBe("absence_unconfirmed");
    await world.clock.runFor(60_000);
    // The first listing that lacks it: it may hide it for a moment.
    expect((await run(world, key)).kind).toBe("under_way");
    expect(world.calls).toEqual(["get", "get", "list"]);
    await world.clock.runFor(60_000);
    expect(await run(world, key)).toMatchObject({ kind: "blocked", reason: { code: "missing_there" } });
    expect(world.calls).toEqual(["get", "get", "list", "get", "list"]);
    expect((await linkOf(world, key)).missingSinceMs).not.toBeNull();
    expect(await run(world, key)).toMatchObject({ kind: "blocked", reason: { code: "missing_there" } });
    expect(world.calls).toEqual(["get", "get", "list", "get", "list"]);
  });
});

describe("a service that empties what a partial update does not name", () => {
  beforeEach(() => mapped({ habits: { wipes: true } }));

  test("is sent the whole at once, and from then on", async () => {
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
    await run(world, key);
    expect(world.calls).toEqual(["get", "update", "update"]);
    expect(world.templateOf(key)!.address).toMatchObject({
      street_number: "777",
      street1: "Avenida Vallarta",
      name: CONTACT.name,
    });
    world.calls.length = 0;
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "778" }) }));
    await run(world, key);
    expect(world.calls).toEqual(["get", "update"]);
    expect(world.templateOf(key)!.address).toMatchObject({ street_number: "778", name: CONTACT.name });
    expect((await linkOf(world, key)).differences).toEqual([]);
  });

  test("keeps what people had said, where it was seen", async () => {
    world.account.byPerson.edit((await linkOf(world, key)).templateId, "reference", "Timbre azul", world.clock.nowMs());
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
    await run(world, key);
    expect(world.templateOf(key)!.address).toMatchObject({ street_number: "777", reference: "Timbre azul" });
  });

  test("puts nothing of ours in the place of what people said in a template linked by hand, where nothing had stood", async () => {
    const { templateId } = await linkOf(world, key);
    world.account.templates.get(templateId)!.address.reference = null;
    const answered = structuredClone(world.templateOf(key)!);
    await world.store.links.update({ shop: SHOP }, { how: "chosen", sent: null, answered });
    world.account.byPerson.edit(templateId, "reference", "Puerta azul", world.clock.nowMs());
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
    expect(await run(world, key)).toMatchObject({ kind: "blocked", reason: { code: "conflict" } });
    expect(world.templateOf(key)!.address).toMatchObject({ street_number: "777", reference: "Puerta azul" });
    expect((await linkOf(world, key)).differences).toMatchObject([{ field: "reference", theirs: "Puerta azul" }]);
  });

  test("and puts no old choice of the owner in the place of what an unclear write emptied", async () => {
    const { id, templateId } = await linkOf(world, key);
    // Chosen when the field was empty there; somebody has said something else since.
    await world.store.links.update({ id }, { choices: [{ field: "street_number", choice: "ours", theirs: null }] });
    world.account.byPerson.edit(templateId, "street_number", "9 bis", world.clock.nowMs());
    world.shopify.put(
      SHOP,
      shopifyLocation(1, { address: mexicanAddress({ street: "Calle Morelos", number: "777" }) }),
    );
    firstMeets(world, "update", REPLY_LOST);
    await run(world, key);
    expect(world.templateOf(key)!.address).toMatchObject({ street1: "Calle Morelos", street_number: null });
    await world.clock.runFor(120_000);
    expect(await run(world, key)).toMatchObject({ kind: "blocked", reason: { code: "conflict" } });
    expect(world.templateOf(key)!.address).toMatchObject({ street1: "Calle Morelos", street_number: "9 bis" });
  });
});

describe("an unclear end", () => {
  beforeEach(async () => {
    world = await createWorld();
    key = await world.addLocation(1);
  });

  test("of a create is waited out, then looked for, and adopted instead of made again", async () => {
    firstMeets(world, "create", REPLY_LOST);
    expect((await run(world, key)).kind).toBe("under_way");
    expect(await world.store.pendingWrites.count({ shop: SHOP })).toBe(1);
    expect((await world.workItem("location", key)).reason!.code).toBe("transport");
    const before = world.calls.length;
    await world.clock.runFor(60_000);
    expect((await run(world, key)).kind).toBe("under_way");
    expect(world.calls.length).toBe(before);
    await world.clock.runFor(60_000);
    expect(await run(world, key)).toEqual({ kind: "done" });
    // The first list only asked whether the service answers anything.
    expect(world.calls).toEqual(["create", "list", "list"]);
    expect(world.account.templates.size).toBe(1);
    expect(await linkOf(world, key)).toMatchObject({ how: "created" });
    expect(await world.store.pendingWrites.count({ shop: SHOP })).toBe(0);
  });

  test("of a create that never was leads to one, once", async () => {
    firstMeets(world, "create", { arrivesAfterMs: null, effectAfterMs: null, answer: { kind: "reset", afterMs: 5 } });
    await run(world, key);
    await world.clock.runFor(120_000);
    // That it is not there is known by two listings, a while apart.
    expect((await run(world, key)).kind).toBe("under_way");
    expect((await world.workItem("location", key)).reason?.code).toBe("book_unconfirmed");
    await world.clock.runFor(30_000);
    expect(await run(world, key)).toEqual({ kind: "done" });
    // The first asks only whether the service answers anybody.
    expect(world.calls).toEqual(["list", "list", "list", "create"]);
    expect(world.account.templates.size).toBe(1);
  });

  test("of an update is read, and our own words are not taken for somebody's", async () => {
    await run(world, key);
    firstMeets(world, "update", REPLY_LOST);
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
    await run(world, key);
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "778" }) }));
    await world.clock.runFor(120_000);
    expect(await run(world, key)).toEqual({ kind: "done" });
    expect(world.templateOf(key)!.address.street_number).toBe("778");
    expect((await linkOf(world, key)).differences).toEqual([]);
  });

  test("a definite refusal leaves no pending write behind", async () => {
    firstMeets(world, "create", {
      arrivesAfterMs: 20,
      effectAfterMs: null,
      answer: { kind: "rate_limited", afterMs: 5 },
    });
    expect(await run(world, key)).toEqual({ kind: "done" });
    expect(world.calls).toEqual(["create", "create"]);
    expect(world.account.templates.size).toBe(1);
    expect(await world.store.pendingWrites.count({ shop: SHOP })).toBe(0);
  });
});

describe("templates that are there already", () => {
  const there = {
    alias_name: "Mi bodega",
    address_type: "from",
    address_attributes: {
      street1: "Avenida Vallarta",
      street_number: "101",
      postal_code: "44160",
      area_level3: "Americana",
      country_code: "MX",
      name: "Ana Pérez",
    },
  };

  beforeEach(async () => {
    world = await createWorld();
    key = await world.addLocation(1);
  });

  test("that hold the location's address are asked about instead of doubled", async () => {
    world.account.byPerson.add(there);
    const reconcile = await world.requestWork("reconcile", "shop");
    await world.clock.runWhile(runNow(world.services, { shop: SHOP, ...reconcile }));
    expect(await run(world, key)).toMatchObject({ kind: "blocked", reason: { code: "adoption_choice" } });
    await world.store.details.update({ locationId: key }, { adoption: "create" });
    expect(await run(world, key)).toEqual({ kind: "done" });
    expect(world.account.templates.size).toBe(2);
  });

  test("that carry its marker are ours, after a reinstall too; what differs is shown", async () => {
    await run(world, key);
    await world.store.links.delete({ shop: SHOP });
    world.account.byPerson.edit(world.templateOf(key)!.id, "reference", "Timbre azul", world.clock.nowMs());
    world.calls.length = 0;
    expect(await run(world, key)).toEqual({ kind: "done" });
    expect(world.calls).toEqual(["get"]);
    expect(await linkOf(world, key)).toMatchObject({
      how: "adopted",
      differences: [{ field: "reference", kind: "drift", theirs: "Timbre azul" }],
    });
  });
});

describe("a location that leaves", () => {
  test.each([
    ["keep", 1, 1],
    ["unlink", 1, 0],
    ["delete", 0, 0],
  ] as const)("by the rule %s leaves %d template and %d link", async (rule, templates, links) => {
    await mapped({ policies: { onDelete: rule, onDeactivate: rule } });
    world.shopify.put(SHOP, shopifyLocation(1, { isActive: false }));
    expect(await run(world, key)).toEqual({ kind: "done" });
    expect(world.account.templates.size).toBe(templates);
    expect(await world.store.links.count({ shop: SHOP })).toBe(links);
    world.shopify.remove(SHOP, key);
    await run(world, key);
    await world.clock.runFor(60_000);
    expect(await run(world, key)).toEqual({ kind: "done" });
    expect((await world.store.locations.find({ shop: SHOP, locationId: key }))!.deletedAtMs).not.toBeNull();
  });

  test("and comes back is known by its marker", async () => {
    await mapped({ policies: { onDeactivate: "unlink" } });
    world.shopify.put(SHOP, shopifyLocation(1, { isActive: false }));
    await run(world, key);
    world.shopify.put(SHOP, shopifyLocation(1));
    expect(await run(world, key)).toEqual({ kind: "done" });
    expect(world.account.templates.size).toBe(1);
    expect((await linkOf(world, key)).how).toBe("adopted");
  });
});

describe("older plans", () => {
  test("are not sent once the connection has changed", async () => {
    await mapped();
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
    world.outcomeOf = (operation) => {
      if (operation === "get") void world.store.connections.update({ shop: SHOP }, { version: 2 });
      return PROMPT;
    };
    await run(world, key);
    expect(world.calls.filter((call) => call === "update").length).toBeLessThanOrEqual(1);
    expect(world.templateOf(key)!.address.street_number).toBe("777");
  });

  test("are not sent once the owner has said something newer", async () => {
    await mapped();
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
    let said = false;
    world.outcomeOf = (operation) => {
      if (operation === "get" && !said) {
        said = true;
        void world.store.details.update({ locationId: key }, { paused: true, revision: 1 });
      }
      return PROMPT;
    };
    expect(await run(world, key)).toEqual({ kind: "done" });
    expect(world.calls).toEqual(["get"]);
    expect(world.templateOf(key)!.address.street_number).toBe("101");
  });
});
