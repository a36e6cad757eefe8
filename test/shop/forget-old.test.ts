import { describe, expect, test } from "vitest";
import { NEVER_MS } from "../../app/domain/backoff.ts";
import { forgetOld } from "../../app/shop/forget-old.ts";
import { verificationKey } from "../../app/domain/verification/verification-key.ts";
import * as records from "../fakes/records.ts";
import { SHOP } from "../fakes/records.ts";
import { createWorld } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * DAY_MS;

const forget = (world: World, stopped = () => false) => forgetOld(world.services, { shop: SHOP, stopped });
const ago = (world: World, days: number) => world.clock.nowMs() - days * DAY_MS;

/** One row of each kind, so many days old. */
async function furnish(world: World, days: number, name: string) {
  const { store } = world;
  const atMs = ago(world, days);
  const idle = { updatedAtMs: atMs, dueAtMs: NEVER_MS };
  await store.activity.insert(records.activityRecord({ id: name, atMs }));
  await store.receipts.insert(records.receiptRecord({ webhookId: name, receivedAtMs: atMs }));
  await store.jobs.insert(records.jobRecord({ id: name, state: "done", createdAtMs: atMs, endedAtMs: atMs }));
  await store.jobItems.insert(records.jobItemRecord({ jobId: name, state: "done" }));
  await store.drafts.insert(records.draftRecord({ id: name, createdAtMs: atMs, endedAtMs: atMs }));
  await store.workItems.insert(records.workItemRecord({ id: `d-${name}`, kind: "template", key: name, ...idle }));
  await store.drafts.insert(records.draftRecord({ id: `lost-${name}`, createdAtMs: atMs }));
  const key = verificationKey("connection-1", name);
  await store.workItems.insert(records.workItemRecord({ id: `v-${name}`, kind: "verification", key, ...idle }));
  // Nobody waits for an answer: a look at everything would ask the service for the template, and drop what it never had.
  await store.verifications.insert(records.verificationRecord({ templateId: name, changedAtMs: atMs, question: null }));
}

const COUNTED = ["activity", "receipts", "jobs", "jobItems", "drafts", "workItems", "verifications"] as const;
async function counts(world: World) {
  const found: Record<string, number> = {};
  for (const table of COUNTED) found[table] = await world.store[table].count({ shop: SHOP });
  return found;
}

describe("what is old goes", () => {
  test.each([
    [6, { activity: 1, receipts: 1, jobs: 1, jobItems: 1, drafts: 2, workItems: 2, verifications: 1 }],
    [8, { activity: 1, receipts: 1, jobs: 1, jobItems: 1, drafts: 2, workItems: 1, verifications: 0 }],
    [31, { activity: 1, receipts: 0, jobs: 0, jobItems: 0, drafts: 0, workItems: 0, verifications: 0 }],
    [91, { activity: 0, receipts: 0, jobs: 0, jobItems: 0, drafts: 0, workItems: 0, verifications: 0 }],
  ])("after %d days", async (days, left) => {
    const world = await createWorld();
    await furnish(world, days, "one");
    await forget(world);
    expect(await counts(world)).toEqual(left);
  });

  test("however many there are, some at a time, and another shop's stay", async () => {
    const world = await createWorld();
    const { store } = world;
    await store.shops.insert(records.shopRecord({ shop: "two.myshopify.com" }));
    const atMs = ago(world, 100);
    for (let number = 0; number < 950; number += 1)
      await store.activity.insert(records.activityRecord({ id: `a${number}`, atMs: atMs + number }));
    await store.activity.insert(records.activityRecord({ id: "theirs", shop: "two.myshopify.com", atMs }));
    let most = 0;
    const { delete: drop } = store.activity;
    store.activity.delete = async (where) => {
      const dropped = await drop(where);
      most = Math.max(most, dropped);
      return dropped;
    };
    expect(await forget(world)).toBe(950);
    expect(most).toBeLessThanOrEqual(200);
    expect(await store.activity.count({})).toBe(1);
  });

  test("a draft that has a work item, or whose write is unclear, stays", async () => {
    const world = await createWorld();
    const { store } = world;
    const atMs = ago(world, 60);
    await store.drafts.insert(records.draftRecord({ id: "blocked", createdAtMs: atMs }));
    await store.workItems.insert(
      records.workItemRecord({ id: "1", kind: "template", key: "blocked", state: "blocked" }),
    );
    await store.drafts.insert(records.draftRecord({ id: "unclear", createdAtMs: atMs, endedAtMs: atMs }));
    await store.workItems.insert(records.workItemRecord({ id: "2", kind: "template", key: "unclear" }));
    await store.pendingWrites.insert(records.pendingWriteRecord({ workItemId: "2" }));
    await forget(world);
    expect((await store.drafts.list({})).map(({ id }) => id).sort()).toEqual(["blocked", "unclear"]);
    expect(await store.workItems.count({})).toBe(2);
  });

  test("verdicts that no work item follows go with their template, however many stay, and not before a week", async () => {
    const world = await createWorld();
    const { store } = world;
    const old = { changedAtMs: ago(world, 8), question: null };
    await store.templates.insert(records.templateRecord({ templateId: "there" }));
    for (let number = 0; number < 450; number += 1) {
      const carrier = `carrier${number}`;
      await store.verifications.insert(records.verificationRecord({ ...old, templateId: "there", carrier }));
      await store.verifications.insert(records.verificationRecord({ ...old, templateId: "gone", carrier }));
    }
    const fresh = { templateId: "lately-gone", changedAtMs: ago(world, 6), question: null };
    await store.verifications.insert(records.verificationRecord(fresh));
    expect(await store.workItems.count({ kind: "verification" })).toBe(0);
    expect(await forget(world)).toBe(450);
    const left = (await store.verifications.list({})).map(({ templateId }) => templateId);
    expect([...new Set(left)].toSorted()).toEqual(["lately-gone", "there"]);
    expect(left).toHaveLength(451);
  });

  test("what is followed of a template that is there stays; with its connection gone it goes", async () => {
    const world = await createWorld();
    const { store } = world;
    for (const [id, connectionId] of [
      ["there", "connection-1"],
      ["elsewhere", "connection-9"],
    ] as const) {
      const key = verificationKey(connectionId, id);
      const row = { connectionId, templateId: id };
      await store.templates.insert(records.templateRecord(row));
      await store.verifications.insert(records.verificationRecord({ ...row, changedAtMs: ago(world, 50) }));
      const workItem = { id, kind: "verification", key, updatedAtMs: ago(world, 50) } as const;
      await store.workItems.insert(records.workItemRecord(workItem));
    }
    await forget(world);
    expect((await store.workItems.list({})).map(({ id }) => id)).toEqual(["there"]);
    expect((await store.verifications.list({})).map(({ templateId }) => templateId)).toEqual(["there"]);
  });
});

