import { expect, test } from "vitest";
import { Secret } from "../../../app/domain/secret.ts";
import { readOrigin } from "../../../app/pages/read-origin.ts";
import { readTemplate } from "../../../app/pages/read-template.ts";
import { requestVerification } from "../../../app/verification/request-verification.ts";
import { submitDraft } from "../../../app/by-hand/submit-draft.ts";
import { removeTemplate } from "../../../app/origins/remove-template.ts";
import { SETTINGS } from "../../fakes/app-process.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import {
  expectCheap,
  expectOthersServed,
  expectTold,
  FAILS,
  homeOf,
  HOUR_MS,
  MINUTE_MS,
  SILENT,
  staged,
  WORDS,
} from "./stuck-stage.ts";
import type { Stage } from "./stuck-stage.ts";

/** Writes and other work that the service, or Shopify, always answers with a failure. */

/** An unclear write may take effect until its quarantine is over: nobody writes there before, however often it is charged. */
function expectQuarantined({ world }: Stage, operation: "create" | "update"): void {
  const sent = world.requests.filter((request) => request.operation === operation).map(({ atMs }) => atMs);
  expect(sent.length).toBeGreaterThan(5);
  for (const [index, atMs] of sent.slice(1).entries())
    expect(atMs - sent[index]!).toBeGreaterThanOrEqual(SETTINGS.quarantineMs);
}

test("a location whose template cannot be made holds up nobody, is told, and has one in the end", async () => {
  const stage = await staged(4);
  const { world } = stage;
  world.requests.length = 0;
  stage.stick(({ operation }) => operation === "create");
  const sinceMs = world.clock.nowMs();
  const key = await world.addLocation(5);
  await stage.tell(5);
  await expectOthersServed(stage, 5);
  await world.runFor(5 * MINUTE_MS);
  const { needs } = await homeOf(stage);
  expect(needs).toMatchObject([{ need: "parked", count: 1, origins: [{ name: "Bodega 5" }] }]);
  expectTold(stage, needs[0]!.failure, sinceMs);
  await world.runFor(6 * HOUR_MS);
  expectQuarantined(stage, "create");
  world.outcomeOf = () => PROMPT;
  await world.runFor(8 * HOUR_MS);
  expect(world.templateOf(key)).toBeDefined();
  expect(world.account.duplicates()).toBe(0);
  await world.clock.runWhile(stage.worker.stop());
});

test("a PATCH that always fails is sent again only when its quarantine is over", async () => {
  const stage = await staged(2);
  stage.stick(({ operation, templateId }) => operation === "update" && templateId === stage.stuckId);
  stage.world.requests.length = 0;
  await stage.change(0, "900");
  await stage.world.runFor(6 * HOUR_MS);
  expectQuarantined(stage, "update");
  await stage.world.clock.runWhile(stage.worker.stop());
});

test("carriers that cannot be asked rest the connection for nobody, cost little, and are told", async () => {
  const stage = await staged(4, { policies: { carriers: ["fedex"] } });
  const { world, keys, stuckId } = stage;
  stage.stick(({ operation, templateId }) => operation === "verify" && templateId === stuckId);
  const sinceMs = world.clock.nowMs();
  await requestVerification(world.services, { shop: SHOP, templateId: stuckId, carriers: ["fedex"] });
  world.services.wake();
  await world.runFor(HOUR_MS / 2);
  const { troubles } = await homeOf(stage);
  expect(troubles).toMatchObject([{ trouble: "verification", count: 1, origins: [{ name: "Bodega 1" }] }]);
  expectTold(stage, troubles[0]!.failure, sinceMs);
  const page = (await readOrigin(world.services, { shop: SHOP, locationId: keys[0]! }))!;
  expectTold(stage, page.verificationFailure, sinceMs);
  await world.runFor(26 * HOUR_MS);
  expectCheap(stage, sinceMs);
  expect(await world.store.connections.find({ shop: SHOP })).toMatchObject({ lastFaultAtMs: null });
  const given = (await homeOf(stage)).needs.find(({ need }) => need === "unverified")!;
  expect(given.origins).toContainEqual(expect.objectContaining({ name: "Bodega 1" }));
  await expectOthersServed(stage, 3);
  world.outcomeOf = () => PROMPT;
  await requestVerification(world.services, { shop: SHOP, templateId: stuckId, carriers: ["fedex"] });
  world.services.wake();
  await world.runFor(MINUTE_MS);
  expect((await homeOf(stage)).troubles).toEqual([]);
  const verdict = await world.store.verifications.find({ shop: SHOP, templateId: stuckId });
  expect(verdict).toMatchObject({ outcome: "pending", question: "asked" });
  await world.clock.runWhile(stage.worker.stop());
});

