import { describe, expect, test } from "vitest";
import { NEVER_MS } from "../../app/domain/backoff.ts";
import type { WorkItemKind } from "../../app/domain/records.ts";
import { resumeQuarantines } from "../../app/runs/quarantines.ts";
import { openShop } from "../../app/shop/open-shop.ts";
import { redate } from "../../app/worker/redate.ts";
import { pullBack } from "../../app/worker/stamps.ts";
import { SETTINGS } from "../fakes/app-process.ts";
import * as records from "../fakes/records.ts";
import { SHOP } from "../fakes/records.ts";
import { createWorld } from "../fakes/world.ts";

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

describe("dated further away than it ever is", () => {
  test.each<[WorkItemKind, number, boolean, number?]>([
    ["location", YEAR_MS, true],
    ["location", HOUR_MS, true],
    ["location", HOUR_MS / 4, false],
    ["template", YEAR_MS, true],
    ["uninstall", YEAR_MS, true],
    ["verification", YEAR_MS, true],
    ["verification", 4 * HOUR_MS, false],
    ["reconcile", YEAR_MS, true],
    ["reconcile", 6 * HOUR_MS, false],
    // It may rest so long for what its failures cost.
    ["location", 6 * HOUR_MS, false, 2],
    ["location", 8 * HOUR_MS, true, 2],
  ])("a %s that is due in %d ms is due now: %s", async (kind, inMs, dueNow, failures = 0) => {
    const { store, services, clock } = await createWorld();
    await store.workItems.insert(records.workItemRecord({ kind, failures, dueAtMs: clock.nowMs() + inMs }));
    await redate(services);
    expect((await store.workItems.find({ kind }))!.dueAtMs - clock.nowMs()).toBe(dueNow ? 0 : inMs);
  });

  test("what is due never, parked or leased is left alone", async () => {
    const { store, services, clock } = await createWorld();
    const leaseUntilMs = clock.nowMs() + 50_000;
    const [farMs, lease] = [clock.nowMs() + YEAR_MS, { leaseOwner: "a", leaseUntilMs, dueAtMs: leaseUntilMs }];
    await store.workItems.insert(records.workItemRecord({ id: "1", key: "1", dueAtMs: NEVER_MS }));
    await store.workItems.insert(records.workItemRecord({ id: "2", key: "2", state: "parked", dueAtMs: farMs }));
    await store.workItems.insert(records.workItemRecord({ id: "3", key: "3", ...lease }));
    const before = await store.workItems.list({});
    expect(await redate(services)).toBe(0);
    expect(await store.workItems.list({})).toEqual(before);
  });

  test("a lease, a quarantine and a connection's rest last their longest from now", async () => {
    const { store, services, clock } = await createWorld();
    const farMs = clock.nowMs() + YEAR_MS;
    await store.workItems.insert(records.workItemRecord({ leaseOwner: "a", leaseUntilMs: farMs, dueAtMs: farMs }));
    await store.pendingWrites.insert(records.pendingWriteRecord({ quarantineUntilMs: farMs }));
    await store.connections.update({ shop: SHOP }, { backoffUntilMs: farMs });
    await redate(services);
    const leaseEndsMs = clock.nowMs() + 60_000;
    expect(await store.workItems.find({})).toMatchObject({ leaseUntilMs: leaseEndsMs, dueAtMs: leaseEndsMs });
    expect((await store.pendingWrites.find({}))!.quarantineUntilMs).toBe(clock.nowMs() + SETTINGS.quarantineMs);
    expect((await store.connections.find({}))!.backoffUntilMs).toBe(clock.nowMs() + 60_000);
  });

  test("what waits for a quarantine so dated is due at its end", async () => {
    const { store, services, clock } = await createWorld();
    const aheadMs = clock.nowMs() + HOUR_MS - 90_000;
    await store.workItems.insert(records.workItemRecord({ id: "t", kind: "template", failures: 5, dueAtMs: aheadMs }));
    await store.pendingWrites.insert(records.pendingWriteRecord({ workItemId: "t", quarantineUntilMs: aheadMs }));
    await redate(services);
    expect((await store.workItems.find({ id: "t" }))!.dueAtMs).toBe(clock.nowMs() + SETTINGS.quarantineMs);
  });

  test("a verification's next look is now", async () => {
    const { store, services, clock } = await createWorld();
    const pending = records.verificationRecord({ outcome: "pending", nextPollAtMs: clock.nowMs() + YEAR_MS });
    await store.verifications.insert(pending);
    await redate(services);
    expect((await store.verifications.find({}))!.nextPollAtMs).toBe(clock.nowMs());
  });
});