describe("the worker", () => {
  test("drops what is old though no reconcile can finish, the service being down for weeks", async () => {
    const world = await createWorld();
    await world.addLocation(1);
    world.outcomeOf = () => ({ arrivesAfterMs: null, effectAfterMs: null, answer: { kind: "reset", afterMs: 50 } });
    await furnish(world, 29, "one");
    const { worker } = world.boot();
    await world.runFor(30 * HOUR_MS);
    expect((await world.store.shops.find({ shop: SHOP }))!.reconciledAtMs).toBeNull();
    expect(await counts(world)).toMatchObject({ receipts: 0, jobs: 0, jobItems: 0, drafts: 0, verifications: 0 });
    await world.clock.runWhile(worker.stop());
  });

  test("drops nothing more once a wall clock contradicts the date", async () => {
    const world = await createWorld();
    await furnish(world, 100, "one");
    const { worker, services } = world.boot();
    const { activity } = services.store;
    const remove = activity.delete;
    activity.delete = async (which) => {
      const gone = await remove(which);
      world.machine.jump(2 * HOUR_MS);
      return gone;
    };
    await world.runFor(HOUR_MS);
    expect(await counts(world)).toMatchObject({ activity: 0, receipts: 1, jobs: 1, jobItems: 1, drafts: 2 });
    await world.clock.runWhile(worker.stop());
  });

  test.each([
    ["a year ahead", YEAR_MS],
    ["two hours ahead", 2 * HOUR_MS],
    ["a year back", -YEAR_MS],
  ])("drops nothing while the wall clock is %s, and says so", async (_title, byMs) => {
    const world = await createWorld();
    await world.addLocation(1);
    await furnish(world, 6, "one");
    world.machine.jump(byMs);
    const { worker, services } = world.boot();
    const said: string[] = [];
    services.log.warn = (_fields, message) => void said.push(message);
    await world.runFor(20 * HOUR_MS);
    expect(await counts(world)).toMatchObject({ receipts: 1, jobs: 1, drafts: 2, verifications: 1 });
    expect(await world.store.activity.count({ id: "one" })).toBe(1);
    expect(said).toContain("the date is not sure: nothing old is dropped");
    world.machine.jump(-byMs);
    await world.runFor(3 * DAY_MS);
    expect(await counts(world)).toMatchObject({ receipts: 1, verifications: 0, jobs: 1 });
    await world.clock.runWhile(worker.stop());
  });
});
