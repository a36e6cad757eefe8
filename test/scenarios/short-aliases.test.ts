import { beforeEach, describe, expect, test } from "vitest";
import { markerIn, markerOf } from "../../app/domain/marker.ts";
import type { LinkRecord, TemplateDraft } from "../../app/domain/records.ts";
import { linkOrigin } from "../../app/origins/link-origin.ts";
import { readOrigin } from "../../app/pages/read-origin.ts";
import { refreshAddressBook } from "../../app/book/refresh-address-book.ts";
import { saveTemplate } from "../../app/by-hand/save-template.ts";
import { draftRecord, SHOP } from "../fakes/records.ts";
import type { Operation } from "../fakes/shipping/network.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { firstMeets, REPLY_LOST } from "../fakes/shipping/outcomes.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { versionOf } from "../../app/domain/plan/template-version.ts";

/** A service that keeps only so many characters of an alias. */

const LONG = "Bodega Norte de la Zona Metropolitana de Guadalajara";

let world: World;
let key: string;

const linkOf = async (locationId = key): Promise<LinkRecord> =>
  (await world.store.links.find({ shop: SHOP, locationId }))!;
const aliasOf = async (locationId = key) =>
  world.account.templates.get((await linkOf(locationId)).templateId)!.alias_name;
const writes = () => world.calls.filter((call) => call === "create" || call === "update");
const book = () => world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));

async function begin(aliasLength: number) {
  world = await createWorld({ habits: { aliasLength }, policies: { carriers: [] } });
  world.start();
  await world.runFor(60_000);
  key = await world.addLocation(1, { name: LONG });
}

async function sync(locationId = key, runMs = 30_000) {
  await world.requestWork("location", locationId);
  world.services.wake();
  await world.runFor(runMs);
}

/** The next answer to an operation is lost; what was asked happens. */
const loseAnswer = (operation: Operation) => firstMeets(world, operation, REPLY_LOST);

