import { beforeEach, describe, expect, test } from "vitest";
import { markerOf } from "../../app/domain/marker.ts";
import type { AddressTemplate, TemplateDraft } from "../../app/domain/records.ts";
import { connectAccount } from "../../app/account/connect-account.ts";
import { linkOrigin } from "../../app/origins/link-origin.ts";
import { readAddressBook } from "../../app/pages/read-address-book.ts";
import { readHome } from "../../app/pages/read-home.ts";
import { readOrigin } from "../../app/pages/read-origin.ts";
import { readTemplate } from "../../app/pages/read-template.ts";
import { refreshAddressBook } from "../../app/book/refresh-address-book.ts";
import { requestVerification } from "../../app/verification/request-verification.ts";
import { runNow } from "../../app/runs/run-now.ts";
import { saveTemplate } from "../../app/by-hand/save-template.ts";
import type { BookQuery } from "../../app/views/address-book.ts";
import { SHOP } from "../fakes/records.ts";
import { createFakeAccount } from "../fakes/shipping/account.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { firstMeets, REPLY_LOST, REQUEST_LOST } from "../fakes/shipping/outcomes.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { versionOf } from "../../app/domain/plan/template-version.ts";

/**
 * Rows of the address book that cannot be read: what is still done around them, and what is not.
 *
 * Long, because a row that cannot be read concerns listings, links, creates and forms, and all use one stage.
 */

const ALL: BookQuery = { tab: "all", search: "", page: 1 };
const STRANGER: TemplateDraft = {
  alias_name: "Ajena",
  address_type: "from",
  address_attributes: { street1: "Otra", postal_code: "01000" },
};
const noAddress = ({ address: _, ...rest }: AddressTemplate): unknown => rest;

let world: World;

const listed = async () => {
  await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
  return (await readAddressBook(world.services, { shop: SHOP, query: ALL }))!;
};
const connection = async () => (await world.store.connections.find({ shop: SHOP }))!;
const origin = async (locationId: string) => (await readOrigin(world.services, { shop: SHOP, locationId }))!;
const templateIdOf = async (locationId: string) =>
  (await world.store.links.find({ shop: SHOP, locationId }))!.templateId;

async function run(locationId: string) {
  const requested = await world.requestWork("location", locationId);
  return world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
}

/** The owner enters another client id. */
async function connectAnotherClient(): Promise<void> {
  const stated = { environment: "test", clientId: "client-2", clientSecret: "a-secret" } as const;
  await world.clock.runWhile(
    connectAccount(world.services, { shop: SHOP, stated: { ...stated, scope: null, redirectUri: null } }),
  );
}

beforeEach(async () => {
  world = await createWorld();
});

describe("a row of a stranger's that cannot be read", () => {
  test("keeps no reconcile from ending and no other location from its template", async () => {
    world.malformed.set(world.account.byPerson.add(STRANGER).id, noAddress);
    const keys = [await world.addLocation(1), await world.addLocation(2)];
    await world.requestWork("reconcile", "shop");
    world.start();
    await world.runFor();
    expect(await world.workItem("reconcile", "shop")).toMatchObject({ failures: 0, reason: null });
    expect((await world.store.shops.find({ shop: SHOP }))!.reconciledAtMs).not.toBeNull();
    for (const key of keys) expect(world.templateOf(key)).toBeDefined();
  });

  test.each([
    ["an id and a name", noAddress, { name: "Ajena", what: "no_address" }],
    ["a name", (one: AddressTemplate) => ({ ...one, id: null }), { templateId: null, name: "Ajena", what: "no_id" }],
    ["nothing", () => null, { templateId: null, name: null, what: "no_object" }],
  ])("is told in the address book, when it has %s", async (_name, shown, told) => {
    world.malformed.set(world.account.byPerson.add(STRANGER).id, shown);
    const { unreadable, rows } = await listed();
    expect(rows).toEqual([]);
    expect(unreadable).toEqual([expect.objectContaining({ ...told, location: null })]);
    expect(world.requests.at(-1)!.requestId).toBe(unreadable[0]!.requestId);
  });

  test("is told once in the log, since when, and no more once it can be read", async () => {
    const told: unknown[] = [];
    world.services.log = { ...world.services.log, warn: (fields) => void told.push(fields) };
    const { id } = world.account.byPerson.add(STRANGER);
    world.malformed.set(id, noAddress);
    const first = await listed();
    await world.clock.runFor(60_000);
    const second = await listed();
    expect(second.unreadable[0]!.sinceMs).toBe(first.unreadable[0]!.sinceMs);
    expect(told.filter((fields) => JSON.stringify(fields).includes("no_address"))).toHaveLength(1);
    world.malformed.clear();
    expect(await listed()).toMatchObject({ unreadable: [], rows: [{ templateId: id, unreadable: false }] });
  });
});

