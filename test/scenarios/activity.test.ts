import { beforeEach, describe, expect, test } from "vitest";
import type { ActivityRecord } from "../../app/domain/records.ts";
import { connectAccount } from "../../app/account/connect-account.ts";
import { deleteOriginTemplate } from "../../app/origins/delete-origin-template.ts";
import { disconnectAccount } from "../../app/account/disconnect-account.ts";
import { refreshAddressBook } from "../../app/book/refresh-address-book.ts";
import { removeTemplate } from "../../app/origins/remove-template.ts";
import { requestVerification } from "../../app/verification/request-verification.ts";
import { readActivity } from "../../app/pages/read-activity.ts";
import { ALL_ACTIVITY } from "../../app/views/activity.ts";
import type { ActivityQuery } from "../../app/views/activity.ts";
import { readOriginFacts } from "../../app/readings/read-origin-facts.ts";
import { whoDidIt } from "../../app/i18n/entry-words.ts";
import { activityRecord, addressTemplate, linkRecord, locationRecord, SHOP } from "../fakes/records.ts";
import type { Operation } from "../fakes/shipping/network.ts";
import { createMovingStage } from "../moves/stage.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** What the app writes down of what it did: enough to ask the service's support about it, and no secret. */

const FIRST_SECRET = "client-secret-1";
const NEW_SECRET = "reader-of-tests 2, a new secret";

let world: World;
let locationId: string;

const lines = (where: Partial<Pick<ActivityRecord, "kind" | "carrier">> = {}) =>
  world.store.activity.list({ shop: SHOP, ...where }, { orderBy: { atMs: "asc" } });

const requestsOf = (operation: Operation): string[] =>
  world.requests.filter((one) => one.operation === operation).map(({ requestId }) => requestId);

async function moveLocation(): Promise<void> {
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "999" }) }));
  await world.requestWork("location", locationId);
  world.services.wake();
  await world.runFor();
}

async function askFedexAndDhl(): Promise<void> {
  const { templateId } = (await world.store.links.find({ shop: SHOP, locationId }))!;
  await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex", "dhl"] });
  world.services.wake();
  await world.runFor(120_000);
}

/** How the service says no; it repeats whatever it was sent. */
function refusal(words: string) {
  return { status: 422, body: JSON.stringify({ message: words, error: words, code: words }) };
}

async function start(refusing: string[], words = "unsupported_carrier"): Promise<void> {
  world = await createWorld({ habits: { refuses: refusing, refusal: refusal(words) } });
  locationId = await world.addLocation(1);
  world.start();
  await world.runFor(120_000);
}

test("what carriers answer of the address that a location moves to is told with that location", async () => {
  const stage = await createMovingStage();
  const { templateId } = await stage.plan();
  await stage.world.runFor(120_000);
  const { entries } = (await readActivity(stage.world.services, { shop: SHOP, query: ALL_ACTIVITY }))!;
  const answers = entries.filter((one) => one.templateId === templateId && one.kind.startsWith("verification_"));
  const { name } = (await stage.world.store.locations.find(stage.own))!;
  expect(new Set(answers.map(({ locationName }) => locationName))).toEqual(new Set([name]));
});

describe("a write at the service", () => {
  beforeEach(() => start(["dhl"]));

  test("is told with its actor, its location, its request's id and its outcome", async () => {
    await moveLocation();
    await askFedexAndDhl();
    const deleted = deleteOriginTemplate(world.services, { shop: SHOP, locationId, draftId: "draft-1" });
    await world.clock.runWhile(deleted);
    await world.runFor();

    const expected: [kind: string, operation: Operation, told: Pick<ActivityRecord, "actor" | "outcome">][] = [
      ["template_created", "create", { actor: "sync", outcome: "done" }],
      ["template_updated", "update", { actor: "sync", outcome: "done" }],
      ["verification_asked", "verify", { actor: "sync", outcome: "waiting" }],
      ["template_deleted", "delete", { actor: "owner", outcome: "done" }],
    ];
    for (const [kind, operation, told] of expected) {
      const [line, ...more] = await lines({ kind });
      expect([kind, more.length, line]).toMatchObject([kind, 0, { ...told, locationId }]);
      expect(requestsOf(operation), kind).toContain(line!.requestId);
    }
    expect((await lines({ kind: "template_updated" }))[0]!.fields).toContainEqual({
      field: "street_number",
      from: "101",
      to: "999",
    });
  });

  test("made by hand tells the address by its name, also once it is deleted", async () => {
    const template = world.account.byPerson.add({
      ...{ alias_name: "Proveedor", address_type: "from", default: false },
      address_attributes: addressTemplate().address,
    });
    await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
    const work = removeTemplate(world.services, { shop: SHOP, templateId: template.id, draftId: "draft-2" });
    await world.clock.runWhile(work);
    await world.runFor();
    const line = (await lines({ kind: "template_deleted" })).at(-1);
    expect(line).toMatchObject({ actor: "owner", locationId: null, locationName: "Proveedor" });
  });

  test("that somebody asked for is told with the person, once for each carrier that is asked by it", async () => {
    const asked = { ...world.services, staffId: "42" };
    const { templateId } = (await world.store.links.find({ shop: SHOP, locationId }))!;
    const press = () => requestVerification(asked, { shop: SHOP, templateId, carriers: ["fedex", "dhl"] });
    await press();
    await press();
    const told = await lines({ kind: "verification_wanted" });
    expect(told.map(({ carrier }) => carrier)).toEqual(["fedex", "dhl"]);
    for (const line of told)
      expect(line).toMatchObject({ actor: "owner", staffId: "42", outcome: "noted", locationId, templateId });
    world.services.wake();
    await world.runFor(120_000);
    expect(await lines({ kind: "verification_asked" })).toMatchObject([{ actor: "sync", staffId: null }]);
  });

  test("that was refused tells the refusal's own request", async () => {
    await askFedexAndDhl();
    const line = (await lines({ carrier: "dhl" })).at(-1);
    expect(line).toMatchObject({ kind: "verification_not_offered", outcome: "noted", locationId });
    expect(requestsOf("verify")).toContain(line!.requestId);
  });
});