describe.each([20, 30, 40])("a service that keeps %i characters of an alias", (length) => {
  beforeEach(() => begin(length));

  const isWhole = async (locationId = key, beginning = "Bodeg") => {
    const alias = await aliasOf(locationId);
    expect(alias.length).toBeLessThanOrEqual(length);
    expect(markerIn(alias)).toBe(markerOf(SHOP, locationId));
    expect(alias.slice(0, 5)).toBe(beginning);
  };

  test("keeps the marker, after one more write at once, and nothing is left to say", async () => {
    await sync(key, 5_000);
    expect(writes()).toEqual(["create", "update"]);
    await isWhole();
    expect((await linkOf()).differences).toEqual([]);
    expect(await readOrigin(world.services, { shop: SHOP, locationId: key })).toMatchObject({ state: "ready" });
    await sync();
    await book();
    await world.requestWork("reconcile", "shop");
    world.services.wake();
    await world.runFor(60_000);
    expect(writes()).toEqual(["create", "update"]);
  });

  test("has the next template made with an alias that fits", async () => {
    await sync();
    const second = await world.addLocation(2, { name: `Segunda ${LONG}` });
    await sync(second);
    expect(writes()).toEqual(["create", "update", "create"]);
    await isWhole(second, "Segun");
  });

  test("has one template made where the answer to the create was lost", async () => {
    loseAnswer("create");
    await sync(key, 300_000);
    expect(world.account.templates.size).toBe(1);
    await isWhole();
    expect(await linkOf()).toMatchObject({ how: "created", differences: [] });
  });

  test("does not link what a form is told of in the moment in which it is found", async () => {
    loseAnswer("create");
    await sync(key, 5_000);
    const [made] = [...world.account.templates.keys()];
    const { store } = world.services;
    const list = store.drafts.list.bind(store.drafts);
    store.drafts.list = async (where, how) => {
      const found = await list(where, how);
      const endedAtMs = world.clock.nowMs();
      if (where.templateId) await store.drafts.insert(draftRecord({ templateId: made!, endedAtMs }));
      return found;
    };
    await world.runFor(300_000);
    expect(await world.store.links.find({ shop: SHOP, locationId: key })).toBeNull();
    expect(await world.workItem("location", key)).toMatchObject({ reason: { code: "adoption_choice" } });
  });

  test("also where somebody corrected it in the minutes between", async () => {
    loseAnswer("create");
    await sync(key, 5_000);
    const [made] = [...world.account.templates.keys()];
    world.account.byPerson.edit(made!, "reference", "Portón azul", world.clock.nowMs());
    await world.runFor(300_000);
    expect(world.account.templates.size).toBe(1);
    await isWhole();
    expect((await linkOf()).differences).toMatchObject([{ field: "reference", kind: "drift", theirs: "Portón azul" }]);
  });

  test("what a create made whose answer was lost is told, where its owner linked another one meanwhile", async () => {
    const { id: other } = world.account.byPerson.add({ ...stranger(length), alias_name: "Otra" });
    await world.store.details.update({ locationId: key }, { adoption: "create" });
    await book();
    loseAnswer("create");
    await sync(key, 5_000);
    const made = [...world.account.templates.keys()].find((id) => id !== other)!;
    const chosen = { templateId: other, templateVersion: versionOf(world.account.templates.get(other)!) };
    await world.clock.runWhile(linkOrigin(world.services, { shop: SHOP, locationId: key, ...chosen }));
    await world.runFor(300_000);
    expect(await linkOf()).toMatchObject({ templateId: other });
    expect(await world.store.activity.list({ shop: SHOP, kind: "template_extra" })).toMatchObject([
      { locationId: key, templateId: made },
    ]);
  });

  test("takes no template for made that was there before, with the same words and the same beginning of a name", async () => {
    const { id } = world.account.byPerson.add(stranger(length));
    await world.store.details.update({ locationId: key }, { adoption: "create" });
    await book();
    world.outcomeOf = (asked) => {
      if (asked !== "create" || world.calls.includes("create")) return PROMPT;
      return { arrivesAfterMs: 20, effectAfterMs: null, answer: { kind: "reset", afterMs: 20 } };
    };
    await sync(key, 300_000);
    expect(world.account.templates.size).toBe(2);
    expect((await linkOf()).templateId).not.toBe(id);
  });

  test("is known again after a reinstall", async () => {
    await sync();
    const { templateId } = await linkOf();
    await world.store.links.delete({ shop: SHOP });
    await world.store.connections.update({ shop: SHOP }, { aliasLimit: null });
    await book();
    await sync();
    expect(await linkOf()).toMatchObject({ templateId, how: "adopted", differences: [] });
    expect(world.account.templates.size).toBe(1);
    await isWhole();
  });

  test("keeps the marker under a new name, with one write", async () => {
    await sync();
    world.calls.length = 0;
    world.shopify.put(SHOP, shopifyLocation(1, { name: `Taller ${LONG}` }));
    await sync();
    expect(writes()).toEqual(["update"]);
    await isWhole(key, "Talle");
  });

  test("is no conflict where the answer to a new name was lost", async () => {
    world.shopify.put(SHOP, shopifyLocation(1, { name: "B" }));
    await sync();
    world.shopify.put(SHOP, shopifyLocation(1, { name: LONG }));
    await world.store.connections.update({ shop: SHOP }, { aliasLimit: null });
    loseAnswer("update");
    await sync(key, 300_000);
    expect((await linkOf()).differences).toEqual([]);
    await isWhole();
  });

  test("leaves an older alias as it is, which still has all of its marker", async () => {
    const whole = `${LONG} [OR-${markerOf(SHOP, key)}]`;
    world.account.byPerson.add({ ...stranger(5), alias_name: "x" });
    const [id] = [...world.account.templates.keys()];
    (world.account.templates.get(id!) as { alias_name: string }).alias_name = whole;
    await book();
    await sync();
    expect(await linkOf()).toMatchObject({ templateId: id, how: "adopted" });
    const second = await world.addLocation(2, { name: `Segunda ${LONG}` });
    await sync(second);
    expect((await world.store.connections.find({ shop: SHOP }))!.aliasLimit).toBe(length);
    await sync();
    expect(await aliasOf()).toBe(whole);
    expect((await linkOf()).differences).toEqual([]);
  });

  test("has a template by hand made once where the answer was lost", async () => {
    loseAnswer("create");
    const draft = { ...stranger(5), alias_name: "Almacén de devoluciones de la Zona Metropolitana" };
    const input = { shop: SHOP, draftId: "draft-1", templateId: null, draft, base: null };
    await world.clock.runWhile(saveTemplate(world.services, input));
    await world.runFor(300_000);
    expect(world.account.templates.size).toBe(1);
    expect((await world.store.drafts.find({ id: "draft-1" }))!.outcome).toMatchObject({ kind: "alike" });
  });

  test("keeps the marker when a person renames a location's template in the address book", async () => {
    await sync();
    const template = world.account.templates.get((await linkOf()).templateId)!;
    const { address, ...rest } = template;
    const draft: TemplateDraft = {
      alias_name: "Otro nombre muy largo para esta misma bodega",
      address_type: rest.address_type,
      default: rest.default ?? false,
      address_attributes: address,
    };
    const input = { shop: SHOP, draftId: "draft-1", templateId: template.id, draft, base: template };
    expect(await world.clock.runWhile(saveTemplate(world.services, input))).toMatchObject({ kind: "done" });
    const alias = await aliasOf();
    expect(markerIn(alias)).toBe(markerOf(SHOP, key));
    expect(alias.startsWith("Otro")).toBe(true);
  });
});

test("a service that leaves no room for the marker ends in no loop and no difference", async () => {
  await begin(10);
  await sync();
  await sync();
  expect(await aliasOf()).toBe(LONG.slice(0, 10));
  expect(writes()).toEqual(["create"]);
  expect((await linkOf()).differences).toEqual([]);
});

/** A template somebody made by hand for the place of the first location. */
function stranger(length: number): TemplateDraft {
  return {
    alias_name: LONG.slice(0, length),
    address_type: "from",
    address_attributes: {
      ...{ name: "Ana Pérez", company: null, email: "ana@example.com", phone: "3336150000", reference: "Portón verde" },
      ...{ street1: "Avenida Vallarta", street_number: "101", apartment_number: null, postal_code: "44160", rfc: null },
      ...{ area_level1: "Jalisco", area_level2: "Guadalajara", area_level3: "Americana", country_code: "MX" },
    },
  };
}
