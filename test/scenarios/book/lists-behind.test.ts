import { beforeEach, expect, test } from "vitest";
import type { AddressTemplate } from "../../../app/domain/records.ts";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import { submitDraft } from "../../../app/by-hand/submit-draft.ts";
import { versionOf } from "../../../app/domain/plan/template-version.ts";
import { linkOrigin } from "../../../app/origins/link-origin.ts";
import { refreshTemplate } from "../../../app/origins/refresh-origin.ts";
import { removeTemplate } from "../../../app/origins/remove-template.ts";
import { claimWorkItem } from "../../../app/runs/claim.ts";
import { runNow } from "../../../app/runs/run-now.ts";
import { SHOP } from "../../fakes/records.ts";
import type { CallOutcome } from "../../fakes/shipping/network.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import { firstMeets, REPLY_LOST } from "../../fakes/shipping/outcomes.ts";
import { shopifyLocation, createWorld } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/**
 * A list may be behind the writes. What a template's own GET, or the answer to a write, showed a moment before is not undone by a list.
 *
 * Long, because each reader of lists and each writer meets the same late list, on the same world.
 */

const ACCEPTED = { carrier_name: "fedex", status: "verified", update_state: null, verification_id: "1" };

let world: World;
let key: string;
let templateId: string;
let before: AddressTemplate;

beforeEach(async () => {
  world = await createWorld();
  key = await world.addLocation(1);
  await run();
  templateId = (await world.store.links.find({ shop: SHOP }))!.templateId;
  before = structuredClone(world.templateOf(key)!);
  await world.clock.runFor(3_600_000);
  world.calls.length = 0;
});

async function run() {
  const requested = await world.requestWork("location", key);
  return world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
}

const rename = () => world.shopify.put(SHOP, shopifyLocation(1, { name: "Bodega nueva" }));
const row = async () => (await world.store.templates.find({ shop: SHOP, templateId }))!;
const link = async () => (await world.store.links.find({ shop: SHOP }))!;
const readBook = () => world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
/** Lists show the template as it was before. */
const listsAreBehind = () =>
  world.malformed.set(templateId, (template, operation) => (operation === "list" ? before : template));

const FAILING: CallOutcome = { arrivesAfterMs: 20, effectAfterMs: null, answer: { kind: "server_error", afterMs: 20 } };
const getsFail = () => void (world.outcomeOf = (operation) => (operation === "get" ? FAILING : PROMPT));

test("a list that shows what a write of ours replaced a moment before is no drift: the template is read by itself", async () => {
  rename();
  await run();
  listsAreBehind();
  const worker = world.start();
  await readBook();
  expect((await row()).template.alias_name).toMatch(/^Bodega nueva /);
  await world.runFor(5_000);
  // The worker's first look lists the book, too, while the first of the two answers is on its way.
  expect(world.calls.filter((call) => call !== "list")).toEqual(["get", "update", "get", "get"]);
  expect(await link()).toMatchObject({ differences: [] });
  expect(await row()).toMatchObject({ disputedSinceMs: null });
  await world.clock.runWhile(worker.stop());
});

test("a list that shows somebody's change is believed half a minute later, where the template's own GET always fails", async () => {
  rename();
  await run();
  world.account.byPerson.edit(templateId, "reference", "Timbre azul", world.clock.nowMs());
  getsFail();
  await world.requestWork("reconcile", "shop");
  const worker = world.start();
  await world.runFor(10_000);
  expect(await row()).toMatchObject({ template: { address: { reference: before.address.reference } } });
  expect((await row()).disputedSinceMs).not.toBeNull();
  await world.runFor(40_000);
  expect(await row()).toMatchObject({ template: { address: { reference: "Timbre azul" } }, disputedSinceMs: null });
  await world.clock.runWhile(worker.stop());
});

test("so it is where somebody opened the address book, and nobody looked at everything", async () => {
  const worker = world.start();
  await world.runFor(120_000);
  rename();
  await run();
  world.account.byPerson.edit(templateId, "reference", "Timbre azul", world.clock.nowMs());
  getsFail();
  await readBook();
  await world.runFor(10_000);
  expect((await row()).disputedSinceMs).not.toBeNull();
  await world.runFor(40_000);
  expect(await row()).toMatchObject({ template: { address: { reference: "Timbre azul" } }, disputedSinceMs: null });
  await world.clock.runWhile(worker.stop());
});

