import { describe, expect, test } from "vitest";
import type { AddressTemplate, TemplateDraft } from "../../app/domain/records.ts";
import { readAddressBook } from "../../app/pages/read-address-book.ts";
import { readTemplate } from "../../app/pages/read-template.ts";
import { refreshAddressBook } from "../../app/book/refresh-address-book.ts";
import { removeTemplate } from "../../app/origins/remove-template.ts";
import { saveTemplate } from "../../app/by-hand/save-template.ts";
import { verifyTemplate } from "../../app/verification/verify-template.ts";
import type { BookQuery } from "../../app/views/address-book.ts";
import { draftRecord, linkRecord, locationRecord, SHOP, shopRecord } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/**
 * The address book's pages, and templates that a person changes there.
 *
 * Long, because one book on one stage serves reading and changing.
 */

const ALL: BookQuery = { tab: "all", search: "", page: 1 };
const OTHER = "two.myshopify.com";

const DRAFT: TemplateDraft = {
  alias_name: "Almacén Ñuñoa",
  address_type: "from",
  default: false,
  address_attributes: {
    ...{ name: "Ana", company: null, email: "ana@example.com", phone: "3336150000", reference: "Portón", rfc: null },
    ...{ street1: "Avenida Vallarta", street_number: "500", apartment_number: null, postal_code: "44160" },
    ...{ area_level1: "Jalisco", area_level2: "Guadalajara", area_level3: "Americana", country_code: "MX" },
  },
};

const run = <T>(world: World, work: Promise<T>) => world.clock.runWhile(work);
const book = async (world: World, query: Partial<BookQuery> = {}) =>
  (await readAddressBook(world.services, { shop: SHOP, query: { ...ALL, ...query } }))!;
const save = (world: World, over: Partial<Parameters<typeof saveTemplate>[1]> = {}) =>
  run(
    world,
    saveTemplate(world.services, {
      shop: SHOP,
      draftId: "draft-1",
      templateId: null,
      draft: DRAFT,
      base: null,
      ...over,
    }),
  );

async function made(world: World): Promise<AddressTemplate> {
  const outcome = await save(world);
  return world.account.templates.get(outcome.kind === "done" ? outcome.templateId! : "")!;
}