test.each([
  ["answers 500", FAILS],
  ["is silent", SILENT],
])("a refresh of the token that always %s holds up nobody, however many wait", async (_name, outcome) => {
  const stage = await staged(30);
  const { world, keys } = stage;
  stage.stick(({ operation, refreshToken }) => operation === "token" && refreshToken !== null, outcome);
  const ended = { refreshToken: new Secret("stuck"), tokenExpiresAtMs: world.clock.nowMs() - 1 };
  await world.store.connections.update({ shop: SHOP }, ended);
  world.services.shipping.forget("connection-1");
  for (const index of keys.keys()) await stage.change(index, String(1_000 + index));
  await world.runFor(3 * MINUTE_MS);
  for (const index of keys.keys()) expect(stage.numberThere(index)).toBe(String(1_000 + index));
  await world.clock.runWhile(stage.worker.stop());
});

/** The form of a location's template is sent with another reference. */
async function editByHand({ world, stuckId }: Stage, reference: string): Promise<void> {
  const base = structuredClone(world.account.templates.get(stuckId)!);
  const { alias_name, address_type, address } = base;
  const draft = { alias_name, address_type, address_attributes: { ...address, reference } };
  const work = { draftId: "draft-1", operation: "update", templateId: stuckId, draft, base } as const;
  await world.clock.runWhile(submitDraft(world.services, { shop: SHOP, ...work }));
}

test("a change by hand that never goes through holds up no change of its template's location", async () => {
  const stage = await staged(2);
  const { world } = stage;
  stage.stick(({ operation, body }) => operation === "update" && JSON.stringify(body).includes("poison"));
  await editByHand(stage, "poison");
  // Hours later it is given up, with its last write unclear.
  for (const number of ["901", "902", "903"]) {
    await stage.change(0, number);
    await world.runFor(10 * MINUTE_MS);
    expect(stage.numberThere(0)).toBe(number);
    await world.runFor(100 * MINUTE_MS);
  }
  expect(await world.workItem("template", "draft-1")).toMatchObject({ state: "parked" });
  await world.clock.runWhile(stage.worker.stop());
});

test.each([
  ["another change by hand", "update"],
  ["its deletion by hand", "delete"],
] as const)("a location whose own write never goes through does not hold up %s", async (_name, operation) => {
  const stage = await staged(2);
  const { world, stuckId } = stage;
  stage.stick(({ operation: sent, body }) => sent === "update" && JSON.stringify(body).includes("666"));
  await stage.change(0, "666");
  // Hours later it is given up, with its last write unclear.
  for (const passedMs of [MINUTE_MS, 10 * HOUR_MS]) {
    await world.runFor(passedMs);
    await editByHand(stage, `Puerta ${passedMs}`);
    await world.runFor(20 * MINUTE_MS);
    expect(world.account.templates.get(stuckId)!.address.reference).toBe(`Puerta ${passedMs}`);
    await world.store.drafts.delete({ id: "draft-1" });
  }
  if (operation === "delete") {
    const deletion = { shop: SHOP, draftId: "draft-2", templateId: stuckId };
    await world.clock.runWhile(removeTemplate(world.services, deletion));
    await world.runFor(20 * MINUTE_MS);
    expect(world.account.templates.has(stuckId)).toBe(false);
  }
  await world.clock.runWhile(stage.worker.stop());
});

