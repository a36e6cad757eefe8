import { beforeEach, describe, expect, test } from "vitest";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import { readOrigins } from "../../../app/pages/read-origins.ts";
import { refreshTemplate } from "../../../app/origins/refresh-origin.ts";
import { requestVerification } from "../../../app/verification/request-verification.ts";
import type { Worker } from "../../../app/worker/worker.ts";
import { SHOP } from "../../fakes/records.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World, WorldOptions } from "../../fakes/world.ts";
import { ALL_ORIGINS } from "../../../app/views/origins.ts";

let world: World;
let worker: Worker;
let templateId: string;

async function mapped(options: WorldOptions = {}, locations = 1) {
  world = await createWorld(options);
  for (let number = 1; number <= locations; number += 1) await world.addLocation(number);
  worker = world.start();
  await world.runFor(120_000);
  templateId = (await world.store.links.list({ shop: SHOP }))[0]!.templateId;
  world.calls.length = 0;
}

const record = async (carrier = "fedex") =>
  (await world.store.verifications.find({ connectionId: "connection-1", templateId, carrier }))!;

async function ask(carriers: string[], of = templateId) {
  await requestVerification(world.services, { shop: SHOP, templateId: of, carriers });
  world.services.wake();
  await world.runFor(3_000);
}

describe("a verification", () => {
  beforeEach(() => mapped());

  test("is asked, followed at growing intervals, and ends with the carrier's word", async () => {
    await ask(["fedex", "dhl"]);
    expect(world.calls).toEqual(["get", "verify"]);
    expect(await record()).toMatchObject({ outcome: "pending", status: "pending_to_send" });
    await world.runFor(3_600_000);
    const polls = world.calls.length;
    expect(polls).toBeLessThan(15);
    world.account.setVerdict(templateId, "fedex", "approved");
    world.account.setVerdict(templateId, "dhl", "rejected");
    await world.runFor(2 * 3_600_000);
    expect((await record()).outcome).toBe("accepted");
    expect((await record("dhl")).outcome).toBe("refused");
    const answered = world.calls.length;
    await world.runFor(5 * 3_600_000);
    expect(world.calls.slice(answered).filter((call) => call === "get")).toEqual([]);
    expect((await record()).timeline.map(({ outcome }) => outcome)).toEqual([
      "wanted",
      "pending",
      "pending",
      "accepted",
    ]);
    await world.clock.runWhile(worker.stop());
  });

  test("is measured against a reading of its own, for a list may be behind", async () => {
    await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
    world.calls.length = 0;
    await ask(["fedex"]);
    expect(world.calls).toEqual(["get", "verify"]);
    await world.clock.runWhile(worker.stop());
  });

  test("asked ten times is one", async () => {
    for (let press = 0; press < 10; press += 1) await ask(["fedex"]);
    expect(world.calls.filter((call) => call === "verify")).toHaveLength(1);
    await world.clock.runWhile(worker.stop());
  });

  test("of what the account said before is no new answer, and the verdict on the same address stands", async () => {
    await ask(["fedex"]);
    world.account.setVerdict(templateId, "fedex", "approved");
    await world.runFor(120_000);
    expect((await record()).outcome).toBe("accepted");
    world.account.verify = (id) => world.account.templates.get(id) ?? null;
    await ask(["fedex"]);
    expect(await record()).toMatchObject({ outcome: "accepted", question: "asked" });
    await world.runFor(8 * 24 * 3_600_000);
    expect(await record()).toMatchObject({ outcome: "accepted", question: null });
    await world.clock.runWhile(worker.stop());
  });

  test("of a word nobody knows is quoted and never ready", async () => {
    await ask(["fedex"]);
    world.account.setVerdict(templateId, "fedex", "en_orbita");
    await world.runFor(60_000);
    expect(await record()).toMatchObject({ outcome: "unknown", status: "en_orbita" });
    await world.clock.runWhile(worker.stop());
  });

  test("reads what a person said in the template meanwhile, and the origin tells of it", async () => {
    world.account.byPerson.edit(templateId, "reference", "Por atrás", world.clock.nowMs());
    await ask(["fedex"]);
    const [link] = await world.store.links.list({ shop: SHOP });
    expect(link!.differences).toMatchObject([{ field: "reference", kind: "drift", theirs: "Por atrás" }]);
    const requested = await world.store.workItems.find({ shop: SHOP, kind: "location" });
    await world.runFor(120_000);
    // What is shown already is no news at the next look.
    expect(await world.store.workItems.find({ shop: SHOP, kind: "location" })).toMatchObject({
      generation: requested!.generation,
    });
    await world.clock.runWhile(worker.stop());
  });

  test("is about the address that stands there when it is asked, so that a verdict on it stands", async () => {
    await ask(["fedex"]);
    world.account.setVerdict(templateId, "fedex", "approved");
    await world.runFor(3_600_000);
    const before = await record();
    const { street1 } = world.account.templates.get(templateId)!.address;
    world.account.byPerson.edit(templateId, "street1", "Calle Nueva", world.clock.nowMs());
    await world.clock.runWhile(refreshTemplate(world.services, { shop: SHOP, templateId, force: true }));
    world.account.byPerson.edit(templateId, "street1", street1!, world.clock.nowMs());
    await ask(["fedex"]);
    expect(await record()).toMatchObject({ outcome: "accepted", question: "asked", questionKey: before.addressKey });
    await world.clock.runWhile(worker.stop());
  });

  test.each([
    { origin: "an origin in use", away: {} },
    { origin: "an origin that no run compares with its template", away: { paused: true } },
  ])("is stale in the list, too, once somebody changed the address of $origin there", async ({ away }) => {
    await ask(["fedex"]);
    world.account.setVerdict(templateId, "fedex", "approved");
    await world.runFor(120_000);
    await world.store.details.update({ shop: SHOP }, away);
    world.account.byPerson.edit(templateId, "street1", "Calle Nueva", world.clock.nowMs());
    await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
    await world.runFor(3_000);
    const query = ALL_ORIGINS;
    const list = await readOrigins(world.services, { shop: SHOP, query });
    expect(list!.rows[0]!.standings).toContainEqual(
      expect.objectContaining({ carrier: "fedex", outcome: "accepted", stale: true }),
    );
    await world.clock.runWhile(worker.stop());
  });

  test("of a template that was deleted ends, and its location is looked at", async () => {
    await ask(["fedex"]);
    world.account.byPerson.remove(templateId);
    await world.runFor(180_000);
    expect(await world.store.verifications.count({ shop: SHOP })).toBe(0);
    expect((await world.store.links.find({ shop: SHOP }))!.missingSinceMs).not.toBeNull();
    await world.clock.runWhile(worker.stop());
  });
});

