import { beforeEach, expect, test } from "vitest";
import { NEVER_MS } from "../../../app/domain/backoff.ts";
import { canonicalAddress } from "../../../app/domain/address/compare.ts";
import { pauseOrigin } from "../../../app/origins/pause-origin.ts";
import { readHome } from "../../../app/pages/read-home.ts";
import { requestVerification } from "../../../app/verification/request-verification.ts";
import { SHOP } from "../../fakes/records.ts";
import type { CallOutcome } from "../../fakes/shipping/network.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/** Of a service that empties what an update does not name: carriers are asked about the whole address. */

const LOST: CallOutcome = { arrivesAfterMs: 20, effectAfterMs: null, answer: { kind: "reset", afterMs: 20 } };

const FAILS: CallOutcome = { arrivesAfterMs: 20, effectAfterMs: null, answer: { kind: "server_error", afterMs: 20 } };

let world: World;
let key: string;
let templateId: string;
/** The addresses that carriers were asked about. */
let askedAbout: string[];

const record = async () =>
  (await world.store.verifications.find({ connectionId: "connection-1", templateId, carrier: "fedex" }))!;
const addressThere = () => world.account.templates.get(templateId)!.address;

beforeEach(async () => {
  const policies = { verifyAfterChange: true, carriers: ["fedex"] };
  world = await createWorld({ habits: { wipes: true }, policies });
  key = await world.addLocation(1);
  world.start();
  await world.runFor(120_000);
  templateId = world.templateOf(key)!.id;
  world.account.setVerdict(templateId, "fedex", "approved");
  await world.runFor(600_000);
  expect((await record()).outcome).toBe("accepted");
  askedAbout = [];
  const { verify } = world.account;
  world.account.verify = (id, carriers, told) => {
    askedAbout.push(canonicalAddress(world.account.templates.get(id)!.address));
    return verify(id, carriers, told);
  };
});

async function change(over: Parameters<typeof shopifyLocation>[1], runMs = 30_000) {
  world.shopify.put(SHOP, shopifyLocation(1, over));
  await world.requestWork("location", key);
  world.services.wake();
  await world.runFor(runMs);
}

/** Loses the write that puts back what the one before it emptied. */
function losePuttingBack(): void {
  let updates = 0;
  world.outcomeOf = (operation) => (operation === "update" && (updates += 1) === 2 ? LOST : PROMPT);
}

/** The write that puts back what the one before it emptied always fails, and the owner asks a carrier. */
async function askWhileEmptied() {
  let updates = 0;
  world.outcomeOf = (operation) => (operation === "update" && (updates += 1) > 1 ? FAILS : PROMPT);
  await change({ address: mexicanAddress({ number: "101", phone: "+523311112222" }) });
  expect(addressThere().street1).toBe("");
  await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex"] });
  world.services.wake();
}

test("a change that leaves the place as it is keeps the verdict, and nobody is asked", async () => {
  await change({ address: mexicanAddress({ number: "101", phone: "+523311112222" }) }, 200);
  world.outcomeOf = (operation) => (operation === "update" ? { ...PROMPT, arrivesAfterMs: 4_000 } : PROMPT);
  await world.runFor(60_000);
  expect(addressThere()).toMatchObject({
    phone: expect.stringContaining("3311112222") as string,
    street_number: "101",
  });
  expect(askedAbout).toEqual([]);
  expect(await record()).toMatchObject({ outcome: "accepted", question: null });
});

test("a new address is asked about once it is whole", async () => {
  losePuttingBack();
  await change({ address: mexicanAddress({ number: "888" }) }, 60_000);
  expect(addressThere().street1).toBe("");
  expect(askedAbout).toEqual([]);
  expect(await world.workItem("verification", `connection-1:${templateId}`)).toMatchObject({
    reason: { code: "emptied" },
  });
  await world.runFor(300_000);
  expect(addressThere()).toMatchObject({ street1: "Avenida Vallarta", street_number: "888" });
  expect(askedAbout).toEqual([canonicalAddress(addressThere())]);
  expect(await record()).toMatchObject({ question: "asked", questionKey: canonicalAddress(addressThere()) });
});

test("one that its owner asks for waits, and Home says so, until the address is whole", async () => {
  await askWhileEmptied();
  await world.runFor(20 * 60_000);
  expect(await record()).toMatchObject({ outcome: "accepted", question: "wanted" });
  expect((await readHome(world.services, { shop: SHOP }))!.troubles).toContainEqual(
    expect.objectContaining({
      trouble: "verification",
      failure: expect.objectContaining({ code: "emptied", waits: true }) as unknown,
    }),
  );
  expect(askedAbout).toEqual([]);
  world.outcomeOf = () => PROMPT;
  await world.runFor(20 * 60_000);
  expect(addressThere().street1).toBe("Avenida Vallarta");
  expect(askedAbout).toEqual([canonicalAddress(addressThere())]);
  expect(await record()).toMatchObject({ outcome: "accepted", question: "asked" });
});

