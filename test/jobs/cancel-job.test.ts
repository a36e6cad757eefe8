import { describe, expect, test } from "vitest";
import { SPLIT_FIELDS } from "../../app/domain/address/form-fields.ts";
import { NEVER_MS } from "../../app/domain/backoff.ts";
import type { JobItemRecord } from "../../app/domain/records.ts";
import { cancelJob } from "../../app/jobs/cancel-job.ts";
import { confirmReview } from "../../app/jobs/confirm-review.ts";
import type { ReviewedRow } from "../../app/jobs/confirm-row.ts";
import { readJob } from "../../app/jobs/read-job.ts";
import { unlinkOrigin } from "../../app/origins/unlink-origin.ts";
import { readReview } from "../../app/pages/read-review.ts";
import { receiveWebhook } from "../../app/shop/receive-webhook.ts";
import { refreshAddressBook } from "../../app/book/refresh-address-book.ts";
import { startJob } from "../../app/jobs/start-job.ts";
import type { ReviewView } from "../../app/views/review.ts";
import { locationRecord, NO_CONTACT, SHOP } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { CONTACT, createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import { requestVerification } from "../../app/verification/request-verification.ts";
import type { World } from "../fakes/world.ts";

/**
 * What a cancelled job takes back, at each moment at which the cancel can come.
 *
 * Long, because each moment is a story of its own, told to its end.
 */

const HOUR_MS = 3_600_000;
const TYPED = "Junto a la iglesia";

async function newLocations(world: World, count: number) {
  for (let number = 1; number <= count; number += 1) {
    const location = shopifyLocation(number);
    world.shopify.put(SHOP, location);
    await world.store.locations.insert(locationRecord({ ...location, shop: SHOP }));
  }
}

function asTyped(view: ReviewView): ReviewedRow[] {
  return view.rows.map(({ locationId, revision, readFrom, cells, proposals }) => ({
    locationId,
    revision,
    readFrom,
    contact: { reference: TYPED },
    split: Object.fromEntries(SPLIT_FIELDS.map((field) => [field, cells[field].value || null])) as ReviewedRow["split"],
    templateId: proposals[0]?.templateId ?? null,
    templateVersion: proposals[0]?.version ?? null,
  }));
}

async function confirm(world: World, which: (row: ReviewedRow, index: number) => boolean = () => true) {
  const view = (await readReview(world.services, { shop: SHOP }))!;
  const rows = asTyped(view).filter(which);
  const { contactRevision } = view;
  const outcome = await confirmReview(world.services, { shop: SHOP, contact: CONTACT, contactRevision, rows });
  return outcome.kind === "confirmed" ? outcome.jobId! : "";
}

const cancel = (world: World, jobId: string) => cancelJob(world.services, { shop: SHOP, jobId });
const job = async (world: World, jobId: string) => (await readJob(world.services, { shop: SHOP, jobId }))!;
const review = async (world: World) => (await readReview(world.services, { shop: SHOP }))!;

describe("Review's job, cancelled", () => {
  test("before anything ran: nothing is created, at no later look either, and all is in Review again as typed", async () => {
    const world = await createWorld();
    await newLocations(world, 40);
    const jobId = await confirm(world);
    await cancel(world, jobId);
    expect(await job(world, jobId)).toMatchObject({
      state: "cancelled",
      cancelled: 40,
      returned: 40,
      done: 0,
      waiting: 0,
    });
    const left = await world.store.workItems.list({ shop: SHOP, kind: "location" });
    expect(left).toHaveLength(40);
    for (const { generation, observedGeneration, dueAtMs } of left)
      expect({ observedGeneration, dueAtMs }).toEqual({ observedGeneration: generation, dueAtMs: NEVER_MS });
    world.start();
    await world.runFor(8 * HOUR_MS);
    expect(world.calls).not.toContain("create");
    expect(await job(world, jobId)).toMatchObject({ state: "cancelled", cancelled: 40, done: 0 });
    const { rows } = await review(world);
    expect(rows).toHaveLength(40);
    expect(new Set(rows.map(({ cells }) => cells.reference.value))).toEqual(new Set([TYPED]));
  });

  test("halfway: what is made is told as done, what is being made as under way, and only the rest as stopped", async () => {
    const world = await createWorld();
    await newLocations(world, 40);
    world.start();
    await world.runFor(60_000);
    const jobId = await confirm(world);
    world.services.wake();
    await world.runFor(6_000);
    await cancel(world, jobId);
    const stopped = await job(world, jobId);
    expect(stopped).toMatchObject({ state: "cancelled" });
    expect(stopped.done).toBeGreaterThan(0);
    expect(stopped.cancelled).toBeGreaterThan(20);
    expect(stopped.done + stopped.cancelled + stopped.waiting).toBe(40);
    await world.runFor(8 * HOUR_MS);
    const ended = await job(world, jobId);
    expect(ended).toMatchObject({ cancelled: stopped.cancelled, waiting: 0, failed: 0 });
    expect(world.account.templates.size).toBe(ended.done);
    expect((await review(world)).rows).toHaveLength(ended.cancelled);
  });

  test("once a template was made and unlinked, before anybody looked at the job: it is told as done", async () => {
    const world = await createWorld();
    await newLocations(world, 1);
    world.start();
    await world.runFor(60_000);
    const jobId = await confirm(world);
    const [{ locationId }] = (await world.store.jobItems.list({ jobId, shop: SHOP })) as [JobItemRecord];
    world.services.wake();
    await world.runFor(20_000);
    expect(world.account.templates.size).toBe(1);
    expect(await unlinkOrigin(world.services, { shop: SHOP, locationId })).toBe("unlinked");
    await cancel(world, jobId);
    expect(await job(world, jobId)).toMatchObject({ cancelled: 0, waiting: 0, done: 1 });
  });

  test("while a create is unclear: it is told as under way, and as done once it is cleared up", async () => {
    const world = await createWorld();
    await newLocations(world, 1);
    world.start();
    await world.runFor(60_000);
    world.outcomeOf = (operation) =>
      operation === "create" ? { arrivesAfterMs: 20, effectAfterMs: 30_000, answer: { kind: "silence" } } : PROMPT;
    const jobId = await confirm(world);
    world.services.wake();
    await world.runFor(20_000);
    await cancel(world, jobId);
    expect(await job(world, jobId)).toMatchObject({ state: "cancelled", cancelled: 0, waiting: 1 });
    await world.runFor(5 * 60_000);
    expect(world.account.templates.size).toBe(1);
    expect(await job(world, jobId)).toMatchObject({ state: "cancelled", cancelled: 0, waiting: 0, done: 1 });
  });

  test("while Shopify told of a change as well: the look happens, and nothing is created", async () => {
    const world = await createWorld();
    await newLocations(world, 2);
    const jobId = await confirm(world);
    const topic = "locations/update";
    await receiveWebhook(world.services, { shop: SHOP, topic, webhookId: "w", payload: { id: 1 } });
    await cancel(world, jobId);
    expect(await job(world, jobId)).toMatchObject({ cancelled: 2, waiting: 0 });
    world.start();
    await world.runFor(8 * HOUR_MS);
    expect(world.shopify.calls.location).toBeGreaterThan(0);
    expect(world.calls).not.toContain("create");
  });

  test("and confirmed again: it is created", async () => {
    const world = await createWorld();
    await newLocations(world, 3);
    await cancel(world, await confirm(world));
    world.start();
    await world.runFor(60_000);
    const jobId = await confirm(world);
    world.services.wake();
    await world.runFor(60_000);
    expect(world.account.templates.size).toBe(3);
    expect(await job(world, jobId)).toMatchObject({ state: "done", done: 3 });
  });

  test("takes back the link that Review made, and nothing of the template changes", async () => {
    const world = await createWorld();
    await newLocations(world, 1);
    world.account.byPerson.add({
      alias_name: "Mi bodega",
      address_type: "from",
      address_attributes: {
        ...{ street1: "Avenida Vallarta", street_number: "101", postal_code: "44160", area_level1: "Jalisco" },
        ...{ area_level2: "Guadalajara", area_level3: "Americana", country_code: "MX", name: "Pedro" },
      },
    });
    await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
    const before = structuredClone([...world.account.templates.values()]);
    const jobId = await confirm(world);
    expect(await world.store.links.count({ shop: SHOP })).toBe(1);
    await cancel(world, jobId);
    world.start();
    await world.runFor(8 * HOUR_MS);
    expect(await world.store.links.count({ shop: SHOP })).toBe(0);
    expect([...world.account.templates.values()]).toEqual(before);
    expect((await review(world)).rows[0]!.proposals).toHaveLength(1);
  });

  test("of a location that was confirmed before and lacked something: nothing is created either", async () => {
    const world = await createWorld();
    const key = await world.addLocation(1, { address: { ...mexicanAddress(), zip: "" } });
    world.start();
    await world.runFor(60_000);
    world.shopify.put(SHOP, shopifyLocation(1));
    const address = shopifyLocation(1).address;
    await world.store.locations.update({ shop: SHOP, locationId: key }, { address });
    await world.store.details.update({ shop: SHOP, locationId: key }, { contact: { ...NO_CONTACT, email: "nobody" } });
    const view = await review(world);
    const rows = asTyped(view).map((row) => ({ ...row, contact: { email: "ana@example.com" } }));
    const { contactRevision } = view;
    const outcome = await confirmReview(world.services, { shop: SHOP, contact: CONTACT, contactRevision, rows });
    expect(outcome).toMatchObject({ kind: "confirmed", count: 1 });
    const { jobId } = outcome as { jobId: string };
    await cancel(world, jobId);
    expect(await job(world, jobId)).toMatchObject({ cancelled: 1, returned: 1 });
    await world.runFor(8 * HOUR_MS);
    expect(world.calls).not.toContain("create");
  });

  test("stops what was confirmed while it ran, too", async () => {
    const world = await createWorld();
    await newLocations(world, 10);
    const first = await confirm(world, (_row, index) => index < 5);
    const second = await confirm(world);
    expect(second).toBe(first);
    expect(await job(world, first)).toMatchObject({ state: "running", total: 10, waiting: 10 });
    await cancel(world, first);
    world.start();
    await world.runFor(8 * HOUR_MS);
    expect(world.calls).not.toContain("create");
    expect(await job(world, first)).toMatchObject({ cancelled: 10, returned: 10 });
  });
});

describe("a cancel that is cut off in the middle", () => {
  async function cutOff(kept: boolean) {
    const world = await createWorld();
    await newLocations(world, 100);
    const jobId = await confirm(world);
    const { transaction } = world.store;
    let transactions = 0;
    world.store.transaction = (shop, work) => {
      if ((transactions += 1) !== 2) return transaction(shop, work);
      world.store.transaction = transaction;
      if (!kept) world.store.jobs.update = () => Promise.reject(new Error("gone"));
      return Promise.reject(new Error("the disk is full"));
    };
    const { update } = world.store.jobs;
    await expect(cancel(world, jobId)).rejects.toThrow("the disk is full");
    world.store.jobs.update = update;
    return { world, jobId };
  }

  test("is told as running, and goes on when it is asked for again", async () => {
    const { world, jobId } = await cutOff(true);
    expect(await job(world, jobId)).toMatchObject({ state: "running", cancelled: 10, waiting: 90 });
    await cancel(world, jobId);
    expect(await job(world, jobId)).toMatchObject({ state: "cancelled", cancelled: 100, waiting: 0 });
    world.start();
    await world.runFor(HOUR_MS);
    expect(world.calls).not.toContain("create");
  });

  test("by a crash: the next process ends it before it makes anything", async () => {
    const { world, jobId } = await cutOff(false);
    expect(await job(world, jobId)).toMatchObject({ state: "cancelled", cancelled: 10, waiting: 90 });
    world.start();
    await world.runFor(HOUR_MS);
    expect(await job(world, jobId)).toMatchObject({ state: "cancelled", cancelled: 100, waiting: 0 });
    expect(world.calls).not.toContain("create");
  });
});

test("what a cancelled job leaves comes with the next look at everything, whatever it was waiting for", async () => {
  const world = await createWorld();
  const key = await world.addLocation(1);
  await world.store.locations.insert(locationRecord({ ...shopifyLocation(1), shop: SHOP }));
  const started = await startJob(world.services, { shop: SHOP, kind: "sync", carriers: null, locationIds: [key] });
  // A run found the shop shut.
  const why = { code: "shopify_refused", message: null, fields: null, requestId: null } as const;
  await world.store.workItems.update({ key }, { reason: { ...why, atMs: world.clock.nowMs() } });
  await cancel(world, started.kind === "started" ? started.jobId : "");
  expect(await world.workItem("location", key)).toMatchObject({
    generation: 1,
    observedGeneration: 0,
    dueAtMs: NEVER_MS,
  });
  await world.requestWork("reconcile", "shop");
  const worker = world.start();
  await world.runFor();
  expect(world.templateOf(key)).toBeDefined();
  await world.clock.runWhile(worker.stop());
});

describe("a job that is cancelled while it is still asking", () => {
  test.each(["sync", "verify"] as const)("asks for nothing more: %s", async (kind) => {
    const world = await createWorld({ policies: { carriers: ["fedex"] } });
    const ids: string[] = [];
    for (let number = 1; number <= 120; number += 1) ids.push(await world.addLocation(number));
    const worker = world.start();
    await world.runFor(10 * 60_000);
    await world.clock.runWhile(worker.stop());
    const workItems = () => world.store.workItems.list({ kind: kind === "sync" ? "location" : "verification" });
    const before = (await workItems()).filter(
      ({ generation, observedGeneration }) => generation > observedGeneration,
    ).length;
    const { transaction } = world.store;
    let transactions = 0;
    world.store.transaction = async (shop, work) => {
      const done = await transaction(shop, work);
      // The job is written, and its first items asked for.
      if ((transactions += 1) === 2) {
        const running = (await world.store.jobs.find({ state: "running" }))!;
        await cancel(world, running.id);
      }
      return done;
    };
    await startJob(world.services, { shop: SHOP, kind, carriers: null, locationIds: ids });
    const ended = (await world.store.jobs.find({}))!;
    const view = await job(world, ended.id);
    expect(view).toMatchObject({ state: "cancelled", cancelled: 120, waiting: 0 });
    const due = (await workItems()).filter(
      ({ generation, observedGeneration, dueAtMs }) =>
        generation > observedGeneration && dueAtMs <= world.clock.nowMs(),
    );
    expect(due.length).toBe(before);
  });
});

test("a verification that somebody asked for before the job is not stopped with it, and is told as under way", async () => {
  const world = await createWorld({ policies: { carriers: ["fedex"] } });
  const key = await world.addLocation(1);
  const worker = world.start();
  await world.runFor(60_000);
  await world.clock.runWhile(worker.stop());
  const asked = { shop: SHOP, templateId: world.templateOf(key)!.id, carriers: ["fedex"] };
  await requestVerification(world.services, asked);
  world.calls.length = 0;
  const started = await startJob(world.services, { shop: SHOP, kind: "verify", carriers: null, locationIds: [key] });
  const { jobId } = started as Extract<typeof started, { kind: "started" }>;
  await cancel(world, jobId);
  expect(await job(world, jobId)).toMatchObject({ state: "cancelled", cancelled: 0, waiting: 1 });
  world.start();
  await world.runFor(60_000);
  expect(world.calls).toContain("verify");
  expect(await job(world, jobId)).toMatchObject({ state: "cancelled", cancelled: 0, done: 1 });
});

test("a sync that waits for the book, cancelled: the book wakes it no more, and the next look at everything makes it", async () => {
  const world = await createWorld();
  const key = await world.addLocation(1);
  await world.store.locations.insert(locationRecord({ ...shopifyLocation(1), shop: SHOP }));
  await world.store.connections.update({ id: "connection-1" }, { bookConfirmedAtMs: null });
  const started = await startJob(world.services, { shop: SHOP, kind: "sync", carriers: null, locationIds: [key] });
  const { jobId } = started as Extract<typeof started, { kind: "started" }>;
  const worker = world.start();
  await world.runFor(5_000);
  await world.clock.runWhile(worker.stop());
  expect(await world.workItem("location", key)).toMatchObject({ reason: { code: "book_unconfirmed" } });
  await cancel(world, jobId);
  expect(await job(world, jobId)).toMatchObject({ state: "cancelled", cancelled: 1 });

  for (let listing = 0; listing < 3; listing += 1) {
    await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP }));
    await world.runFor(61_000);
  }
  expect((await world.store.connections.find({ id: "connection-1" }))!.bookConfirmedAtMs).not.toBeNull();
  expect((await world.workItem("location", key)).dueAtMs).toBeGreaterThan(world.clock.nowMs() + HOUR_MS);
  world.start();
  await world.runFor(60_000);
  expect(world.calls).toContain("create");
});