test("an origin that waits for a change by hand that keeps failing says so on its page", async () => {
  const stage = await staged(2);
  const { world, keys } = stage;
  const sinceMs = world.clock.nowMs();
  let sentMs = 0;
  stage.stick(({ operation, body }) => {
    const isIt = operation === "update" && JSON.stringify(body).includes("poison");
    if (isIt) sentMs = world.clock.nowMs();
    return isIt;
  });
  await editByHand(stage, "poison");
  await world.runFor(HOUR_MS);
  while (world.clock.nowMs() - sentMs > MINUTE_MS / 2) await world.runFor(10_000);
  await stage.change(0, "901");
  await world.runFor(10_000);
  const page = (await readOrigin(world.services, { shop: SHOP, locationId: keys[0]! }))!;
  expect(page).toMatchObject({ state: "waiting", reasonCode: "held", failure: { serviceMessage: WORDS } });
  expect(page.failure!.sinceMs! - sinceMs).toBeLessThan(2 * MINUTE_MS);
  await world.clock.runWhile(stage.worker.stop());
});

test("a change by hand behind a deletion that keeps failing looks again seldom, and is told with what it waits for", async () => {
  const stage = await staged(2, { policies: { carriers: [], onDelete: "delete" } });
  const { world, keys, stuckId } = stage;
  const sinceMs = world.clock.nowMs();
  stage.stick(({ operation }) => operation === "delete");
  world.shopify.remove(SHOP, keys[0]!);
  await stage.tell(1);
  await world.runFor(MINUTE_MS);
  await editByHand(stage, "901");
  await world.runFor(HOUR_MS);
  const { fence } = await world.workItem("template", "draft-1");
  expect(fence).toBeLessThan(90);
  const { troubles } = await homeOf(stage);
  const held = { code: "held", serviceMessage: WORDS };
  expect(troubles).toMatchObject([{ trouble: "held", count: 1, failure: held }]);
  expect(troubles[0]!.failure.sinceMs! - sinceMs).toBeLessThan(2 * MINUTE_MS);
  const page = (await readTemplate(world.services, { shop: SHOP, templateId: stuckId }))!;
  expect(page.change).toMatchObject(held);
  world.outcomeOf = () => PROMPT;
  await world.runFor(30 * MINUTE_MS);
  expect((await homeOf(stage)).troubles).toEqual([]);
  expect(await world.store.drafts.find({ id: "draft-1" })).toMatchObject({ outcome: { kind: "gone" } });
  await world.clock.runWhile(stage.worker.stop());
});

test("a change by hand that does not go through is on Home", async () => {
  const stage = await staged(2);
  const { world } = stage;
  const provider = { alias_name: "Proveedor", address_type: "from", address_attributes: { street1: "Calle 1" } };
  const base = world.account.byPerson.add(provider);
  stage.stick(({ operation, templateId }) => operation === "get" && templateId === base.id);
  const draft = { ...provider, address_attributes: { street1: "Calle 2" } };
  const work = { draftId: "draft-1", operation: "update", templateId: base.id, draft, base } as const;
  await world.clock.runWhile(submitDraft(world.services, { shop: SHOP, ...work }));
  await world.runFor(15 * MINUTE_MS);
  expect((await homeOf(stage)).troubles).toMatchObject([
    { trouble: "template", count: 1, failure: { serviceMessage: WORDS } },
  ]);
  await world.clock.runWhile(stage.worker.stop());
});

test("a template that cannot be deleted is on Home, though its location is gone", async () => {
  const stage = await staged(2, { policies: { carriers: [], onDelete: "delete" } });
  const { world, keys } = stage;
  stage.stick(({ operation }) => operation === "delete");
  world.shopify.remove(SHOP, keys[0]!);
  await stage.tell(1);
  await world.runFor(15 * MINUTE_MS);
  expect((await homeOf(stage)).needs).toMatchObject([
    { need: "parked", count: 1, origins: [{ name: "Bodega 1" }], failure: { serviceMessage: WORDS } },
  ]);
  await world.clock.runWhile(stage.worker.stop());
});

test("locations that cannot be read from Shopify are on Home", async () => {
  const stage = await staged(1);
  const { world } = stage;
  world.shopify.trouble = () => ({ delayMs: 5, fails: true });
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  await world.runFor(15 * MINUTE_MS);
  expect((await homeOf(stage)).troubles).toMatchObject([
    { trouble: "locations", failure: { code: "shopify_unavailable", serviceMessage: null } },
  ]);
  await world.clock.runWhile(stage.worker.stop());
});