test("a page's list that is not believed leaves the due time of a look that is under way, which is its lease's end", async () => {
  rename();
  await run();
  const { workItemId } = await world.requestWork("reconcile", "shop");
  await claimWorkItem(world.services, { workItemId, shop: SHOP, owner: "somebody" });
  const { leaseUntilMs } = await world.workItem("reconcile", "shop");
  listsAreBehind();
  await readBook();
  expect((await row()).disputedSinceMs).not.toBeNull();
  expect(await world.workItem("reconcile", "shop")).toMatchObject({ dueAtMs: leaseUntilMs, leaseUntilMs });
});

test("so it is where the process died in between", async () => {
  rename();
  await run();
  world.account.byPerson.edit(templateId, "reference", "Timbre azul", world.clock.nowMs());
  getsFail();
  const died = world.boot();
  await world.requestWork("reconcile", "shop");
  await world.runFor(10_000);
  expect((await row()).disputedSinceMs).not.toBeNull();
  died.kill();
  await world.runFor(80_000);
  const { worker } = world.boot();
  await world.runFor(60_000);
  expect(await row()).toMatchObject({ template: { address: { reference: "Timbre azul" } }, disputedSinceMs: null });
  await world.clock.runWhile(worker.stop());
});

test("a list that shows what an unclear write of ours made is asked about at once, and nothing is written before its quarantine is over", async () => {
  firstMeets(world, "update", REPLY_LOST);
  rename();
  const worker = world.start();
  await world.requestWork("location", key);
  world.services.wake();
  await world.runFor(10_000);
  expect(world.templateOf(key)!.alias_name).toMatch(/^Bodega nueva /);
  expect(await row()).toMatchObject({ template: { alias_name: before.alias_name } });
  world.calls.length = 0;
  await readBook();
  await world.runFor(5_000);
  expect((await row()).template.alias_name).toMatch(/^Bodega nueva /);
  expect(await row()).toMatchObject({ disputedSinceMs: null });
  expect(world.calls).toEqual(["list", "get"]);
  expect(await world.workItem("location", key)).toMatchObject({ reason: { code: "quarantine" } });
  await world.runFor(180_000);
  expect(world.calls).not.toContain("update");
  expect(await link()).toMatchObject({ differences: [] });
  await world.clock.runWhile(worker.stop());
});

test("so it is where the unclear write is a form's", async () => {
  firstMeets(world, "update", REPLY_LOST);
  const { alias_name, address_type, address } = before;
  const draft = { alias_name, address_type, address_attributes: { ...address, reference: "Timbre azul" } };
  const work = { draftId: "d1", operation: "update", templateId, draft, base: before } as const;
  const worker = world.start();
  await world.clock.runWhile(submitDraft(world.services, { shop: SHOP, ...work }));
  await world.runFor(10_000);
  world.calls.length = 0;
  await readBook();
  await world.runFor(5_000);
  expect(await row()).toMatchObject({ template: { address: { reference: "Timbre azul" } }, disputedSinceMs: null });
  expect(world.calls).toEqual(["list", "get"]);
  expect(await world.workItem("location", key)).toMatchObject({ reason: { code: "quarantine" } });
  await world.clock.runWhile(worker.stop());
});

test("a list that shows a template otherwise for good costs one list and one GET a look at everything", async () => {
  listsAreBehind();
  rename();
  await run();
  world.calls.length = 0;
  const worker = world.start();
  await world.runFor(3_600_000);
  expect(world.calls).toEqual(["list", "get"]);
  expect(world.shopify.calls.locations).toBe(1);
  await world.runFor(7 * 3_600_000);
  expect(world.shopify.calls.locations).toBe(2);
  await world.clock.runWhile(worker.stop());
});

test.each([
  ["a process that begins with a clock an hour ahead", () => world.machine.jump(3_600_000)],
  ["a process that begins with a clock an hour behind", () => world.machine.jump(-3_600_000)],
])("%s believes no list over what the one before it had just written", async (_title, jump) => {
  rename();
  await run();
  listsAreBehind();
  jump();
  const { services, worker } = world.boot();
  await world.clock.runWhile(refreshAddressBook(services, { shop: SHOP, force: true }));
  expect((await row()).template.alias_name).toMatch(/^Bodega nueva /);
  await world.runFor(5_000);
  expect(await link()).toMatchObject({ differences: [] });
  await world.clock.runWhile(worker.stop());
});

