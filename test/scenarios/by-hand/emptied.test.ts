import { beforeEach, expect, test } from "vitest";
import { runNow } from "../../../app/runs/run-now.ts";
import { submitDraft } from "../../../app/by-hand/submit-draft.ts";
import type { AddressField } from "../../../app/domain/address/address.ts";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import { readTemplate } from "../../../app/pages/read-template.ts";
import { SUPPLIER } from "../../fakes/by-hand.ts";
import { SHOP } from "../../fakes/records.ts";
import type { CallOutcome } from "../../fakes/shipping/network.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/** Of a service that empties what an update does not name: what one write emptied and did not put back, the next one does. */

const LOST: CallOutcome = { arrivesAfterMs: 20, effectAfterMs: null, answer: { kind: "reset", afterMs: 20 } };

let world: World;

beforeEach(async () => {
  world = await createWorld({ habits: { wipes: true } });
});

/** A form as the page shows it now. */
async function edit(draftId: string, templateId: string, change: Partial<Record<AddressField, string>>) {
  const { base } = (await readTemplate(world.services, { shop: SHOP, templateId }))!;
  const { alias_name, address_type, address } = structuredClone(base);
  const { tax_id_number: _number, tax_id_type: _type, ...attributes } = address;
  const draft = { alias_name, address_type, address_attributes: { ...attributes, ...change } };
  const stated = { shop: SHOP, draftId, operation: "update" as const, templateId, draft, base };
  const requested = await submitDraft(world.services, stated);
  return world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
}

const endOf = async (id: string) => (await world.store.drafts.find({ id }))!.outcome?.kind ?? null;

/** Loses the write that puts back what the one before it emptied. */
function losePuttingBack(): void {
  let updates = 0;
  world.outcomeOf = (operation) => (operation === "update" && (updates += 1) === 2 ? LOST : PROMPT);
}

const REFUSED: CallOutcome = {
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: { kind: "said", status: 422, body: '{"errors":{"name":["no es válido"]}}', afterMs: 20 },
};

/** Has the service refuse the write that puts back what the one before it emptied. */
function refusePuttingBack(): void {
  let updates = 0;
  world.outcomeOf = (operation) => (operation === "update" && (updates += 1) === 2 ? REFUSED : PROMPT);
}

async function provider(): Promise<string> {
  const { id } = world.account.byPerson.add({
    alias_name: "Proveedor",
    address_type: "from",
    address_attributes: SUPPLIER.address_attributes,
  });
  await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
  return id;
}

async function location(): Promise<{ key: string; templateId: string }> {
  const key = await world.addLocation(1);
  const requested = await world.requestWork("location", key);
  await world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
  return { key, templateId: world.templateOf(key)!.id };
}

test("a form puts back what the form before it emptied", async () => {
  const templateId = await provider();
  losePuttingBack();
  await edit("d1", templateId, { email: "luz@proveedor.example" });
  expect(world.account.templates.get(templateId)!.address).toMatchObject({ street1: "", phone: "" });
  // The page says what is missing there, and shows it as it was.
  expect(await readTemplate(world.services, { shop: SHOP, templateId })).toMatchObject({
    emptied: expect.arrayContaining(["street1", "phone", "reference"]),
    address: { ...SUPPLIER.address_attributes, email: "luz@proveedor.example" },
  });
  await edit("d2", templateId, { name: "Luz" });
  await world.clock.runFor(110_000);
  const again = await edit("d2", templateId, { name: "Luz" });
  expect(again).toEqual({ kind: "done" });
  const whole = { ...SUPPLIER.address_attributes, name: "Luz", email: "luz@proveedor.example" };
  expect(world.account.templates.get(templateId)!.address).toMatchObject(whole);
  const worker = world.start();
  await world.runFor();
  expect(await endOf("d1")).toBe("done");
  expect(world.account.templates.get(templateId)!.address).toMatchObject(whole);
  await world.clock.runWhile(worker.stop());
});

test("a form that ends in a conflict puts back what it had emptied", async () => {
  const templateId = await provider();
  losePuttingBack();
  await edit("d1", templateId, { email: "luz@proveedor.example" });
  world.account.byPerson.edit(templateId, "email", "otra@proveedor.example", world.clock.nowMs());
  const worker = world.start();
  await world.runFor(120_000);
  expect(await endOf("d1")).toBe("conflict");
  expect(world.account.templates.get(templateId)!.address).toMatchObject({
    ...SUPPLIER.address_attributes,
    email: "otra@proveedor.example",
  });
  await world.clock.runWhile(worker.stop());
});