test("the answer to another question comes meanwhile", async () => {
  await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["dhl"] });
  world.services.wake();
  await world.runFor(5_000);
  await askWhileEmptied();
  world.account.setVerdict(templateId, "dhl", "rejected");
  await world.runFor(10 * 60_000);
  const dhl = await world.store.verifications.find({ connectionId: "connection-1", templateId, carrier: "dhl" });
  expect(dhl).toMatchObject({ outcome: "refused", question: null });
  expect(await record()).toMatchObject({ question: "wanted" });
});

test("where nobody is to put the address back, a carrier is asked about what stands there", async () => {
  await askWhileEmptied();
  await world.runFor(60_000);
  expect(askedAbout).toEqual([]);
  await pauseOrigin(world.services, { shop: SHOP, locationIds: [key], paused: true });
  await world.runFor(20 * 60_000);
  expect(askedAbout).toEqual([canonicalAddress(addressThere())]);
});

test("what may have been asked while it was emptied is no answer to the question about the whole: it is asked about anew", async () => {
  await askWhileEmptied();
  const baseline = [{ status: "approved", updateState: null, verificationId: "v1" }];
  await world.store.verifications.update({ templateId, carrier: "fedex" }, { polls: 1, baseline });
  await world.runFor(60_000);
  // A carrier that was asked about what was left answers.
  world.account.verify(templateId, ["fedex"]);
  world.account.setVerdict(templateId, "fedex", "approved");
  askedAbout.length = 0;
  world.outcomeOf = () => PROMPT;
  await world.runFor(20 * 60_000);
  expect(addressThere().street1).toBe("Avenida Vallarta");
  expect(askedAbout).toEqual([canonicalAddress(addressThere())]);
});

test("so it is where nobody knows whether it was asked before, and each look requests the location's run anew", async () => {
  await askWhileEmptied();
  await world.runFor(60_000);
  await pauseOrigin(world.services, { shop: SHOP, locationIds: [key], paused: true });
  const baseline = [{ status: "approved", updateState: null, verificationId: "v1" }];
  await world.store.verifications.update({ templateId, carrier: "fedex" }, { polls: 1, baseline });
  await world.runFor(20 * 60_000);
  expect(askedAbout).toEqual([canonicalAddress(addressThere())]);
});

test("one whose location's run a cancelled job left is not waited for: what the question reads asks for it anew", async () => {
  await askWhileEmptied();
  await world.runFor(60_000);
  await world.store.workItems.update({ shop: SHOP, key }, { dueAtMs: NEVER_MS });
  world.outcomeOf = () => PROMPT;
  await world.runFor(10 * 60_000);
  expect(addressThere().street1).toBe("Avenida Vallarta");
  expect(askedAbout).toEqual([canonicalAddress(addressThere())]);
});

test("one that waits is no probe: over a connection that rested, whoever calls comes next", async () => {
  await askWhileEmptied();
  await world.runFor(60_000);
  const restedUntilMs = world.clock.nowMs() - 1;
  await world.store.connections.update({ shop: SHOP }, { failures: 1, backoffUntilMs: restedUntilMs });
  await world.store.workItems.update({ shop: SHOP, kind: "location" }, { dueAtMs: world.clock.nowMs() + 3_600_000 });
  await world.store.workItems.update({ shop: SHOP, kind: "verification" }, { dueAtMs: restedUntilMs });
  const follows = () => world.workItem("verification", `connection-1:${templateId}`);
  const { fence } = await follows();
  world.services.wake();
  await world.runFor(3_000);
  expect((await follows()).fence).toBeGreaterThan(fence);
  expect((await world.store.connections.find({ shop: SHOP }))!.backoffUntilMs).toBe(restedUntilMs);
});

test("asked twice, a carrier is asked once about what stands there, and anew once somebody is to put it back", async () => {
  await askWhileEmptied();
  const pause = (paused: boolean) => pauseOrigin(world.services, { shop: SHOP, locationIds: [key], paused });
  const ask = async () => {
    await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex"] });
    world.services.wake();
    await world.runFor(60_000);
  };
  await pause(true);
  await world.runFor(20 * 60_000);
  await ask();
  expect(askedAbout).toHaveLength(1);
  await pause(false);
  await ask();
  expect(await record()).toMatchObject({ question: "wanted" });
});