describe("the address book", () => {
  test("tells whose each address is, finds them by words, and how old all is", async () => {
    const world = await createWorld();
    const locationId = await world.addLocation(1);
    await world.store.locations.insert(locationRecord({ ...shopifyLocation(1), shop: SHOP }));
    world.account.byPerson.add(DRAFT);
    world.account.byPerson.add({ ...DRAFT, alias_name: "Vieja [OR-7K2M9QXF]" });
    world.start();
    await world.runFor();
    expect(await run(world, refreshAddressBook(world.services, { shop: SHOP, force: true }))).toBe("fresh");
    const { rows, counts, bookReadAtMs } = await book(world);
    expect(rows.map(({ alias, ownership }) => [alias, ownership])).toEqual([
      ["Almacén Ñuñoa", "by_hand"],
      ["Bodega 1", "linked"],
      ["Vieja", "orphan"],
    ]);
    expect(rows[1]!.location).toEqual({ legacyId: locationId.split("/").at(-1), name: "Bodega 1" });
    expect(counts).toEqual({ all: 3, linked: 1, orphan: 1, by_hand: 1 });
    expect(bookReadAtMs).not.toBeNull();
    expect((await book(world, { search: "nunoa" })).rows).toHaveLength(1);
    expect((await book(world, { tab: "orphan" })).rows).toHaveLength(1);
  });

  test("of another shop's link says only that there is one", async () => {
    const world = await createWorld();
    const template = await made(world);
    await world.store.shops.insert({ ...(await world.store.shops.find({ shop: SHOP }))!, shop: OTHER });
    const connection = (await world.store.connections.find({ shop: SHOP }))!;
    await world.store.connections.insert({ ...connection, id: "connection-2", shop: OTHER });
    await world.store.links.insert(
      linkRecord({ id: "link-2", shop: OTHER, connectionId: "connection-2", templateId: template.id }),
    );
    const [row] = (await book(world)).rows;
    expect(row).toMatchObject({ ownership: "elsewhere", location: null });
    expect(JSON.stringify(row)).not.toContain(OTHER);
  });

  test("is read once however often the page is opened, and stays readable while the service rests", async () => {
    const world = await createWorld();
    await made(world);
    await run(world, refreshAddressBook(world.services, { shop: SHOP, force: true }));
    world.calls.length = 0;
    await run(world, refreshAddressBook(world.services, { shop: SHOP }));
    expect(world.calls).toEqual([]);
    await world.store.connections.update({ shop: SHOP }, { backoffUntilMs: world.clock.nowMs() + 60_000 });
    expect(await run(world, refreshAddressBook(world.services, { shop: SHOP, force: true }))).toBe("unreachable");
    expect((await book(world)).rows).toHaveLength(1);
  });

  test("is read once by five openings at once, and a forced look never joins a reading that began before it", async () => {
    const world = await createWorld();
    await made(world);
    await world.store.connections.update({ shop: SHOP }, { bookReadAtMs: 0 });
    world.calls.length = 0;
    const open = (force: boolean) => refreshAddressBook(world.services, { shop: SHOP, force });
    expect(await run(world, Promise.all([1, 2, 3, 4, 5].map(() => open(false))))).toEqual(Array(5).fill("fresh"));
    expect(world.calls).toEqual(["list"]);
    await world.store.connections.update({ shop: SHOP }, { bookReadAtMs: 0 });
    world.calls.length = 0;
    const first = open(false);
    while (world.calls.length === 0) await world.clock.runFor(1);
    const { id } = world.account.byPerson.add({ ...DRAFT, alias_name: "Recién hecha" });
    const [, , third] = await run(world, Promise.all([first, open(true), open(true)]));
    expect([third, world.calls]).toEqual(["fresh", ["list", "list"]]);
    expect(await world.store.templates.count({ templateId: id })).toBe(1);
    // A reading that fails is nobody's for long.
    await world.store.connections.update({ shop: SHOP }, { bookReadAtMs: 0 });
    world.outcomeOf = () => ({
      arrivesAfterMs: 20,
      effectAfterMs: null,
      answer: { kind: "said", status: 404, body: "", afterMs: 1 },
    });
    expect(await run(world, open(false))).toBe("unreachable");
    world.outcomeOf = () => PROMPT;
    expect(await run(world, open(false))).toBe("fresh");
  });

  test("of many templates is kept some at a time, their verdicts too, so that nobody's write waits long", async () => {
    const world = await createWorld();
    for (let number = 1; number <= 400; number += 1) {
      const { id } = world.account.byPerson.add({ ...DRAFT, alias_name: `Sucursal ${number}` });
      const verdict = { status: "approved", update_state: "done", verification_id: `${number}` };
      const verified = ["fedex", "dhl"].map((carrier_name) => ({ ...verdict, carrier_name }));
      Object.assign(world.account.templates.get(id)!, { verified_carriers: verified });
    }
    const { transaction } = world.store;
    let most = 0;
    world.store.transaction = (shop, work) =>
      transaction(shop, async (tables) => {
        let written = 0;
        const { insert } = tables.verifications;
        tables.verifications.insert = (record) => ((written += 1), insert(record));
        return work(tables).finally(() => (most = Math.max(most, written)));
      });
    await run(world, refreshAddressBook(world.services, { shop: SHOP, force: true }));
    expect(await world.store.verifications.count({ shop: SHOP, outcome: "seen" })).toBe(800);
    expect(most).toBeLessThanOrEqual(200);
  });

  test("of a shop that nobody connected is empty", async () => {
    const world = await createWorld({ connected: false });
    expect(await book(world)).toMatchObject({ rows: [], connection: null, bookReadAtMs: null });
    expect(await run(world, refreshAddressBook(world.services, { shop: SHOP }))).toBe("not_connected");
  });
});