describe("a row that says neither its id nor its name", () => {
  const isKnown = (templateId: string) => world.store.templates.count({ templateId });

  test("may be a template that went when it came: what is known of that stays, however often the book is read", async () => {
    const { id } = world.account.byPerson.add(STRANGER);
    await listed();
    await requestVerification(world.services, { shop: SHOP, templateId: id, carriers: ["fedex"] });
    world.malformed.set(id, () => null);
    for (let reading = 0; reading < 6; reading += 1) {
      await world.clock.runFor(60_000);
      await listed();
    }
    expect(await isKnown(id)).toBe(1);
    expect(await world.store.verifications.count({ templateId: id })).toBe(1);
  });

  test("has the book read no more often than any other, for no listing tells whether it is that template", async () => {
    const { id } = world.account.byPerson.add(STRANGER);
    await listed();
    world.start();
    await world.runFor(60_000);
    world.malformed.set(id, () => null);
    await listed();
    await world.requestWork("reconcile", "shop");
    world.services.wake();
    await world.runFor(60_000);
    world.calls.length = 0;
    await world.runFor(5 * 3_600_000);
    expect(world.calls.filter((call) => call === "list")).toEqual([]);
    expect(await isKnown(id)).toBe(1);
    world.malformed.clear();
    world.account.byPerson.remove(id);
    await world.runFor(3 * 3_600_000);
    expect(await isKnown(id)).toBe(0);
  });

  test("that was there before is no template that goes after it", async () => {
    world.malformed.set(world.account.byPerson.add(STRANGER).id, () => null);
    const { id } = world.account.byPerson.add(STRANGER);
    await listed();
    world.account.byPerson.remove(id);
    for (let reading = 0; reading < 3; reading += 1) {
      await world.clock.runFor(60_000);
      await listed();
    }
    expect(await isKnown(id)).toBe(0);
  });
});

describe("the row of a linked template that cannot be read", () => {
  let key: string;
  let templateId: string;

  beforeEach(async () => {
    key = await world.addLocation(1);
    await run(key);
    templateId = await templateIdOf(key);
  });

  test("leaves the template, its age and its verdicts as they were, and the link stands", async () => {
    await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex"] });
    const before = await world.store.templates.find({ templateId });
    const verdicts = await world.store.verifications.list({ templateId });
    await world.clock.runFor(60_000);
    world.malformed.set(templateId, noAddress);
    const { rows, unreadable } = await listed();
    expect(await world.store.templates.find({ templateId })).toEqual(before);
    expect(await world.store.verifications.list({ templateId })).toEqual(verdicts);
    expect((await world.store.links.find({ shop: SHOP }))!.missingSinceMs).toBeNull();
    expect(rows).toMatchObject([{ templateId, unreadable: true }]);
    expect(unreadable).toMatchObject([{ templateId, location: { name: "Bodega 1" } }]);
  });

  test("is shown on the location's page and the template's", async () => {
    world.malformed.set(templateId, noAddress);
    await listed();
    expect((await origin(key)).unreadable).toMatchObject({ what: "no_address" });
    const template = await readTemplate(world.services, { shop: SHOP, templateId });
    expect(template!.unreadable).toMatchObject({ what: "no_address" });
    world.malformed.clear();
    await listed();
    expect((await origin(key)).unreadable).toBeNull();
  });

  test("sends the location's run to look itself: what cannot be read alone either is that work item's failure", async () => {
    world.malformed.set(templateId, noAddress);
    await listed();
    world.start();
    await world.runFor(60_000);
    const item = await world.workItem("location", key);
    expect(item.failures).toBeGreaterThan(1);
    expect(item.reason).toMatchObject({ code: "unreadable" });
    expect(item.reason!.requestId).not.toBeNull();
    expect((await connection()).failures).toBe(0);
    expect((await origin(key)).state).not.toBe("ready");
    world.malformed.clear();
    await world.runFor(120_000);
    expect(await world.workItem("location", key)).toMatchObject({ failures: 0, reason: null });
    expect((await connection()).bookUnreadable).toEqual([]);
  });

  test("stops no other location of the shop", async () => {
    const other = await world.addLocation(2);
    await run(other);
    world.malformed.set(templateId, noAddress);
    world.start();
    await world.requestWork("reconcile", "shop");
    world.shopify.put(SHOP, shopifyLocation(2, { address: mexicanAddress({ number: "888" }) }));
    await world.requestWork("location", other);
    await world.runFor();
    expect(world.templateOf(other)!.address.street_number).toBe("888");
  });

  test("is no template that is gone for who follows its verification", async () => {
    for (let number = 2; number <= 24; number += 1) await run(await world.addLocation(number));
    for (const link of await world.store.links.list({ shop: SHOP }))
      await requestVerification(world.services, { shop: SHOP, templateId: link.templateId, carriers: ["fedex"] });
    world.start();
    await world.runFor(60_000);
    world.malformed.set(templateId, noAddress);
    await world.runFor(3_600_000);
    expect(await world.store.verifications.count({ templateId, carrier: "fedex" })).toBe(1);
    expect((await world.store.links.find({ templateId }))!.missingSinceMs).toBeNull();
    const [verification] = await world.store.workItems.list({ shop: SHOP, kind: "verification", failures: { gt: 0 } });
    expect(verification).toMatchObject({ key: `connection-1:${templateId}`, reason: { code: "unreadable" } });
  });
});

