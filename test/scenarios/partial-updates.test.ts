import { beforeEach, expect, test } from "vitest";
import { connectAccount } from "../../app/account/connect-account.ts";
import { saveTemplate } from "../../app/by-hand/save-template.ts";
import { refreshAddressBook } from "../../app/book/refresh-address-book.ts";
import { ADDRESS_FIELDS } from "../../app/domain/address/address.ts";
import { NEVER_NULL } from "../../app/domain/address/validate.ts";
import { SUPPLIER } from "../fakes/by-hand.ts";
import { SHOP } from "../fakes/records.ts";
import type { Habits } from "../fakes/shipping/habits.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** Some services empty what an update does not name. One update of an account finds out; after that, all of them send the whole address. */

const MINUTE_MS = 60_000;
const LOST = { arrivesAfterMs: 20, effectAfterMs: 0, answer: { kind: "reset", afterMs: 20 } } as const;

let world: World;
let keys: string[];
/** How many updates emptied something, and how many address fields each named. */
let emptied: number;
let named: number[];

async function stage(habits: Partial<Habits>): Promise<void> {
  world = await createWorld({ habits });
  world.accounts.set("client-2", world.account);
  world.start();
  keys = [await world.addLocation(1), await world.addLocation(2), await world.addLocation(3)];
  for (const key of keys) await world.requestWork("location", key);
  await world.runFor(MINUTE_MS);
  [emptied, named] = [0, []];
  const { update } = world.account;
  world.account.update = (templateId, patch, at) => {
    const before = world.account.templates.get(templateId)!;
    const after = update(templateId, patch, at)!;
    const isEmptied = ADDRESS_FIELDS.some((field) => before.address[field] && !after.address[field]);
    emptied += Number(isEmptied);
    named.push(Object.keys(patch.address_attributes ?? {}).length);
    return after;
  };
}

beforeEach(() => stage({ wipes: true }));

async function move(number: number, to: string): Promise<void> {
  world.shopify.put(SHOP, shopifyLocation(number, { address: mexicanAddress({ number: to }) }));
  await world.requestWork("location", keys[number - 1]!);
}

const streetNumbers = () => keys.map((key) => world.templateOf(key)!.address.street_number);

test("a location's update finds out, and no update of another location empties anything", async () => {
  await move(1, "475");
  await world.runFor(MINUTE_MS);
  await move(2, "476");
  await move(3, "477");
  await world.runFor(MINUTE_MS);
  expect(emptied).toBe(1);
  expect(streetNumbers()).toEqual(["475", "476", "477"]);
});

test("of updates that are sent together, one finds out", async () => {
  await move(1, "475");
  await move(2, "476");
  await move(3, "477");
  await world.runFor(MINUTE_MS);
  expect(emptied).toBe(1);
  expect(streetNumbers()).toEqual(["475", "476", "477"]);
});

test("an update whose answer is lost finds out, too, and the others do not wait for it", async () => {
  let lost = 0;
  world.outcomeOf = (operation) => (operation === "update" && (lost += 1) === 1 ? LOST : PROMPT);
  await move(1, "475");
  await world.clock.runFor(1_000);
  await move(2, "476");
  await world.clock.runFor(20_000);
  expect(streetNumbers()).toEqual(["475", "476", "103"]);
  await world.runFor(5 * MINUTE_MS);
  await move(3, "477");
  await world.runFor(MINUTE_MS);
  expect(emptied).toBe(1);
  expect(streetNumbers()).toEqual(["475", "476", "477"]);
});

/** A template by somebody's hand, whose reference a form changes. */
async function saveByHand(draftId: string): Promise<void> {
  const { alias_name, address_type, address_attributes } = structuredClone(SUPPLIER);
  const { id } = world.account.byPerson.add({ alias_name, address_type, address_attributes });
  await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
  const base = structuredClone(world.account.templates.get(id)!);
  const draft = { alias_name, address_type, address_attributes: { ...address_attributes, reference: draftId } };
  const form = { shop: SHOP, draftId, templateId: id, draft, base };
  expect(await world.clock.runWhile(saveTemplate(world.services, form))).toMatchObject({ kind: "done" });
}

test("a form after a location's update empties nothing", async () => {
  await move(1, "475");
  await world.runFor(MINUTE_MS);
  await saveByHand("draft-1");
  expect(emptied).toBe(1);
});

test("a form finds out for the next form, and for locations", async () => {
  await saveByHand("draft-1");
  await saveByHand("draft-2");
  await move(1, "475");
  await world.runFor(MINUTE_MS);
  expect(emptied).toBe(1);
});

test("another client id of the account knows it from the one before", async () => {
  await move(1, "475");
  await world.runFor(MINUTE_MS);
  const stated = {
    environment: "test",
    clientId: "client-2",
    clientSecret: "s",
    scope: null,
    redirectUri: null,
  } as const;
  expect(await world.clock.runWhile(connectAccount(world.services, { shop: SHOP, stated }))).toEqual({
    kind: "connected",
  });
  await world.runFor(MINUTE_MS);
  await move(2, "476");
  await world.runFor(MINUTE_MS);
  expect(emptied).toBe(1);
});

test("where somebody clears a field just before an update comes, the service is not taken for one that empties it", async () => {
  await stage({ wipes: false });
  const { update } = world.account;
  world.account.update = (templateId, ...told) => {
    if (named.length === 0) world.account.byPerson.edit(templateId, "reference", "", world.clock.nowMs());
    return update(templateId, ...told);
  };
  await move(1, "475");
  await world.runFor(MINUTE_MS);
  await move(2, "476");
  await world.runFor(MINUTE_MS);
  expect(streetNumbers()).toEqual(["475", "476", "103"]);
  expect(named.length).toBeGreaterThan(1);
  expect(Math.max(...named)).toBeLessThan(ADDRESS_FIELDS.length / 2);
});

test("where the service empties only what may be empty, a second update is sure of it", async () => {
  await stage({ wipes: false });
  const { update } = world.account;
  world.account.update = (templateId, patch, at) => {
    const after = update(templateId, patch, at)!;
    const said = patch.address_attributes;
    for (const field of said ? ADDRESS_FIELDS : [])
      if (!NEVER_NULL.includes(field) && said![field] === undefined) after.address[field] = "";
    return after;
  };
  await move(1, "475");
  await world.runFor(MINUTE_MS);
  const [known] = await world.store.connections.list({ shop: SHOP });
  expect(known!.unnamed).toBe("emptied");
  named.length = 0;
  await move(2, "476");
  await world.runFor(MINUTE_MS);
  expect(named.every((count) => count > ADDRESS_FIELDS.length / 2)).toBe(true);
  expect(world.templateOf(keys[1]!)!.address).toMatchObject({ street_number: "476", reference: "Portón verde" });
});

test("where the service keeps what is not named, updates name what changed, those sent together too once one has shown it", async () => {
  await stage({ wipes: false });
  await move(1, "474");
  await world.runFor(MINUTE_MS);
  await move(1, "475");
  await move(2, "476");
  await move(3, "477");
  await world.runFor(MINUTE_MS);
  expect(named.every((count) => count < ADDRESS_FIELDS.length / 2)).toBe(true);
  expect(named).toHaveLength(4);
  expect(emptied).toBe(0);
});