test("a form of a location's template puts back what the location's write had emptied, and that one what is left", async () => {
  const { key, templateId } = await location();
  const stood = structuredClone(world.account.templates.get(templateId)!.address);
  losePuttingBack();
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
  const requested = await world.requestWork("location", key);
  await world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
  expect(world.account.templates.get(templateId)!.address).toMatchObject({ street_number: "777", phone: "" });
  await edit("d1", templateId, { name: "Luz" });
  const worker = world.start();
  await world.runFor(180_000);
  expect(await endOf("d1")).toBe("done");
  expect(world.account.templates.get(templateId)!.address).toEqual({ ...stood, street_number: "777", name: "Luz" });
  // The location's own run shows what the form said, and nothing else.
  const link = await world.store.links.find({ shop: SHOP, locationId: key });
  expect(link!.differences).toMatchObject([{ field: "name", theirs: "Luz" }]);
  await world.clock.runWhile(worker.stop());
});

test("a location puts back what a form of its template emptied and was refused", async () => {
  const { templateId } = await location();
  const stood = structuredClone(world.account.templates.get(templateId)!.address);
  world.account.byPerson.edit(templateId, "reference", "Timbre azul", world.clock.nowMs());
  refusePuttingBack();
  expect(await edit("d1", templateId, { name: "Luz" })).toEqual({ kind: "done" });
  expect(await endOf("d1")).toBe("refused");
  const worker = world.start();
  await world.runFor();
  expect(world.account.templates.get(templateId)!.address).toEqual({ ...stood, name: "Luz", reference: "Timbre azul" });
  await world.clock.runWhile(worker.stop());
});

test("a location that finds its template again puts back what was emptied while it stood for nobody", async () => {
  const { key, templateId } = await location();
  const stood = structuredClone(world.account.templates.get(templateId)!.address);
  await world.store.links.delete({ shop: SHOP });
  refusePuttingBack();
  await edit("d1", templateId, { name: "Luz" });
  expect(world.account.templates.get(templateId)!.address).toMatchObject({ name: "Luz", street1: "", phone: "" });
  const requested = await world.requestWork("location", key);
  expect(await world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }))).toEqual({ kind: "done" });
  expect(world.account.templates.get(templateId)!.address).toEqual({ ...stood, name: "Luz" });
  // What the form said is shown, and nothing else.
  const link = await world.store.links.find({ shop: SHOP, locationId: key });
  expect(link!.differences).toMatchObject([{ field: "name", kind: "drift", theirs: "Luz" }]);
});

test("a form puts back what stood there last, which may be newer than the form", async () => {
  const { key, templateId } = await location();
  const stood = structuredClone(world.account.templates.get(templateId)!.address);
  // The form is sent, and waits: its reading finds no answer.
  world.outcomeOf = (operation) => (operation === "get" ? LOST : PROMPT);
  await edit("d1", templateId, { name: "Luz" });
  world.account.byPerson.edit(templateId, "street_number", "12", world.clock.nowMs());
  // The location's update goes through, which empties; what puts that back is refused, as often as it comes.
  let updates = 0;
  world.outcomeOf = (operation, { body }) =>
    operation === "update" && (updates += 1) > 1 && !JSON.stringify(body).includes("Luz") ? REFUSED : PROMPT;
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ phone: "+523336159999" }) }));
  const requested = await world.requestWork("location", key);
  await world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
  expect(world.account.templates.get(templateId)!.address).toMatchObject({ phone: "3336159999", street_number: null });
  const worker = world.start();
  await world.runFor(60_000);
  expect(await endOf("d1")).toBe("done");
  expect(world.account.templates.get(templateId)!.address).toEqual({
    ...stood,
    phone: "3336159999",
    name: "Luz",
    street_number: "12",
  });
  await world.clock.runWhile(worker.stop());
});

test("a required field that nobody has a value for does not hold up the others, and the form can fill it in", async () => {
  const templateId = await provider();
  world.account.templates.get(templateId)!.address.phone = "";
  await world.store.templates.delete({ shop: SHOP, templateId });
  await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
  await edit("d1", templateId, { name: "Luz" });
  expect(await endOf("d1")).toBe("done");
  expect(world.account.templates.get(templateId)!.address).toMatchObject({
    ...SUPPLIER.address_attributes,
    name: "Luz",
    phone: "",
  });
  await edit("d2", templateId, { phone: "4497654321" });
  expect(await endOf("d2")).toBe("done");
  expect(world.account.templates.get(templateId)!.address).toMatchObject({
    ...SUPPLIER.address_attributes,
    name: "Luz",
    phone: "4497654321",
  });
});