describe("a row that may be what a location lacks", () => {
  let key: string;
  const ours = (): TemplateDraft => ({ ...STRANGER, alias_name: `Bodega 1 [OR-${markerOf(SHOP, key)}]` });

  beforeEach(async () => {
    key = await world.addLocation(1);
  });

  test("by its marker: none is made beside it, and it is linked once it can be read", async () => {
    const { id } = world.account.byPerson.add(ours());
    world.malformed.set(id, noAddress);
    await listed();
    world.start();
    await world.requestWork("location", key);
    await world.runFor();
    expect(world.calls).not.toContain("create");
    expect(await world.workItem("location", key)).toMatchObject({ reason: { code: "unreadable" } });
    world.malformed.clear();
    await world.runFor(120_000);
    expect(await templateIdOf(key)).toBe(id);
  });

  test("by its marker when it could be read still: its owner is told why, and may link another template", async () => {
    const { id } = world.account.byPerson.add(ours());
    const other = world.account.byPerson.add(STRANGER);
    await listed();
    world.malformed.set(id, noAddress);
    world.start();
    await world.requestWork("location", key);
    await world.runFor(20 * 60_000);
    expect(world.calls).not.toContain("create");
    expect((await origin(key)).failure).toMatchObject({ code: "unreadable", requestId: expect.any(String) });
    const home = (await readHome(world.services, { shop: SHOP }))!;
    expect(home.needs).toMatchObject([{ need: "parked", count: 1 }]);
    await world.clock.runWhile(
      linkOrigin(world.services, {
        shop: SHOP,
        locationId: key,
        templateId: other.id,
        templateVersion: versionOf(other),
      }),
    );
    await world.runFor();
    expect(await world.workItem("location", key)).toMatchObject({ reason: null, failures: 0 });
    expect(world.account.templates.get(other.id)!.address.street_number).toBe("101");
  });

  test("without an id: none is made beside it either", async () => {
    world.malformed.set(world.account.byPerson.add(ours()).id, (one) => ({ ...one, id: null }));
    await listed();
    world.start();
    await world.requestWork("location", key);
    await world.runFor();
    expect(world.calls).not.toContain("create");
    expect(await world.workItem("location", key)).toMatchObject({ reason: { code: "unreadable" } });
  });

  test.each([
    ["its name", noAddress],
    ["no name", () => ({ id: "odd" })],
    ["nothing at all", () => null],
  ])("by having come since a create ended unclearly, with %s: the create is not repeated", async (_name, shown) => {
    firstMeets(world, "create", REPLY_LOST);
    await listed();
    world.start();
    await world.requestWork("location", key);
    await world.runFor(5_000);
    const [made] = [...world.account.templates.keys()];
    world.malformed.set(made!, shown);
    await world.runFor(600_000);
    expect(world.calls.filter((call) => call === "create")).toHaveLength(1);
    expect(await world.workItem("location", key)).toMatchObject({ reason: { code: "unreadable" } });
    world.malformed.clear();
    await world.runFor(1_200_000);
    expect(await templateIdOf(key)).toBe(made);
    expect(world.account.templates.size).toBe(1);
  });

  test("by being one more than before a create ended unclearly: the create is not repeated", async () => {
    world.malformed.set(world.account.byPerson.add(STRANGER).id, () => null);
    firstMeets(world, "create", REPLY_LOST);
    await listed();
    world.start();
    await world.requestWork("location", key);
    await world.runFor(5_000);
    world.malformed.set(world.templateOf(key)!.id, () => null);
    await world.runFor(600_000);
    expect(world.calls.filter((call) => call === "create")).toHaveLength(1);
    expect(await world.workItem("location", key)).toMatchObject({ reason: { code: "unreadable" } });
  });

  test("but not in another account: a create that was lost in the account before is made in this one", async () => {
    const other = createFakeAccount({
      habits: { wipes: false, tidies: false, refuses: [] },
      newId: () => world.services.random.id(),
    });
    world.accounts.set("client-2", other);
    world.malformed.set(other.byPerson.add(STRANGER).id, () => null);
    world.account.byPerson.add(STRANGER);
    const isLost = firstMeets(world, "create", REQUEST_LOST);
    await listed();
    world.start();
    await world.requestWork("location", key);
    await world.runFor(5_000);
    expect(isLost()).toBe(true);
    await connectAnotherClient();
    await world.runFor(300_000);
    expect(other.templates.size).toBe(2);
    expect(await world.workItem("location", key)).toMatchObject({ reason: null });
  });

  test.each([
    ["without a link to tell its account", false],
    ["whose account a link tells", true],
  ])(
    "but not by having been there before, as another client id knew, %s: the create is repeated",
    async (_name, linked) => {
      world.accounts.set("client-2", world.account);
      world.malformed.set(world.account.byPerson.add(STRANGER).id, () => null);
      const other = linked ? await world.addLocation(2) : null;
      if (other) await run(other);
      const isLost = firstMeets(world, "create", REQUEST_LOST);
      await listed();
      world.start();
      await world.requestWork("location", key);
      await world.runFor(5_000);
      expect(isLost()).toBe(true);
      await connectAnotherClient();
      await world.runFor(300_000);
      expect(world.templateOf(key)).toBeDefined();
      expect(await world.workItem("location", key)).toMatchObject({ reason: null });
    },
  );

  test("but not by having been there before: the create is repeated when it made nothing", async () => {
    world.malformed.set(world.account.byPerson.add(STRANGER).id, () => null);
    firstMeets(world, "create", REQUEST_LOST);
    await listed();
    world.start();
    await world.requestWork("location", key);
    await world.runFor(300_000);
    expect(world.templateOf(key)).toBeDefined();
  });
});

