import { describe, expect, test } from "vitest";
import { confirmReview } from "../../../app/jobs/confirm-review.ts";
import type { ReviewedRow } from "../../../app/jobs/confirm-row.ts";
import { SPLIT_FIELDS } from "../../../app/domain/address/form-fields.ts";
import type { ConfirmedSplit } from "../../../app/domain/address/address.ts";
import type { AddressTemplate, VerifiedCarrier } from "../../../app/domain/records.ts";
import { linkOrigin } from "../../../app/origins/link-origin.ts";
import { readLinkPreview } from "../../../app/pages/read-link-preview.ts";
import { readOrigin } from "../../../app/pages/read-origin.ts";
import { readReview } from "../../../app/pages/read-review.ts";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import { NO_CONTACT, SHOP, detailsRecord, locationRecord } from "../../fakes/records.ts";
import { CONTACT, createWorld, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/** A template that the account has already comes to stand for a location: what it knows of the contact stays, and its verdicts with it. */

const BOOK = {
  name: "Pedro Ruiz",
  company: "Bodegas del Norte",
  email: "pedro@libreta.mx",
  phone: "3311112222",
  reference: "Portón azul, timbre 3",
  rfc: "XAXX010101000",
};
const ACCEPTED: VerifiedCarrier = {
  carrier_name: "fedex",
  status: "accepted",
  update_state: null,
  verification_id: "v-1",
};
const { locationId } = shopifyLocation(1);
const one = { shop: SHOP, locationId };

async function withTemplate(
  over: Record<string, string | null> = {},
): Promise<{ world: World; template: AddressTemplate }> {
  const world = await createWorld({ policies: { carriers: ["fedex"], verifyAfterChange: true } });
  const location = shopifyLocation(1);
  world.shopify.put(SHOP, location);
  await world.store.locations.insert(locationRecord({ ...location, shop: SHOP }));
  const template = world.account.byPerson.add({
    alias_name: "Mi bodega",
    address_type: "from",
    address_attributes: {
      ...BOOK,
      ...{ street1: "Avenida Vallarta", street_number: "101", apartment_number: null, postal_code: "44160" },
      ...{ area_level1: "Jalisco", area_level2: "Guadalajara", area_level3: "Americana", country_code: "MX" },
      ...over,
    },
  });
  world.account.templates.get(template.id)!.verified_carriers.push(ACCEPTED);
  await readBook(world);
  // The owner had asked for it, in the address book.
  const said = { outcome: "accepted" as const, baseline: [], askedAtMs: 1 };
  await world.store.verifications.update({ shop: SHOP, templateId: template.id }, said);
  return { world, template };
}

const readBook = (world: World) =>
  world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
const there = (world: World, { id }: AddressTemplate) => world.account.templates.get(id)!;
const details = async (world: World) => (await world.store.details.find(one))!;
const preview = async (world: World, { id }: AddressTemplate) =>
  (await readLinkPreview(world.services, { ...one, templateId: id }))!;

/** What the dialog sends when nobody changes a choice. */
async function asShown(world: World, template: AddressTemplate) {
  const { templateId, version, ownVersion } = await preview(world, template);
  return { ...one, templateId, templateVersion: version, ownVersion };
}

const link = (world: World, input: Parameters<typeof linkOrigin>[1]) =>
  world.clock.runWhile(linkOrigin(world.services, input));

async function reviewed(world: World, over: Partial<ReviewedRow> = {}) {
  const view = (await readReview(world.services, { shop: SHOP }))!;
  const [row] = view.rows;
  const { revision, readFrom, cells, proposals } = row!;
  const split = Object.fromEntries(
    SPLIT_FIELDS.map((field) => [field, cells[field].value]),
  ) as ConfirmedSplit["values"];
  const { templateId, version } = proposals[0]!;
  const asked = { revision, readFrom, contact: {}, split, templateId, templateVersion: version };
  const { contact, contactRevision } = view;
  const rows = [{ locationId, ...asked, ...over }];
  return confirmReview(world.services, { shop: SHOP, contact, contactRevision, rows });
}

/** What a whole sync leaves: the template as it was but for its name, the details, and the carrier's verdict. */
async function expectKept(world: World, template: AddressTemplate) {
  world.start();
  await world.runFor();
  expect(there(world, template)).toMatchObject({ address: BOOK, verified_carriers: [ACCEPTED] });
  expect(await details(world)).toMatchObject({
    contact: { name: BOOK.name, company: BOOK.company, email: BOOK.email, phone: BOOK.phone, rfc: BOOK.rfc },
    split: { values: { reference: BOOK.reference } },
  });
  expect(world.calls).not.toContain("verify");
  const view = (await readOrigin(world.services, one))!;
  expect(view).toMatchObject({ state: "ready", differences: [] });
  expect(view.standings).toMatchObject([{ carrier: "fedex", outcome: "accepted", stale: false, question: null }]);
}

describe("what the book knows better stays, as the location's own", () => {
  test("after the dialog to link", async () => {
    const { world, template } = await withTemplate();
    expect(await link(world, await asShown(world, template))).toMatchObject({ kind: "done" });
    await expectKept(world, template);
    const linked = (await world.store.activity.find({ shop: SHOP, kind: "linked" }))!;
    expect(linked.fields).toContainEqual({ field: "email", from: null, to: BOOK.email });
  });

  test("after Review", async () => {
    const { world, template } = await withTemplate();
    expect(await reviewed(world)).toMatchObject({ kind: "confirmed", count: 1, refused: [] });
    await expectKept(world, template);
  });

  test("after Review in a shop that has said no contact yet", async () => {
    const { world, template } = await withTemplate();
    await world.store.shops.update({ shop: SHOP }, { contact: NO_CONTACT });
    expect(await reviewed(world)).toMatchObject({ kind: "confirmed", count: 1, refused: [] });
    await expectKept(world, template);
  });
});

describe("unless the owner says otherwise", () => {
  test.each(["link", "review"] as const)("field by field: %s", async (how) => {
    const { world, template } = await withTemplate();
    const choices = { email: "ours", reference: "ours" } as const;
    if (how === "link") await link(world, { ...(await asShown(world, template)), choices });
    else await reviewed(world, { choices });
    world.start();
    await world.runFor();
    const { email, reference } = CONTACT;
    expect(there(world, template).address).toMatchObject({ ...BOOK, email, reference });
    expect((await details(world)).contact).toMatchObject({ name: BOOK.name, email: null });
  });

  test("what was typed for this location stays before the book's", async () => {
    const { world, template } = await withTemplate();
    await world.store.details.insert(detailsRecord({ locationId, contact: { ...NO_CONTACT, name: "Luz" } }));
    expect((await preview(world, template)).contact[0]).toMatchObject({ field: "name", ours: "Luz", stays: "ours" });
    await link(world, await asShown(world, template));
    expect(there(world, template).address).toMatchObject({ ...BOOK, name: "Luz" });
    expect((await details(world)).contact).toMatchObject({ name: "Luz", email: BOOK.email });
  });

  test("what is not valid is shown with its reason, and the shop's is written", async () => {
    const { world, template } = await withTemplate({ email: "pedro(at)libreta" });
    expect((await preview(world, template)).contact).toContainEqual({
      ...{ field: "email", ours: CONTACT.email, theirs: "pedro(at)libreta" },
      ...{ stays: "ours", isOpen: false, problem: "email_format" },
    });
    await link(world, await asShown(world, template));
    expect(there(world, template).address).toMatchObject({ ...BOOK, email: CONTACT.email });
    expect((await details(world)).contact.email).toBeNull();
  });
});

describe("a choice holds for the values that were shown", () => {
  test("a template that changed since is not linked, and nothing of it is taken over", async () => {
    const { world, template } = await withTemplate();
    const shown = await asShown(world, template);
    world.account.byPerson.edit(template.id, "email", "otra@libreta.mx", world.clock.nowMs());
    await readBook(world);
    expect(await link(world, shown)).toEqual({ kind: "changed_since" });
    const { templateVersion } = shown;
    expect(await reviewed(world, { templateVersion })).toMatchObject({
      kind: "confirmed",
      count: 0,
      refused: [{ locationId, refusal: { kind: "changed_since" } }],
    });
    expect(await world.store.links.count({ shop: SHOP })).toBe(0);
    expect((await details(world)).contact).toEqual(NO_CONTACT);
    expect(there(world, template).address).toMatchObject({ ...BOOK, email: "otra@libreta.mx" });
  });

  test("of a location whose own words changed since, nothing is chosen", async () => {
    const { world, template } = await withTemplate();
    const shown = await asShown(world, template);
    await world.store.shops.update({ shop: SHOP }, { contact: { ...CONTACT, email: "nueva@tienda.mx" } });
    expect(await link(world, { ...shown, choices: { email: "ours" } })).toEqual({ kind: "changed_since" });
    expect(there(world, template).address).toMatchObject(BOOK);
  });
});
