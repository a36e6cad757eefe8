import { describe, expect, test } from "vitest";
import { markerIn, markerOf } from "../../app/domain/marker.ts";
import type { AddressTemplate } from "../../app/domain/records.ts";
import { submitDraft } from "../../app/by-hand/submit-draft.ts";
import { refreshAddressBook } from "../../app/book/refresh-address-book.ts";
import { SUPPLIER } from "../fakes/by-hand.ts";
import { addressTemplate, SHOP } from "../fakes/records.ts";
import type { Habits } from "../fakes/shipping/habits.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** A create is answered with another template, from a cache or by a race: it made one all the same, and the other is a stranger's. */

const DIALECTS: [string, Partial<Habits>][] = [
  ["as interface has it", {}],
  ["in capitals", { capitals: true }],
  ["tidied", { tidies: true }],
  ["with aliases of 24 letters", { aliasLength: 24 }],
];

/** What the answer shows in the place of what was made. */
const STRANGERS: [string, (world: World) => AddressTemplate][] = [
  ["nobody knows", () => addressTemplate({ id: "stranger", alias_name: "Proveedor del Sur" })],
  ["is in the address book", (world) => [...world.account.templates.values()].find(({ id }) => id === "known")!],
  ["stands for another location", (world) => world.templateOf("gid://shopify/Location/1")!],
];

let world: World;

/** A location that is mapped, and a template that nobody maps. */
async function begin(habits: Partial<Habits> = {}) {
  world = await createWorld({ habits, policies: { carriers: [] } });
  world.account.create({ ...SUPPLIER, alias_name: "Bodega de nadie" }, "known");
  await world.addLocation(1);
  world.start();
  await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
  await world.runFor(180_000);
  expect(await world.store.links.count({ shop: SHOP })).toBe(1);
}

/** The next create shows another template, and has its effect. */
function showsOnce(stranger: AddressTemplate) {
  let met = false;
  world.outcomeOf = (operation) => {
    if (operation !== "create" || met) return PROMPT;
    met = true;
    const body = JSON.stringify({ data: stranger });
    return { ...PROMPT, answer: { kind: "said", status: 201, body, afterMs: 20 } };
  };
}

describe.each(DIALECTS)("where the service answers %s", (_dialect, habits) => {
  test.each(STRANGERS)("a location does not take the one that %s for its own", async (_what, strangerOf) => {
    await begin(habits);
    const stranger = strangerOf(world);
    showsOnce(stranger);
    const before = structuredClone(world.account.templates.get(stranger.id));
    const key = await world.addLocation(2, { address: mexicanAddress({ number: "22" }) });
    await world.requestWork("location", key);
    world.services.wake();
    await world.runFor(5_000);
    expect(await world.store.links.find({ shop: SHOP, locationId: key })).toBeNull();
    expect(await world.store.pendingWrites.count({ operation: "create" })).toBe(1);
    await world.runFor(20 * 60_000);
    const link = (await world.store.links.find({ shop: SHOP, locationId: key }))!;
    expect(link.templateId).not.toBe(stranger.id);
    expect(markerIn(world.account.templates.get(link.templateId)!.alias_name.toUpperCase())).toBe(markerOf(SHOP, key));
    world.shopify.put(SHOP, shopifyLocation(2, { address: mexicanAddress({ number: "33" }) }));
    await world.requestWork("location", key);
    world.services.wake();
    await world.runFor(60_000);
    expect(world.account.templates.get(link.templateId)!.address.street_number).toBe("33");
    expect(world.account.templates.get(stranger.id)).toEqual(before);
    expect(world.account.duplicates()).toBe(0);
    expect(await world.store.pendingWrites.count({})).toBe(0);
  });

  test.each(STRANGERS)("a form is not told that it made the one that %s", async (_what, strangerOf) => {
    await begin(habits);
    const stranger = strangerOf(world);
    showsOnce(stranger);
    const draft = { ...SUPPLIER, alias_name: "Proveedor de Jalisco" };
    const form = { shop: SHOP, draftId: "d1", operation: "create", templateId: null, draft, base: null } as const;
    await world.clock.runWhile(submitDraft(world.services, form));
    world.services.wake();
    await world.runFor(5_000);
    expect(await world.store.drafts.find({ id: "d1" })).toMatchObject({ outcome: null });
    expect(await world.store.pendingWrites.count({ operation: "create" })).toBe(1);
    await world.runFor(20 * 60_000);
    const { outcome, templateId } = (await world.store.drafts.find({ id: "d1" }))!;
    expect(outcome).toMatchObject({ kind: "alike" });
    expect(templateId).not.toBe(stranger.id);
    expect(world.calls.filter((call) => call === "create")).toHaveLength(2);
  });

  test("nor that it made one that another form has made, all of whose values it repeats, with a shorter name", async () => {
    await begin(habits);
    const form = { shop: SHOP, operation: "create", templateId: null, base: null } as const;
    const first = { ...SUPPLIER, alias_name: "Proveedor de Jalisco dos" };
    await world.clock.runWhile(submitDraft(world.services, { ...form, draftId: "d1", draft: first }));
    world.services.wake();
    await world.runFor(5_000);
    const { templateId: made } = (await world.store.drafts.find({ id: "d1" }))!;
    showsOnce(world.account.templates.get(made!)!);
    await world.clock.runWhile(submitDraft(world.services, { ...form, draftId: "d2", draft: SUPPLIER }));
    world.services.wake();
    await world.runFor(5_000);
    expect(await world.store.drafts.find({ id: "d2" })).toMatchObject({ outcome: null });
    await world.runFor(20 * 60_000);
    const { outcome, templateId } = (await world.store.drafts.find({ id: "d2" }))!;
    expect(outcome).toMatchObject({ kind: "alike" });
    expect(templateId).not.toBe(made);
    expect(world.calls.filter((call) => call === "create")).toHaveLength(3);
  });

  test("a list that shows what is made before its create is answered makes nobody doubt it", async () => {
    await begin(habits);
    world.outcomeOf = (operation) =>
      operation === "create" ? { ...PROMPT, answer: { kind: "true", afterMs: 8_000 } } : PROMPT;
    const key = await world.addLocation(2, { address: mexicanAddress({ number: "22" }) });
    await world.requestWork("location", key);
    const form = { shop: SHOP, draftId: "d1", operation: "create", templateId: null, base: null } as const;
    const draft = { ...SUPPLIER, alias_name: "Proveedor de Jalisco" };
    await world.clock.runWhile(submitDraft(world.services, { ...form, draft }));
    world.services.wake();
    await world.runFor(4_000);
    await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
    await world.runFor(10_000);
    expect(await world.store.links.find({ shop: SHOP, locationId: key })).toMatchObject({ how: "created" });
    expect(await world.store.drafts.find({ id: "d1" })).toMatchObject({ outcome: { kind: "done" } });
  });
});
