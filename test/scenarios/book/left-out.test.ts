import { describe, expect, test } from "vitest";
import { setUnclearAside } from "../../../app/account/pass-writes-over.ts";
import { submitDraft } from "../../../app/by-hand/submit-draft.ts";
import { versionOf } from "../../../app/domain/plan/template-version.ts";
import { linkOrigin } from "../../../app/origins/link-origin.ts";
import { readHome } from "../../../app/pages/read-home.ts";
import { SUPPLIER } from "../../fakes/by-hand.ts";
import { pendingWriteRecord, SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome, ServiceRequest } from "../../fakes/shipping/network.ts";
import { EMPTY_LIST, listOf, REPLY_LOST, REQUEST_LOST } from "../../fakes/shipping/outcomes.ts";
import { createWorld, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";
import { expectCheap, FAILS, homeOf, HOUR_MS, MINUTE_MS, staged } from "../worker/stuck-stage.ts";
import type { Stage } from "../worker/stuck-stage.ts";

const DAY_MS = 24 * HOUR_MS;

/**
 * A list that leaves out templates that are there, for good, and whose counts agree with what it shows.
 *
 * Long, because each way in which a create may lose its trace under such a list is played to its end.
 */

type Lists = (stage: Stage) => CallOutcome;

const EMPTY: Lists = () => EMPTY_LIST;
/** The oldest twenty, and not a word of a second page. */
const FIRST_PAGE: Lists = ({ world }) => listOf([...world.account.templates.values()].slice(0, 20));

function listsSay(stage: Stage, lists: Lists, operation: ServiceRequest["operation"] = "create"): void {
  let hasCreated = false;
  stage.world.outcomeOf = (asked, { perPage }) => {
    if (asked === "list") return perPage === 1 ? PROMPT : lists(stage);
    if (asked !== operation || hasCreated) return PROMPT;
    hasCreated = true;
    return REPLY_LOST;
  };
}

const isAskedOf = (requests: Stage["world"]["requests"], id: string) =>
  requests.some(({ operation, templateId }) => operation === "get" && templateId === id);

describe("a location's create that ended unclear is not made twice, and its owner is told", () => {
  test.each<[string, number, Lists]>([
    ["the list is empty", 5, EMPTY],
    ["the list is empty, and one template is all that is known", 1, EMPTY],
    ["the list shows the first page alone", 25, FIRST_PAGE],
  ])("%s", async (_what, locations, lists) => {
    const stage = await staged(locations);
    const { world } = stage;
    listsSay(stage, lists);
    const sinceMs = world.clock.nowMs();
    const locationId = await world.addLocation(90);
    await stage.tell(90);
    await world.runFor(15 * MINUTE_MS);
    const { needs } = await homeOf(stage);
    expect(needs).toMatchObject([{ need: "parked", failure: { code: "unreadable" }, origins: [{ legacyId: "90" }] }]);
    await world.runFor(DAY_MS);
    expect(world.account.duplicates()).toBe(0);
    expect(world.requests.filter(({ atMs }) => atMs < sinceMs + HOUR_MS).length).toBeLessThan(locations * 5 + 100);
    world.outcomeOf = () => PROMPT;
    await world.runFor(HOUR_MS);
    expect(world.account.duplicates()).toBe(0);
    expect(await world.store.links.count({ shop: SHOP, locationId })).toBe(1);
    await world.clock.runWhile(stage.worker.stop());
  });

  test("where all that is known of the account is somebody else's", async () => {
    const stage = await staged(1);
    const { world } = stage;
    await world.store.details.update({ locationId: stage.keys[0]! }, { inclusion: "never" });
    await world.store.links.delete({ shop: SHOP });
    world.account.delete(stage.stuckId);
    for (let number = 0; number < 5; number += 1)
      world.account.create({ ...SUPPLIER, alias_name: `Cliente ${number}` });
    await world.requestWork("reconcile", "shop");
    world.services.wake();
    await world.runFor(2 * MINUTE_MS);
    listsSay(stage, EMPTY);
    const sinceMs = world.clock.nowMs();
    await world.addLocation(90);
    await stage.tell(90);
    await world.runFor(HOUR_MS);
    expect(world.requests.filter(({ atMs }) => atMs >= sinceMs).length).toBeLessThanOrEqual(120);
    await world.runFor(DAY_MS);
    expect(world.account.duplicates()).toBe(0);
    const { needs } = await homeOf(stage);
    expect(needs).toMatchObject([{ need: "parked", failure: { code: "unreadable" }, origins: [{ legacyId: "90" }] }]);
    await world.clock.runWhile(stage.worker.stop());
  });
});

test("a create that nobody followed, because another account came into use, is not made twice", async () => {
  const stage = await staged(1);
  const { world } = stage;
  world.outcomeOf = (asked, { perPage }) => (asked === "list" && perPage !== 1 ? EMPTY(stage) : PROMPT);
  await world.store.connections.update({ shop: SHOP }, { bookReadAtMs: null, bookConfirmedAtMs: null });
  const sinceMs = world.clock.nowMs();
  const locationId = await world.addLocation(90);
  const { id: connectionId } = (await world.store.connections.find({ shop: SHOP, current: true }))!;
  const create = { connectionId, locationId, operation: "create", payload: SUPPLIER } as const;
  await setUnclearAside(world.store, pendingWriteRecord(create));
  await stage.tell(90);
  await world.runFor(HOUR_MS);
  expect(world.requests.filter(({ operation, atMs }) => operation === "create" && atMs >= sinceMs)).toEqual([]);
  expect(world.requests.filter(({ atMs }) => atMs >= sinceMs).length).toBeLessThanOrEqual(120);
  const { needs } = await homeOf(stage);
  expect(needs).toMatchObject([{ need: "parked", failure: { code: "unreadable" }, origins: [{ legacyId: "90" }] }]);
  world.outcomeOf = () => PROMPT;
  await world.runFor(20 * MINUTE_MS);
  expect(await world.store.links.count({ shop: SHOP, locationId })).toBe(1);
  expect(await world.store.details.find({ shop: SHOP, locationId })).toMatchObject({ inVain: [] });
  await world.clock.runWhile(stage.worker.stop());
});

test("what such a create made is taken, and not made again, once the list shows it", async () => {
  const stage = await staged(1);
  const { world } = stage;
  const locationId = await world.addLocation(90);
  await stage.tell(90);
  await world.runFor(5 * MINUTE_MS);
  const [link] = await world.store.links.list({ shop: SHOP, locationId });
  const { templateId } = link!;
  // As it is left when another account comes into use before its answer, and the list is broken when this one is in use again.
  world.outcomeOf = (asked, { perPage }) => (asked === "list" && perPage !== 1 ? EMPTY(stage) : PROMPT);
  await world.store.links.delete({ shop: SHOP, locationId });
  await world.store.templates.delete({ shop: SHOP, templateId });
  await world.store.connections.update({ shop: SHOP }, { bookReadAtMs: null, bookConfirmedAtMs: null });
  const { id: connectionId } = (await world.store.connections.find({ shop: SHOP, current: true }))!;
  const create = { connectionId, locationId, operation: "create", payload: link!.sent } as const;
  await setUnclearAside(world.store, pendingWriteRecord(create));
  await stage.tell(90);
  await world.runFor(10 * MINUTE_MS);
  expect(await world.store.links.count({ shop: SHOP, locationId })).toBe(0);
  world.outcomeOf = () => PROMPT;
  await world.runFor(HOUR_MS);
  expect(await world.store.links.list({ shop: SHOP, locationId })).toMatchObject([{ templateId }]);
  expect(world.account.duplicates()).toBe(0);
  await world.clock.runWhile(stage.worker.stop());
});

test("a location that failed at the list looks again as soon as a look at everything has read it", async () => {
  const stage = await staged(1);
  const { world } = stage;
  listsSay(stage, EMPTY);
  const locationId = await world.addLocation(90);
  await stage.tell(90);
  await world.runFor(15 * MINUTE_MS);
  expect(await world.workItem("location", locationId)).toMatchObject({ reason: { code: "unreadable" } });
  expect((await world.workItem("location", locationId)).dueAtMs).toBeGreaterThan(world.clock.nowMs() + 4 * MINUTE_MS);
  world.outcomeOf = () => PROMPT;
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  await world.runFor(2 * MINUTE_MS);
  expect(await world.store.links.count({ shop: SHOP, locationId })).toBe(1);
  expect(world.account.duplicates()).toBe(0);
  await world.clock.runWhile(stage.worker.stop());
});

test("a book that was never seen is contradicted by the first template that is made in it", async () => {
  const world = await createWorld({ policies: { carriers: [] } });
  let creates = 0;
  world.outcomeOf = (operation, { perPage }) => {
    if (operation === "list") return perPage === 1 ? PROMPT : EMPTY_LIST;
    if (operation !== "create") return PROMPT;
    creates += 1;
    return creates <= 3 ? REPLY_LOST : PROMPT;
  };
  for (const number of [1, 2, 3]) await world.addLocation(number);
  const died = world.boot();
  await world.runFor(15_000);
  expect(creates).toBe(3);
  died.kill();
  await world.clock.runWhile(died.worker.stop());
  // A process that begins counts all three quarantines from its beginning, so the same two listings follow them all.
  const { worker } = world.boot();
  await world.runFor(HOUR_MS);
  // Nothing told that the first was made: no template was known that the list could leave out.
  expect(world.account.duplicates()).toBe(1);
  expect(await world.store.links.count({ shop: SHOP })).toBe(1);
  const { needs } = (await readHome(world.services, { shop: SHOP }))!;
  expect(needs).toMatchObject([{ need: "parked", failure: { code: "unreadable" }, origins: [{}, {}] }]);
  world.outcomeOf = () => PROMPT;
  await world.runFor(HOUR_MS);
  expect(world.account.duplicates()).toBe(1);
  expect(await world.store.links.count({ shop: SHOP })).toBe(3);
  await world.clock.runWhile(worker.stop());
});

test("a create is not made twice where the GETs of what the list leaves out fail for some minutes", async () => {
  const stage = await staged(1);
  const { world } = stage;
  listsSay(stage, EMPTY);
  const { outcomeOf } = world;
  world.outcomeOf = (operation, asked) => (operation === "get" ? REPLY_LOST : outcomeOf(operation, asked));
  await world.addLocation(90);
  await stage.tell(90);
  await world.runFor(4 * MINUTE_MS);
  world.outcomeOf = outcomeOf;
  await world.runFor(HOUR_MS);
  expect(world.account.duplicates()).toBe(0);
  await world.clock.runWhile(stage.worker.stop());
});

test("what a create may have made is not forgotten where its owner links another template meanwhile", async () => {
  const stage = await staged(2, { policies: { carriers: [], onDeactivate: "delete" } });
  const { world } = stage;
  const other = world.account.create({ ...SUPPLIER, alias_name: "Otra" });
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  await world.runFor(2 * MINUTE_MS);
  listsSay(stage, EMPTY);
  const locationId = await world.addLocation(90);
  await stage.tell(90);
  await world.runFor(10_000);
  const linked = { shop: SHOP, locationId, templateId: other.id, templateVersion: versionOf(other) };
  expect(await world.clock.runWhile(linkOrigin(world.services, linked))).toMatchObject({ kind: "done" });
  await world.runFor(10 * MINUTE_MS);
  // Its template is deleted, and it is back.
  for (const isActive of [false, true]) {
    world.shopify.put(SHOP, shopifyLocation(90, { isActive }));
    await stage.tell(90);
    await world.runFor(10 * MINUTE_MS);
  }
  expect(world.account.duplicates()).toBe(0);
  world.outcomeOf = () => PROMPT;
  await world.runFor(HOUR_MS);
  expect(world.account.duplicates()).toBe(0);
  expect(await world.store.pendingWrites.count({})).toBe(0);
  await world.clock.runWhile(stage.worker.stop());
});

test("one that was there, and cannot be read after that for a while, is not taken for gone", async () => {
  const stage = await staged(1);
  const { world } = stage;
  listsSay(stage, EMPTY);
  const broken = world.outcomeOf;
  await world.addLocation(90);
  await stage.tell(90);
  await world.runFor(6 * MINUTE_MS);
  expect((await homeOf(stage)).needs).toMatchObject([{ failure: { code: "unreadable" } }]);
  world.outcomeOf = (operation, request) => (operation === "get" ? FAILS : broken(operation, request));
  await world.runFor(HOUR_MS);
  expect(world.account.duplicates()).toBe(0);
  await world.clock.runWhile(stage.worker.stop());
});

test("one of nobody's that was there, and cannot be read after that for a while, is not forgotten", async () => {
  const stage = await staged(1);
  const { world } = stage;
  const { id: templateId } = world.account.create(SUPPLIER);
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  await world.runFor(2 * MINUTE_MS);
  const isKnown = () => world.store.templates.count({ shop: SHOP, templateId });
  expect(await isKnown()).toBe(1);
  const empty: World["outcomeOf"] = (asked, { perPage }) => (asked === "list" && perPage !== 1 ? EMPTY(stage) : PROMPT);
  world.outcomeOf = empty;
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  await world.runFor(3 * MINUTE_MS);
  expect(await world.workItem("reconcile", "shop")).toMatchObject({ reason: { code: "unreadable" } });
  world.outcomeOf = (asked, request) => (request.templateId === templateId ? FAILS : empty(asked, request));
  await world.runFor(2 * HOUR_MS);
  expect(await isKnown()).toBe(1);
  await world.clock.runWhile(stage.worker.stop());
});

test("one that was made a moment ago, and that its GET does not find yet, is not taken for gone", async () => {
  const world = await createWorld({ policies: { carriers: [] } });
  let hasLost = false;
  world.outcomeOf = (operation, { perPage }) => {
    if (operation === "list") return perPage === 1 ? PROMPT : EMPTY_LIST;
    if (operation === "get") return { ...PROMPT, behindMs: 12_000 };
    if (operation !== "create" || hasLost) return PROMPT;
    hasLost = true;
    return REPLY_LOST;
  };
  await world.addLocation(1);
  const { worker } = world.boot();
  await world.runFor(45_000);
  expect(hasLost).toBe(true);
  // All that is known of the account is what its owner makes by hand, always anew.
  const form = { shop: SHOP, operation: "create", templateId: null, base: null } as const;
  for (let count = 0; count < 40; count += 1) {
    const draft = { ...SUPPLIER, alias_name: `Proveedor ${count}` };
    const { templateId } = (await world.store.drafts.find({ id: `d${count - 1}` })) ?? {};
    await world.clock.runWhile(submitDraft(world.services, { ...form, draftId: `d${count}`, draft }));
    world.services.wake();
    await world.runFor(10_000);
    if (templateId) world.account.delete(templateId);
  }
  expect(world.account.duplicates()).toBe(0);
  await world.clock.runWhile(worker.stop());
});

test("one that was there, and that one GET does not find after that, is not taken for gone", async () => {
  const stage = await staged(1);
  const { world } = stage;
  const [id] = world.account.templates.keys();
  listsSay(stage, EMPTY);
  await world.addLocation(90);
  await stage.tell(90);
  await world.runFor(6 * MINUTE_MS);
  expect((await homeOf(stage)).needs).toMatchObject([{ failure: { code: "unreadable" } }]);
  const asked = world.requests.length;
  world.account.hide(id!, true);
  for (let second = 0; second < 900 && !isAskedOf(world.requests.slice(asked), id!); second += 1)
    await world.runFor(1_000);
  expect(isAskedOf(world.requests.slice(asked), id!)).toBe(true);
  world.account.hide(id!, false);
  await world.runFor(HOUR_MS);
  expect(world.account.duplicates()).toBe(0);
  await world.clock.runWhile(stage.worker.stop());
});

test("one that was there, and is then not found for a minute, is gone and holds up nobody any more", async () => {
  const stage = await staged(1);
  const { world } = stage;
  listsSay(stage, EMPTY);
  const [id] = world.account.templates.keys();
  const locationId = await world.addLocation(90);
  await stage.tell(90);
  await world.runFor(6 * MINUTE_MS);
  expect((await homeOf(stage)).needs).toMatchObject([{ failure: { code: "unreadable" } }]);
  const link = await world.store.links.find({ shop: SHOP, templateId: id! });
  await world.store.links.delete({ id: link!.id });
  world.account.delete(id!);
  await world.runFor(2 * HOUR_MS);
  expect((await world.workItem("location", locationId)).reason?.code).not.toBe("unreadable");
  await world.clock.runWhile(stage.worker.stop());
});

test("a list that lags behind what was made a moment ago is no list that leaves something out", async () => {
  const stage = await staged(3);
  const { world } = stage;
  let hasCreated = false;
  world.outcomeOf = (operation) => {
    if (operation === "list") return { ...PROMPT, behindMs: 25_000 };
    if (operation !== "create" || hasCreated) return PROMPT;
    hasCreated = true;
    return REQUEST_LOST;
  };
  const locationId = await world.addLocation(90);
  await stage.tell(90);
  // One more every five seconds, so that each list lacks some.
  for (let second = 1; second <= 180; second += 1) {
    if (second % 5 === 0) await world.addLocation(100 + second).then(() => stage.tell(100 + second));
    await world.runFor(1_000);
    expect((await world.workItem("location", locationId)).reason?.code).not.toBe("unreadable");
  }
  expect(await world.store.links.count({ shop: SHOP, locationId })).toBe(1);
  expect(world.account.duplicates()).toBe(0);
  await world.clock.runWhile(stage.worker.stop());
});

test("a create by hand that ended unclear is not made twice, and its form is not told that it was made", async () => {
  const stage = await staged(5);
  const { world } = stage;
  listsSay(stage, EMPTY);
  const form = {
    shop: SHOP,
    draftId: "d1",
    operation: "create",
    templateId: null,
    draft: SUPPLIER,
    base: null,
  } as const;
  await submitDraft(world.services, form);
  await world.runFor(DAY_MS);
  const made = [...world.account.templates.values()].filter(({ alias_name }) => alias_name === SUPPLIER.alias_name);
  expect(made).toHaveLength(1);
  expect(await world.store.drafts.find({ id: "d1" })).toMatchObject({ outcome: null });
  world.outcomeOf = () => PROMPT;
  await world.runFor(HOUR_MS);
  expect(world.account.templates.size).toBe(6);
  expect(await world.store.drafts.find({ id: "d1" })).toMatchObject({ outcome: { kind: "alike" } });
  await world.clock.runWhile(stage.worker.stop());
});

test("templates that are truly gone hold up no create: some are asked for", async () => {
  const stage = await staged(5);
  const { world } = stage;
  const others = [1, 2, 3, 4, 5, 6].map((number) =>
    world.account.create({ ...SUPPLIER, alias_name: `Cliente ${number}` }),
  );
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  await world.runFor(2 * MINUTE_MS);
  let hasCreated = false;
  world.outcomeOf = (operation) => {
    if (operation !== "create" || hasCreated) return PROMPT;
    hasCreated = true;
    return REQUEST_LOST;
  };
  const locationId = await world.addLocation(90);
  await stage.tell(90);
  await world.runFor(5_000);
  for (const { id } of others) world.account.delete(id);
  world.calls.length = 0;
  await world.runFor(5 * MINUTE_MS);
  expect(world.account.duplicates()).toBe(0);
  expect(await world.store.links.count({ shop: SHOP, locationId })).toBe(1);
  await world.clock.runWhile(stage.worker.stop());
});

test("one that is gone, and whose own GET fails for good, is forgotten in the end, and holds up nobody", async () => {
  const stage = await staged(1);
  const { world } = stage;
  const { id: templateId } = world.account.create(SUPPLIER);
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  await world.runFor(MINUTE_MS);
  world.account.delete(templateId);
  stage.stick(({ operation, templateId: asked }) => operation === "get" && asked === templateId);
  const sinceMs = world.clock.nowMs();
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  const locationId = await world.addLocation(90);
  await stage.tell(90);
  await world.runFor(15 * MINUTE_MS);
  expect(await world.store.templates.count({ shop: SHOP, templateId })).toBe(0);
  expect(await world.store.links.count({ shop: SHOP, locationId })).toBe(1);
  expectCheap(stage, sinceMs);
  await world.clock.runWhile(stage.worker.stop());
});
