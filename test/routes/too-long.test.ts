import { expect, test } from "vitest";
import type { TemplateIntent } from "../../app/components/address-book/template-intent.ts";
import type { ReviewIntent } from "../../app/components/review/review-intent.ts";
import type { SettingsRequest } from "../../app/components/settings/settings-actions.ts";
import { ADDRESS_FIELDS } from "../../app/domain/address/address.ts";
import { CONTACT_FIELDS, eachField, SPLIT_FIELDS } from "../../app/domain/address/form-fields.ts";
import { DEFAULT_POLICIES } from "../../app/domain/records.ts";
import type { AddressTemplate, TemplateDraft } from "../../app/domain/records.ts";
import { readOrderOrigins } from "../../app/pages/read-order-origins.ts";
import { readReview } from "../../app/pages/read-review.ts";
import type { FinishedForm } from "../../app/routes/api.origins_.$legacyLocationId.details/schema.ts";
import { SUPPLIER } from "../fakes/by-hand.ts";
import { locationRecord, NO_CONTACT, SHOP } from "../fakes/records.ts";
import { CONTACT, createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { confirmed, details, locationId, page, post as postOrigin, shown, synced } from "./origin-stage.ts";
import { posting } from "./posting.ts";

/**
 * A text that is too long for its field is refused in words beside the field, by every form that holds it, and nothing is stored or sent.
 * What stood there before, however long, is no mistake of whoever saves the form.
 */

const LONG = "x ".repeat(10_000).trim();
const STANDING = `Taller ${"y".repeat(400)}`;

const postSettings = posting<SettingsRequest>(() => import("../../app/routes/app.settings/route.tsx"));
const postReview = posting<ReviewIntent>(() => import("../../app/routes/app.review/route.tsx"));
const postBook = posting<{ force: boolean }>(() => import("../../app/routes/app.address-book._index/route.tsx"));
const postNew = posting<TemplateIntent>(() => import("../../app/routes/app.address-book.new/route.tsx"));
const postTo = posting<TemplateIntent>(() => import("../../app/routes/app.address-book.$templateId/route.tsx"));
const postDetails = posting<FinishedForm>(
  () => import("../../app/routes/api.origins_.$legacyLocationId.details/route.ts"),
  { legacyLocationId: "1" },
);

const problemsIn = (fields: readonly string[]) =>
  expect.arrayContaining(fields.map((field) => expect.objectContaining({ field, code: "too_long" }) as object));
const invalid = (fields: readonly string[]) => ({ kind: "invalid", problems: problemsIn(fields) as object });

const shopOf = async (world: World) => (await world.store.shops.find({ shop: SHOP }))!;

test("Settings: every text, and what stood there stays", async () => {
  const world = await createWorld();
  const before = await shopOf(world);
  const settings = {
    language: null,
    contact: eachField(CONTACT_FIELDS, () => LONG),
    policies: { ...DEFAULT_POLICIES, aliasPattern: LONG },
  };
  const { status, said } = await postSettings(world, { intent: "save", revision: before.revision, settings });
  expect({ status, said }).toMatchObject({
    status: 200,
    said: { outcome: invalid([...CONTACT_FIELDS, "aliasPattern"]) },
  });
  expect(await shopOf(world)).toEqual(before);

  const contact = { ...CONTACT, company: STANDING };
  const policies = { ...before.policies, aliasPattern: `{name} ${"z".repeat(300)}` };
  await world.store.shops.update({ shop: SHOP }, { contact, policies });
  const saved = { language: null, contact: { ...contact, name: "Luz" }, policies };
  const answer = await postSettings(world, { intent: "save", revision: before.revision, settings: saved });
  expect(answer).toMatchObject({ status: 200, said: { outcome: { kind: "saved" } } });
  expect(await shopOf(world)).toMatchObject({ contact: { name: "Luz", company: STANDING }, policies });
});

test.each(["connect", "test"] as const)("the credentials: %s", async (intent) => {
  const world = await createWorld({ connected: false });
  const typed = { clientId: LONG, clientSecret: LONG, scope: LONG, redirectUri: LONG };
  const fields = ["clientId", "clientSecret", "scope", "redirectUri"];
  const answer = await postSettings(world, { intent, environment: "test", ...typed });
  expect(answer).toEqual({ status: 200, said: { intent, outcome: { kind: "too_long", fields } } });
  expect(world.calls).toEqual([]);
});

test("an origin's page, with what stood there", async () => {
  const world = await confirmed();
  await world.store.locations.insert(locationRecord({ ...shopifyLocation(2), shop: SHOP }));
  const form = await shown(world);
  const before = await details(world);
  const values = { ...eachField(SPLIT_FIELDS, () => LONG), name: LONG, company: LONG, email: LONG, phone: LONG };
  const refused = await postOrigin(world, { ...form, values });
  const fields = [...SPLIT_FIELDS, "name", "company", "email", "phone"];
  expect(refused).toMatchObject({ status: 200, said: { ...invalid(fields), intent: "save" } });
  expect(await details(world)).toEqual(before);

  const contact = { ...(before?.contact ?? NO_CONTACT), company: STANDING };
  await world.store.details.update({ locationId }, { contact });
  const again = await shown(world);
  const kept = { ...again.values, street1: "Calle Nueva", company: STANDING };
  expect(await postOrigin(world, { ...again, values: kept })).toMatchObject({ status: 200, said: { kind: "done" } });
  expect(await details(world)).toMatchObject({
    contact: { company: STANDING },
    split: { values: { street1: "Calle Nueva" } },
  });
  // Another long text is no longer what stood there.
  const another = { ...(await shown(world)).values, company: `${STANDING}y` };
  const wrong = await postOrigin(world, { ...(await shown(world)), values: another });
  expect(wrong).toMatchObject({ status: 200, said: invalid(["company"]) });
});

test("a difference about a long value is settled as it was seen", async () => {
  const { world, template } = await synced();
  world.account.byPerson.edit(template.id, "company", STANDING, world.clock.nowMs());
  await postOrigin(world, { intent: "sync" });
  const [difference] = (await page(world)).differences;
  expect(difference).toMatchObject({ field: "company", theirs: STANDING });
  const choice = { field: "company", choice: "theirs" } as const;
  const other = await postOrigin(world, { intent: "resolve", choices: [{ ...choice, theirs: `${STANDING}!` }] });
  expect(other).toMatchObject({ said: { kind: "changed_since" } });
  const settled = await postOrigin(world, { intent: "resolve", choices: [{ ...choice, theirs: STANDING }] });
  expect(settled).toMatchObject({ status: 200, said: { kind: "done" } });
  expect(world.templateOf(locationId)!.address.company).toBe(STANDING);
  expect((await page(world)).differences).toEqual([]);
});

test("the order page's short form", async () => {
  const world = await createWorld({ environment: "production", policies: { carriers: [] } });
  world.shopify.put(SHOP, shopifyLocation(1));
  await world.store.locations.insert(locationRecord({ ...shopifyLocation(1), shop: SHOP }));
  const order = await readOrderOrigins(world.services, { shop: SHOP, locationIds: [locationId] });
  const { revision, readFrom } = order.origins[0]!.form!;
  // A body of the order page has at most 32 kB.
  const long = LONG.slice(0, 9_001);
  const values = { street1: long, reference: long, name: long };
  const answer = await postDetails(world, { revision, readFrom, values });
  const problems = problemsIn(Object.keys(values)) as object;
  expect(answer).toMatchObject({ status: 422, said: { error: { code: "invalid", problems } } });
  expect(world.calls).toEqual([]);
});

test("Review: the contact, and each row by itself", async () => {
  const world = await createWorld({ policies: { carriers: [] } });
  for (const number of [1, 2]) {
    world.shopify.put(SHOP, shopifyLocation(number));
    await world.store.locations.insert(locationRecord({ ...shopifyLocation(number), shop: SHOP }));
  }
  const contact = { ...CONTACT, company: STANDING };
  await world.store.shops.update({ shop: SHOP }, { contact });
  const view = (await readReview(world.services, { shop: SHOP }))!;
  const rows = view.rows.map(({ locationId, revision, readFrom, cells }) => ({
    ...{ locationId, revision, readFrom, templateId: null, templateVersion: null },
    values: eachField(SPLIT_FIELDS, (field) => cells[field].value),
  }));
  const form = { intent: "confirm", contact, contactRevision: view.contactRevision, rows } as const;
  const refused = await postReview(world, { ...form, contact: { ...contact, name: LONG } });
  expect(refused).toMatchObject({
    status: 200,
    said: { kind: "contact_invalid", problems: [{ field: "name", code: "too_long" }] },
  });
  const [one, two] = rows;
  const wrong = { ...one!, values: { ...one!.values, street1: LONG } };
  expect(await postReview(world, { ...form, rows: [wrong, two!] })).toMatchObject({
    status: 200,
    said: { count: 1, refused: [{ locationId: one!.locationId, refusal: invalid(["street1"]) }] },
  });
  expect((await shopOf(world)).contact).toEqual(contact);
});

const DRAFT: TemplateDraft = {
  ...SUPPLIER,
  default: false,
  address_attributes: eachField(ADDRESS_FIELDS, (field) => SUPPLIER.address_attributes[field] ?? null),
};

test("a new template", async () => {
  const world = await createWorld();
  const draft = { alias_name: LONG, address_type: LONG, default: false };
  const address_attributes = eachField(ADDRESS_FIELDS, () => LONG);
  const answer = await postNew(world, {
    intent: "save",
    draftId: "d-1",
    draft: { ...draft, address_attributes },
    base: null,
  });
  expect(answer).toMatchObject({
    status: 200,
    said: { outcome: invalid(["alias_name", "address_type", ...ADDRESS_FIELDS]) },
  });
  expect(await world.store.drafts.count({ shop: SHOP })).toBe(0);
});

/** A template that somebody made there with values that no form takes, and that the app has read. */
async function longThere(): Promise<{ world: World; base: AddressTemplate; templateId: string }> {
  const world = await createWorld({ policies: { carriers: [] } });
  const address_attributes = { ...DRAFT.address_attributes, company: STANDING };
  const { id: templateId } = world.account.byPerson.add({ ...DRAFT, alias_name: STANDING, address_attributes });
  await postBook(world, { force: true });
  await world.runFor(60_000);
  return { world, templateId, base: (await world.store.templates.find({ templateId }))!.template };
}

const form = (base: AddressTemplate, over: Partial<TemplateDraft["address_attributes"]>): TemplateIntent => ({
  intent: "save",
  draftId: "d-1",
  base,
  draft: {
    alias_name: base.alias_name,
    address_type: base.address_type,
    default: base.default ?? false,
    address_attributes: { ...eachField(ADDRESS_FIELDS, (field) => base.address[field]), ...over },
  },
});

test("a template with long values is edited beside them", async () => {
  const { world, base, templateId } = await longThere();
  const answer = await postTo(world, form(base, { reference: "Puerta roja" }), { templateId });
  expect(answer).toMatchObject({ status: 200, said: { outcome: { kind: "done" } } });
  const after = world.account.templates.get(templateId)!;
  expect(after).toMatchObject({ alias_name: STANDING, address: { company: STANDING, reference: "Puerta roja" } });
  expect(await world.store.drafts.find({ id: "d-1" })).toMatchObject({
    base: { alias_name: STANDING, address: { company: STANDING } },
  });
});

test("a long value is not made another long one", async () => {
  const { world, base, templateId } = await longThere();
  const answer = await postTo(world, form(base, { company: `${STANDING}!` }), { templateId });
  expect(answer).toMatchObject({ status: 200, said: { outcome: invalid(["company"]) } });
  expect(world.account.templates.get(templateId)!.address.company).toBe(STANDING);
});

test("a long value that somebody changes there meanwhile stays theirs", async () => {
  const { world, base, templateId } = await longThere();
  world.account.byPerson.edit(templateId, "company", "Corta", world.clock.nowMs());
  await postBook(world, { force: true });
  const answer = await postTo(world, form(base, { reference: "Puerta roja" }), { templateId });
  expect(answer).toMatchObject({ status: 200, said: { outcome: { kind: "done" } } });
  expect(world.account.templates.get(templateId)!.address).toMatchObject({
    company: "Corta",
    reference: "Puerta roja",
  });
});