describe("written later than now, by a clock that was ahead", () => {
  test.each<WorkItemKind>(["verification", "reconcile", "location", "uninstall"])("a %s is due now", async (kind) => {
    const { store, services, clock } = await createWorld();
    const nowMs = clock.nowMs();
    const workItem = {
      kind,
      generation: 2,
      observedGeneration: 1,
      updatedAtMs: nowMs + HOUR_MS,
      dueAtMs: nowMs + HOUR_MS + 1_000,
    };
    await store.workItems.insert(records.workItemRecord(workItem));
    expect(await redate(services)).toBe(1);
    expect((await store.workItems.find({ kind }))!.dueAtMs).toBe(nowMs);
  });

  test("so is what a process with that clock made due when Shopify let it in again", async () => {
    const { store, services, clock } = await createWorld();
    const nowMs = clock.nowMs();
    const waiting = { generation: 2, observedGeneration: 1, updatedAtMs: nowMs - 1_000, dueAtMs: nowMs + 5_000 };
    await store.workItems.insert(records.workItemRecord({ kind: "template", ...waiting }));
    const ahead = { ...services.clock, nowMs: () => nowMs + HOUR_MS / 6 };
    await store.transaction(SHOP, (tables) => openShop({ ...services, clock: ahead }, tables, { shop: SHOP }));
    await redate(services);
    expect((await store.workItems.find({ kind: "template" }))!.dueAtMs).toBe(nowMs);
  });

  test("a carrier is looked for now, and what is due never stays so", async () => {
    const { store, services, clock } = await createWorld();
    const nowMs = clock.nowMs();
    const ahead = { askedAtMs: nowMs + HOUR_MS, nextPollAtMs: nowMs + HOUR_MS + 1_000 };
    await store.verifications.insert(records.verificationRecord({ outcome: "pending", ...ahead }));
    await store.workItems.insert(records.workItemRecord({ dueAtMs: NEVER_MS, updatedAtMs: nowMs + HOUR_MS }));
    expect(await redate(services)).toBe(1);
    expect((await store.verifications.find({}))!.nextPollAtMs).toBe(nowMs);
    expect((await store.workItems.find({}))!.dueAtMs).toBe(NEVER_MS);
  });

  test("a minute's difference is none: two processes' times of day differ by as much", async () => {
    const { store, services, clock } = await createWorld();
    const nowMs = clock.nowMs();
    await store.workItems.insert(
      records.workItemRecord({ kind: "verification", updatedAtMs: nowMs + 30_000, dueAtMs: nowMs + HOUR_MS }),
    );
    expect(await redate(services)).toBe(0);
  });
});

test.each([
  ["never noted", { notedAfterMs: null, endsAfterMs: 90_000 }, 90_000],
  ["noted at a third", { notedAfterMs: 30_000, endsAfterMs: 90_000 }, 60_000],
  ["noted after its end", { notedAfterMs: 100_000, endsAfterMs: 90_000 }, 0],
  ["dated for a year", { notedAfterMs: 1_000, endsAfterMs: YEAR_MS }, SETTINGS.quarantineMs],
])("at a boot a quarantine that was %s goes on for what is left", async (_title, quarantine, leftMs) => {
  const { store, services, clock } = await createWorld();
  const { notedAfterMs, endsAfterMs } = quarantine;
  // Of a process that took the date for another one.
  const committedAtMs = clock.nowMs() - YEAR_MS;
  const notedAtMs = notedAfterMs && committedAtMs + notedAfterMs;
  const pending = { committedAtMs, notedAtMs, quarantineUntilMs: committedAtMs + endsAfterMs };
  await store.pendingWrites.insert(records.pendingWriteRecord(pending));
  await resumeQuarantines(services);
  expect((await store.pendingWrites.find({}))!.quarantineUntilMs - clock.nowMs()).toBe(leftMs);
});

test("what is dated later than now is moved back, the latest to now, and the order stays", async () => {
  const { store, services, clock } = await createWorld();
  const nowMs = clock.nowMs();
  const aheadMs = nowMs + YEAR_MS;
  await store.activity.insert(records.activityRecord({ id: "1", atMs: nowMs - 5_000 }));
  await store.activity.insert(records.activityRecord({ id: "2", atMs: aheadMs - 5_000 }));
  await store.activity.insert(records.activityRecord({ id: "3", atMs: aheadMs }));
  await store.templates.insert(records.templateRecord({ templateId: "a", readAtMs: aheadMs - 9_000 }));
  await store.templates.insert(records.templateRecord({ templateId: "b", readAtMs: nowMs - 9_000 }));
  await store.shops.insert(
    records.shopRecord({ shop: "two.myshopify.com", installedAtMs: aheadMs, reconciledAtMs: aheadMs }),
  );
  expect(await pullBack(services)).toBe(5);
  const times = await store.activity.list({}, { orderBy: { id: "asc" } });
  expect(times.map(({ atMs }) => atMs - nowMs)).toEqual([-5_000, -5_000, 0]);
  const readings = await store.templates.list({}, { orderBy: { templateId: "asc" } });
  expect(readings.map(({ readAtMs }) => readAtMs - nowMs)).toEqual([-9_000, -9_000]);
  expect(await store.shops.find({ shop: "two.myshopify.com" })).toMatchObject({
    installedAtMs: nowMs,
    reconciledAtMs: nowMs,
  });
  expect(await pullBack(services)).toBe(0);
});

test("thousands that a wrong clock dated are all due now, at one look", async () => {
  const { store, services, clock } = await createWorld();
  const nowMs = clock.nowMs();
  const farMs = nowMs + YEAR_MS;
  for (let number = 0; number < 1_200; number += 1)
    await store.workItems.insert(records.workItemRecord({ id: `t${number}`, key: `${number}`, dueAtMs: farMs }));
  for (let number = 0; number < 1_200; number += 1) {
    const awaited = { templateId: `${number}`, question: "asked", askedAtMs: nowMs, nextPollAtMs: farMs } as const;
    await store.verifications.insert(records.verificationRecord({ ...awaited, outcome: "pending" }));
  }
  expect(await redate(services)).toBe(2_400);
  expect(await store.workItems.count({ dueAtMs: { gt: nowMs } })).toBe(0);
  expect(await store.verifications.count({ nextPollAtMs: { gt: nowMs } })).toBe(0);
});