test("a date that is taken over between a write of ours and the list does not make the list believed", async () => {
  rename();
  await run();
  listsAreBehind();
  world.services.clock.adjust(3_600_000);
  await readBook();
  expect((await row()).template.alias_name).toMatch(/^Bodega nueva /);
});

test("what a person changes between a write of ours and the list is shown at once", async () => {
  rename();
  await run();
  world.account.byPerson.edit(templateId, "reference", "Puerta azul", world.clock.nowMs());
  const worker = world.start();
  await readBook();
  await world.runFor(5_000);
  expect((await link()).differences).toMatchObject([{ field: "reference", theirs: "Puerta azul", kind: "drift" }]);
  await world.clock.runWhile(worker.stop());
});

test("a template that stands for no location keeps what was read of it by itself, until a list that began later", async () => {
  await world.store.links.delete({ shop: SHOP });
  await world.store.details.update({ locationId: key }, { inclusion: "never" });
  world.account.byPerson.edit(templateId, "reference", "Puerta azul", world.clock.nowMs());
  await world.clock.runWhile(refreshTemplate(world.services, { shop: SHOP, templateId, force: true }));
  listsAreBehind();
  await readBook();
  expect((await row()).template.address.reference).toBe("Puerta azul");
  await world.clock.runFor(31_000);
  await readBook();
  expect(await row()).toMatchObject({ template: { address: { reference: "Portón verde" } }, disputedSinceMs: null });
});

test("what the carriers say of it is told by the list, and is no reason to read it by itself", async () => {
  rename();
  await run();
  const { verified_carriers: known } = (await row()).template;
  listsAreBehind();
  before = { ...structuredClone(world.templateOf(key)!), verified_carriers: [ACCEPTED] };
  await readBook();
  expect((await row()).template.verified_carriers).toEqual(known);
  expect(await world.store.verifications.find({ shop: SHOP, templateId })).toMatchObject({ status: "verified" });
  expect(await world.workItem("location", key)).toMatchObject({ generation: 2, observedGeneration: 2 });
});

test("of two lists the later one is believed", async () => {
  await readBook();
  world.account.byPerson.edit(templateId, "reference", "Puerta azul", world.clock.nowMs());
  await readBook();
  expect((await row()).template.address.reference).toBe("Puerta azul");
});

test.each([
  ["is not active", () => world.shopify.put(SHOP, shopifyLocation(1, { isActive: false }))],
  ["is paused", () => world.store.details.update({ shop: SHOP }, { paused: true })],
])("a template that a list doubts is read by itself though its location %s", async (_title, takeOut) => {
  await takeOut();
  await run();
  await world.clock.runWhile(refreshTemplate(world.services, { shop: SHOP, templateId }));
  world.account.byPerson.edit(templateId, "reference", "Timbre azul", world.clock.nowMs());
  const worker = world.start();
  await readBook();
  world.calls.length = 0;
  await world.runFor(5_000);
  expect(world.calls.filter((call) => call !== "list")).toEqual(["get"]);
  expect(await row()).toMatchObject({ template: { address: { reference: "Timbre azul" } }, disputedSinceMs: null });
  await world.clock.runWhile(worker.stop());
});

test("a template that was deleted by hand, and that a list still shows, is asked for before a location rests on it", async () => {
  world.start();
  await world.runFor(180_000);
  const deletion = { shop: SHOP, draftId: "d1", templateId };
  expect(await world.clock.runWhile(removeTemplate(world.services, deletion))).toMatchObject({ kind: "done" });
  world.outcomeOf = (operation) => (operation === "list" ? { ...PROMPT, behindMs: 20_000 } : PROMPT);
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  await world.runFor(5_000);
  const linked = { shop: SHOP, locationId: key, templateId, templateVersion: versionOf((await row())!.template) };
  expect(await world.clock.runWhile(linkOrigin(world.services, linked))).toMatchObject({ kind: "done" });
  await world.runFor(5 * 60_000);
  expect(await world.store.links.find({ shop: SHOP, locationId: key })).toMatchObject({
    missingSinceMs: expect.any(Number),
  });
});