describe("a template by hand", () => {
  test("is made once, however often it is sent", async () => {
    const world = await createWorld();
    const input = { shop: SHOP, draftId: "draft-1", templateId: null, draft: DRAFT, base: null };
    const [first, second] = await run(
      world,
      Promise.all([saveTemplate(world.services, input), saveTemplate(world.services, input)]),
    );
    expect(first).toEqual(second);
    expect(world.calls.filter((call) => call === "create")).toHaveLength(1);
  });

  test("sends what the person changed and nothing else", async () => {
    const world = await createWorld();
    const base = await made(world);
    world.account.byPerson.edit(base.id, "reference", "Portón azul", world.clock.nowMs());
    const draft = { ...DRAFT, address_attributes: { ...DRAFT.address_attributes, company: "Café" } };
    const outcome = await save(world, { draftId: "draft-2", templateId: base.id, draft, base });
    expect(outcome).toEqual({ kind: "done", templateId: base.id });
    expect(world.account.templates.get(base.id)!.address).toMatchObject({ company: "Café", reference: "Portón azul" });
  });

  test("becomes the kind of address the person chose", async () => {
    const world = await createWorld();
    const base = await made(world);
    const draft = { ...DRAFT, address_type: "to" };
    const outcome = await save(world, { draftId: "draft-2", templateId: base.id, draft, base });
    expect(outcome).toEqual({ kind: "done", templateId: base.id });
    expect(world.account.templates.get(base.id)!.address_type).toBe("to");
    const [line] = await world.store.activity.list({ shop: SHOP, kind: "template_updated" });
    expect(line!.fields).toEqual([{ field: "address_type", from: "from", to: "to" }]);
  });

  test("keeps the kind of address that somebody else chose meanwhile, and says so", async () => {
    const world = await createWorld();
    const base = await made(world);
    world.account.byPerson.edit(base.id, "address_type", "return", world.clock.nowMs());
    const draft = { ...DRAFT, address_type: "to" };
    const outcome = await save(world, { draftId: "draft-2", templateId: base.id, draft, base });
    expect(outcome).toMatchObject({ kind: "conflict" });
    expect(world.account.templates.get(base.id)!.address_type).toBe("return");
  });

  test("names what is wrong before a call is spent, of a template that was there only what was changed", async () => {
    const world = await createWorld();
    const wrong = { ...DRAFT, alias_name: " ", address_attributes: { ...DRAFT.address_attributes, postal_code: "1" } };
    expect(await save(world, { draft: wrong })).toMatchObject({
      kind: "invalid",
      problems: [
        { field: "alias_name", code: "missing" },
        { field: "postal_code", code: "postal_code_format" },
      ],
    });
    expect(world.calls).toEqual([]);
    const odd = world.account.byPerson.add({
      ...DRAFT,
      address_attributes: { ...DRAFT.address_attributes, postal_code: "1" },
    });
    await run(world, refreshAddressBook(world.services, { shop: SHOP, force: true }));
    const draft = { ...DRAFT, address_attributes: { ...DRAFT.address_attributes, postal_code: "1", company: "Café" } };
    expect(await save(world, { draftId: "draft-3", templateId: odd.id, draft, base: odd })).toMatchObject({
      kind: "done",
    });
  });

  test("deleted once; the location it stood for is no origin any more", async () => {
    const world = await createWorld();
    const locationId = await world.addLocation(1);
    world.start();
    await world.runFor();
    const template = world.templateOf(locationId)!;
    const press = () => removeTemplate(world.services, { shop: SHOP, draftId: "draft-4", templateId: template.id });
    expect(await run(world, press())).toMatchObject({ kind: "done" });
    expect(await run(world, press())).toMatchObject({ kind: "done" });
    await world.runFor();
    expect(world.account.templates.size).toBe(0);
    expect((await world.store.details.find({ locationId }))!.inclusion).toBe("never");
  });

  test("gone there while it was edited, is not made again behind anybody's back", async () => {
    const world = await createWorld();
    const locationId = await world.addLocation(1);
    world.start();
    // A GET may be behind its making until then.
    await world.runFor(90_000);
    const base = world.templateOf(locationId)!;
    world.account.byPerson.remove(base.id);
    world.calls.length = 0;
    const draft = { ...DRAFT, alias_name: base.alias_name };
    expect(await save(world, { templateId: base.id, draft, base })).toEqual({
      kind: "under_way",
      because: "absence_unconfirmed",
    });
    expect(await readTemplate(world.services, { shop: SHOP, templateId: base.id })).toMatchObject({ underWay: true });
    await world.runFor(125_000);
    expect(await save(world, { templateId: base.id, draft, base })).toEqual({ kind: "gone" });
    await world.runFor(65_000);
    expect(world.calls).not.toContain("create");
    expect((await world.store.links.find({ locationId }))!.missingSinceMs).not.toBeNull();
    expect((await world.workItem("location", locationId)).reason?.code).toBe("missing_there");
  });

  test("whose deletion cannot be stored stays its location's", async () => {
    const world = await createWorld();
    const locationId = await world.addLocation(1);
    world.start();
    await world.runFor();
    await world.store.shops.insert(shopRecord({ shop: OTHER }));
    await world.store.drafts.insert(draftRecord({ id: "draft-7", shop: OTHER }));
    const { id: templateId } = world.templateOf(locationId)!;
    const pressed = removeTemplate(world.services, { shop: SHOP, draftId: "draft-7", templateId });
    await expect(run(world, pressed)).rejects.toMatchObject({ kind: "internal" });
    expect((await world.store.details.find({ locationId }))!.inclusion).toBe("policy");
  });

  test("another account's is not found", async () => {
    const world = await createWorld();
    const template = await made(world);
    expect(await readTemplate(world.services, { shop: OTHER, templateId: template.id })).toBeNull();
    expect(
      await run(world, removeTemplate(world.services, { shop: OTHER, draftId: "draft-5", templateId: template.id })),
    ).toEqual({ kind: "not_found" });
    const stolen = { shop: OTHER, draftId: "draft-6", templateId: template.id, base: template };
    expect(await save(world, stolen)).toEqual({ kind: "not_found" });
    expect(
      await run(world, verifyTemplate(world.services, { shop: OTHER, templateId: template.id, carriers: ["fedex"] })),
    ).toEqual({ kind: "not_found" });
  });
});