const BY_HAND: TemplateDraft = {
  ...STRANGER,
  address_attributes: {
    ...{ name: "Ana", company: null, email: "ana@example.com", phone: "3336150000", reference: "Portón", rfc: null },
    ...{ street1: "Avenida Vallarta", street_number: "500", apartment_number: null, postal_code: "44160" },
    ...{ area_level1: "Jalisco", area_level2: "Guadalajara", area_level3: "Americana", country_code: "MX" },
  },
};
const saveByHand = () =>
  world.clock.runWhile(
    saveTemplate(world.services, { shop: SHOP, draftId: "draft-1", templateId: null, draft: BY_HAND, base: null }),
  );

test.each([
  ["an id", noAddress],
  ["no id", (one: AddressTemplate) => ({ ...one, id: null })],
])(
  "a template by hand whose answer was lost is made again beside a row of its name and %s that was there before",
  async (_name, shown) => {
    const there = world.account.byPerson.add(STRANGER);
    world.malformed.set(there.id, shown);
    firstMeets(world, "create", REQUEST_LOST);
    await listed();
    world.start();
    await saveByHand();
    await world.runFor(300_000);
    expect(await world.store.drafts.find({ id: "draft-1" })).toMatchObject({ outcome: { kind: "done" } });
    expect(world.account.templates.size).toBe(2);
  },
);

test.each([
  ["that came since", true],
  ["that nobody has ever read", false],
])("a template by hand whose answer was lost is not made again beside a row %s", async (_which, isReadFirst) => {
  let isHidden = !isReadFirst;
  world.outcomeOf = (operation) => {
    const made = world.account.templates.keys().next().value;
    if (isHidden && made !== undefined) world.malformed.set(made, noAddress);
    return operation === "create" && made === undefined ? REPLY_LOST : PROMPT;
  };
  await listed();
  world.start();
  await saveByHand();
  isHidden = true;
  const [made] = [...world.account.templates.keys()];
  await world.runFor(600_000);
  expect(world.calls.filter((call) => call === "create")).toHaveLength(1);
  isHidden = false;
  world.malformed.clear();
  await world.runFor(1_200_000);
  expect(await world.store.drafts.find({ id: "draft-1" })).toMatchObject({
    templateId: made,
    outcome: { kind: "alike" },
  });
  expect(world.account.templates.size).toBe(1);
});
