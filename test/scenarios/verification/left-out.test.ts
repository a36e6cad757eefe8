import { describe, expect, test } from "vitest";
import { readOrigin } from "../../../app/pages/read-origin.ts";
import { canonicalAddress } from "../../../app/domain/address/compare.ts";
import type { AddressTemplate } from "../../../app/domain/records.ts";
import { newVerification, wanting } from "../../../app/domain/verification/verification.ts";
import { SHOP } from "../../fakes/records.ts";
import type { Operation } from "../../fakes/shipping/network.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/** Answers that leave out what the carriers say of a template. The old verdict, shown again, is no answer about a new address. */

const HOUR_MS = 3_600_000;

let world: World;
let key: string;
let templateId: string;

/** An origin that a carrier has approved, and that says the same word under the same id whenever it is asked. */
async function approved() {
  const policies = { carriers: ["fedex"], verifyAfterChange: true };
  world = await createWorld({ habits: { repeatsItself: true }, policies });
  key = await world.addLocation(1);
  world.start();
  await world.requestWork("location", key);
  world.services.wake();
  await world.runFor(60_000);
  templateId = (await world.store.links.find({ shop: SHOP }))!.templateId;
  world.account.setVerdict(templateId, "fedex", "approved");
  await world.runFor(HOUR_MS);
  expect(await told()).toMatchObject({ state: "ready", outcome: "accepted", stale: false });
  world.calls.length = 0;
}

async function told() {
  const { state, standings } = (await readOrigin(world.services, { shop: SHOP, locationId: key }))!;
  const [{ outcome, stale, question }] = standings as [(typeof standings)[0]];
  return { state, outcome, stale, question };
}

async function move(runMs: number) {
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "888" }) }));
  await world.requestWork("location", key);
  world.services.wake();
  await world.runFor(runMs);
}

const without = ({ verified_carriers: _said, ...rest }: AddressTemplate): unknown => rest;
const LEFT_OUT: [string, (template: AddressTemplate) => unknown][] = [
  ["are missing", without],
  ["are null", (template) => ({ ...template, verified_carriers: null })],
  ["are none", (template) => ({ ...template, verified_carriers: [] })],
];

describe.each(LEFT_OUT)("where the carriers %s", (_, leaveOut) => {
  test.each<Operation[][]>([[["update"]], [["verify"]], [["update", "verify"]]])(
    "in each answer to a write (%j), the verdict on the address before is stale, and no answer",
    async (operations) => {
      await approved();
      world.malformed.set(templateId, (template, operation) =>
        operations.includes(operation) ? leaveOut(template) : template,
      );
      await move(3 * HOUR_MS);
      expect(world.calls).toContain("verify");
      expect(await told()).toEqual({ state: "verifying", outcome: "accepted", stale: true, question: "asked" });
      world.account.setVerdict(templateId, "fedex", "rejected");
      await world.runFor(5 * HOUR_MS);
      expect(await told()).toMatchObject({ outcome: "refused", stale: false, question: null });
    },
  );

  test.each([
    ["while they are asked", 0],
    ["after they were asked", 5_000],
  ])("for half a minute %s, so it is, too", async (_when, afterMs) => {
    await approved();
    if (afterMs === 0) world.malformed.set(templateId, leaveOut);
    await move(afterMs);
    world.malformed.set(templateId, leaveOut);
    await world.runFor(30_000);
    expect(world.calls).toContain("verify");
    world.malformed.clear();
    await world.runFor(3 * HOUR_MS);
    expect(await told()).toEqual({ state: "verifying", outcome: "accepted", stale: true, question: "asked" });
  });
});

test("what a carrier said while the app could not ask is no answer about a new address", async () => {
  const policies = { carriers: ["fedex"], verifyAfterChange: false };
  world = await createWorld({ habits: { repeatsItself: true }, policies });
  key = await world.addLocation(1);
  world.start();
  await world.requestWork("location", key);
  world.services.wake();
  await world.runFor(60_000);
  templateId = (await world.store.links.find({ shop: SHOP }))!.templateId;
  // The app is to ask, and cannot read the template. Somebody asks at the service meanwhile. The first reading that shows what the carrier said
  // is the one on which the next update is planned.
  const nowMs = world.clock.nowMs();
  const fresh = newVerification(
    { shop: SHOP, connectionId: "connection-1", templateId, carrier: "fedex" },
    "wanted",
    nowMs,
  );
  const { address } = world.account.templates.get(templateId)!;
  await world.store.verifications.insert(wanting(fresh, canonicalAddress(address), nowMs));
  world.account.verify(templateId, ["fedex"]);
  world.account.setVerdict(templateId, "fedex", "approved");
  const { policies: kept } = (await world.store.shops.find({ shop: SHOP }))!;
  await world.store.shops.update({ shop: SHOP }, { policies: { ...kept, verifyAfterChange: true } });
  world.malformed.set(templateId, (template, operation) =>
    operation === "update" || operation === "verify" ? without(template) : template,
  );
  world.calls.length = 0;
  await move(3 * HOUR_MS);
  expect(world.calls).toContain("verify");
  expect(await told()).toMatchObject({ question: "asked" });
  expect((await told()).outcome).not.toBe("accepted");
});

test("it costs no call more", async () => {
  await approved();
  await move(3_000);
  expect(world.calls).toEqual(["get", "update", "verify"]);
  await approved();
  world.malformed.set(templateId, (template, operation) => (operation === "update" ? without(template) : template));
  await move(3_000);
  expect(world.calls).toEqual(["get", "update", "verify"]);
});