describe("the activity's page", () => {
  const DAY = "2027-01-15";
  const DAYS = { from: Date.parse(`${DAY}T00:00-06:00`), to: Date.parse(`${DAY}T24:00-06:00`) };
  const ROWS: Partial<ActivityRecord>[] = [
    { id: "before", atMs: DAYS.from - 1, kind: "drift" },
    { id: "first", atMs: DAYS.from, kind: "verification_asked", locationId: "a" },
    { id: "refused", atMs: DAYS.to - 1, kind: "verification_refused", outcome: "failed", locationId: "b" },
    { id: "after", atMs: DAYS.to, kind: "job_sync" },
  ];

  test.for<[string, Partial<ActivityQuery>, string[]]>([
    ["everything", {}, ["after", "refused", "first", "before"]],
    ["a day, as the shop has it", { from: DAY, to: DAY }, ["refused", "first"]],
    ["from a day on", { from: DAY }, ["after", "refused", "first"]],
    ["until a day", { to: DAY }, ["refused", "first", "before"]],
    ["days the wrong way round", { from: "2027-01-16", to: "2027-01-14" }, []],
    ["what is no day", { from: "2027-02-30" }, ["after", "refused", "first", "before"]],
    ["a topic", { topic: "verification" }, ["refused", "first"]],
    ["a place", { locationId: "a" }, ["first"]],
    ["a carrier's refusal, as something with a problem", { outcome: "failed" }, ["refused"]],
    ["several at once", { topic: "verification", locationId: "b", from: DAY }, ["refused"]],
  ])("shows %s", async ([_what, asked, expected]) => {
    world = await createWorld();
    for (const row of ROWS) await world.store.activity.insert(activityRecord(row));
    const query = { ...ALL_ACTIVITY, ...asked };
    const view = (await readActivity(world.services, { shop: SHOP, query }))!;
    expect(view.entries.map(({ id }) => id)).toEqual(expected);
    expect(view.total).toBe(expected.length);
  });
});

describe("a line's location", () => {
  const deleted = { ...shopifyLocation(1), shop: SHOP, deletedAtMs: 5 };

  test.for<[string, { deleted: boolean; linked: boolean }, boolean]>([
    ["that Shopify has", { deleted: false, linked: false }, true],
    ["that Shopify deleted, still linked", { deleted: true, linked: true }, true],
    ["that Shopify deleted, not linked any more", { deleted: true, linked: false }, false],
  ])("%s", async ([_what, given, hasPage]) => {
    world = await createWorld();
    const { locationId } = deleted;
    await world.store.locations.insert(locationRecord({ ...deleted, deletedAtMs: given.deleted ? 5 : null }));
    const { id: connectionId } = (await world.store.connections.find({ shop: SHOP, current: true }))!;
    if (given.linked) await world.store.links.insert(linkRecord({ locationId, connectionId }));
    await world.store.activity.insert(activityRecord({ locationId, locationName: null }));
    const { entries } = (await readActivity(world.services, { shop: SHOP, query: ALL_ACTIVITY }))!;
    expect(entries).toMatchObject([{ locationName: "Bodega 1", legacyId: hasPage ? "1" : null }]);
    const facts = await readOriginFacts(world.services, { shop: SHOP, locationId });
    expect(facts!.origins).toHaveLength(hasPage ? 1 : 0);
  });
});

test.for(["drift", "conflict", "template_missing"])("of %s nobody is named, for it was somebody there", (kind) => {
  expect(whoDidIt(String, { kind, actor: "service", staffId: null })).toBeNull();
});

describe("no secret stands in the activity", () => {
  test("whatever the service repeats, and whoever changes the connection", async () => {
    await start(["dhl"], `no such carrier for ${FIRST_SECRET}`);
    await askFedexAndDhl();
    await moveLocation();
    const rotated = { environment: "test", clientId: "client-1", clientSecret: NEW_SECRET } as const;
    await world.clock.runWhile(
      connectAccount(world.services, { shop: SHOP, stated: { ...rotated, scope: null, redirectUri: null } }),
    );
    await world.runFor(120_000);
    const connection = (await world.store.connections.find({ shop: SHOP, current: true }))!;
    const tokens = [connection.accessToken?.reveal(), connection.refreshToken?.reveal()];
    world.accounts.delete("client-1");
    await world.requestWork("reconcile", "shop");
    await world.clock.runFor(3 * 3_600_000);
    await world.clock.runWhile(disconnectAccount(world.services, { shop: SHOP }));

    const told = await lines();
    expect(told.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining([
        "template_created",
        "verification_unknown",
        "template_updated",
        "credentials_changed",
        "connection_refused",
        "disconnected",
      ]),
    );
    const refused = told.find(({ kind }) => kind === "connection_refused")!;
    expect(refused).toMatchObject({ actor: "service", outcome: "failed" });
    expect(requestsOf("token")).toContain(refused.requestId);
    expect(tokens[0]).toMatch(/^token-of-client-1/);
    const all = JSON.stringify(told);
    for (const secret of [FIRST_SECRET, NEW_SECRET, ...tokens]) if (secret) expect(all).not.toContain(secret);
    expect(all).not.toContain("token-of-");
    expect(all).toContain("[redacted]");
  });
});