test("a carrier that does not verify is set apart and holds up nobody", async () => {
  await mapped({ habits: { refuses: ["dhl"] } });
  await ask(["fedex", "dhl"]);
  await world.runFor(5_000);
  expect(world.calls.filter((call) => call === "verify")).toHaveLength(3);
  expect((await record()).outcome).toBe("pending");
  expect(await record("dhl")).toMatchObject({ outcome: "not_offered", status: "CARRIER_VERIFICATION_NOT_ENABLED" });
  await world.clock.runWhile(worker.stop());
});

test.each([
  [`{"success":false,"message":null}`, "HTTP 422"],
  ["<html>Unprocessable</html>", "HTTP 422"],
  [`{"errors":{"carriers":["no disponible hoy"]}}`, "carriers: no disponible hoy"],
])("a refusal of %s is told by what there is to tell: %s", async (body, status) => {
  await mapped({ habits: { refuses: ["dhl"], refusal: { status: 422, body } } });
  await ask(["dhl"]);
  await world.runFor(5_000);
  expect(await record("dhl")).toMatchObject({ outcome: "unknown", status });
  await world.clock.runWhile(worker.stop());
});

test("a change of the address asks again where the policy says so; a new name does not", async () => {
  await mapped({ policies: { verifyAfterChange: true, carriers: ["fedex"] } });
  world.account.setVerdict(templateId, "fedex", "approved");
  await world.runFor(600_000);
  expect((await record()).outcome).toBe("accepted");
  const [location] = await world.store.locations.list({ shop: SHOP });
  world.calls.length = 0;
  world.shopify.put(SHOP, shopifyLocation(1, { name: "Otra" }));
  await world.requestWork("location", location!.locationId);
  world.services.wake();
  await world.runFor();
  expect(world.calls).toEqual(["get", "update"]);
  world.shopify.put(SHOP, shopifyLocation(1, { name: "Otra", address: mexicanAddress({ number: "888" }) }));
  await world.requestWork("location", location!.locationId);
  world.services.wake();
  await world.runFor(4_000);
  expect(world.calls.slice(2)).toEqual(["get", "update", "verify"]);
  expect((await record()).outcome).toBe("pending");
  await world.clock.runWhile(worker.stop());
});

test("many that wait share list pages instead of a GET each", async () => {
  await mapped({}, 12);
  for (const link of await world.store.links.list({ shop: SHOP })) {
    await requestVerification(world.services, { shop: SHOP, templateId: link.templateId, carriers: ["fedex"] });
  }
  world.services.wake();
  await world.runFor(120_000);
  world.calls.length = 0;
  await world.runFor(24 * 3_600_000);
  const gets = world.calls.filter((call) => call === "get").length;
  expect(world.calls.filter((call) => call === "list").length).toBeGreaterThan(0);
  // A GET for each would be a hundred and more.
  expect(gets).toBeLessThan(24);
  await world.clock.runWhile(worker.stop());
});

test("several that were asked together have their verdicts within seconds: no list answers for what was asked a moment ago", async () => {
  await mapped({}, 5);
  const ids = (await world.store.links.list({ shop: SHOP })).map((link) => link.templateId);
  for (const id of ids) await requestVerification(world.services, { shop: SHOP, templateId: id, carriers: ["fedex"] });
  world.services.wake();
  await world.runFor(10_000);
  for (const id of ids) world.account.setVerdict(id, "fedex", "approved");
  await world.runFor(45_000);
  const records = await world.store.verifications.list({ shop: SHOP, carrier: "fedex" });
  expect(records.map(({ outcome }) => outcome)).toEqual(ids.map(() => "accepted"));
  await world.clock.runWhile(worker.stop());
});
