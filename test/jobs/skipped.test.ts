import { describe, expect, test } from "vitest";
import { recordActivity } from "../../app/activity/record-activity.ts";
import { readJob } from "../../app/jobs/read-job.ts";
import { startJob } from "../../app/jobs/start-job.ts";
import type { JobRecord } from "../../app/domain/records.ts";
import { locationRecord, SHOP } from "../fakes/records.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** A job tells apart what it did from what was not its to do. */

async function mapped(count: number) {
  const world = await createWorld({ policies: { carriers: ["fedex"], verifyAfterChange: false } });
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) ids.push(await world.addLocation(number));
  world.start();
  await world.runFor(120_000);
  return { world, ids };
}

async function runJob(world: World, kind: JobRecord["kind"], locationIds: string[]) {
  const started = await startJob(world.services, { shop: SHOP, kind, carriers: null, locationIds });
  await world.runFor(60_000);
  return { started, job: (await readJob(world.services, { shop: SHOP }))! };
}

const told = async (world: World) =>
  (await world.store.activity.list({ shop: SHOP }))
    .filter(({ kind }) => kind.endsWith("_skipped"))
    .map(({ kind, locationId, detail }) => ({ kind, locationId, detail }));

describe("a bulk sync skips, and does not call done,", () => {
  test("what is paused, left out or deactivated, each with its reason", async () => {
    const { world, ids } = await mapped(4);
    const [paused, excluded, inactive] = ids as [string, string, string, string];
    await world.store.details.update({ locationId: paused }, { paused: true });
    await world.store.details.update({ locationId: excluded }, { inclusion: "never" });
    world.shopify.put(SHOP, shopifyLocation(3, { isActive: false }));
    const { job } = await runJob(world, "sync", ids);
    expect(job).toMatchObject({ state: "done", total: 4, done: 1, skipped: 3, failed: 0, waiting: 0 });
    expect(job.skips).toEqual([
      { reason: "excluded", count: 1 },
      { reason: "inactive", count: 1 },
      { reason: "paused", count: 1 },
    ]);
    const kind = "sync_skipped";
    expect(await told(world)).toEqual(
      expect.arrayContaining([
        { kind, locationId: paused, detail: "paused" },
        { kind, locationId: excluded, detail: "excluded" },
        { kind, locationId: inactive, detail: "inactive" },
      ]),
    );
    expect(await told(world)).toHaveLength(3);
  });

  test("anything while syncing is turned off", async () => {
    const { world, ids } = await mapped(1);
    const shop = (await world.store.shops.find({ shop: SHOP }))!;
    await world.store.shops.update({ shop: SHOP }, { policies: { ...shop.policies, syncOn: false } });
    const { job } = await runJob(world, "sync", ids);
    expect(job).toMatchObject({ done: 0, skipped: 1, skips: [{ reason: "sync_off", count: 1 }] });
  });

  test("nothing that was synced and is paused before anybody looks", async () => {
    const { world, ids } = await mapped(1);
    await startJob(world.services, { shop: SHOP, kind: "sync", carriers: null, locationIds: ids });
    await world.runFor(60_000);
    await world.store.details.update({ locationId: ids[0]! }, { paused: true });
    expect(await readJob(world.services, { shop: SHOP })).toMatchObject({ done: 1, skipped: 0, skips: [] });
  });

  test("and says nothing of it where no job asked", async () => {
    const { world, ids } = await mapped(1);
    await world.store.details.update({ locationId: ids[0]! }, { paused: true });
    await world.requestWork("location", ids[0]!);
    world.services.wake();
    await world.runFor(60_000);
    expect(await told(world)).toEqual([]);
  });
});

test("a bulk verification skips what has no address in the book", async () => {
  const { world, ids } = await mapped(1);
  const unsaved = shopifyLocation(2);
  await world.store.locations.insert(locationRecord({ ...unsaved, shop: SHOP }));
  const { started, job } = await runJob(world, "verify", [...ids, unsaved.locationId]);
  expect(started).toMatchObject({ kind: "started", count: 1, skipped: 1 });
  expect(job).toMatchObject({ state: "done", total: 2, done: 1, skipped: 1 });
  expect(job.skips).toEqual([{ reason: "no_template", count: 1 }]);
  expect(await told(world)).toEqual([
    { kind: "verify_skipped", locationId: unsaved.locationId, detail: "no_template" },
  ]);
});

describe("an ended job is shown no more", () => {
  test.each(["environment_switched", "connected", "account_other"] as const)(
    "once another account may be in use: what it saved is in the one before (%s)",
    async (kind) => {
      const { world, ids } = await mapped(1);
      const { job } = await runJob(world, "sync", ids);
      expect(job).toMatchObject({ state: "done", done: 1 });
      await recordActivity(world.services, world.store, { shop: SHOP, actor: "owner", kind, outcome: "done" });
      expect(await readJob(world.services, { shop: SHOP })).toBeNull();
    },
  );

  test("and is, after its owner has said that the account is the same", async () => {
    const { world, ids } = await mapped(1);
    await runJob(world, "sync", ids);
    const same = { shop: SHOP, actor: "owner", kind: "account_same", outcome: "done" } as const;
    await recordActivity(world.services, world.store, same);
    expect(await readJob(world.services, { shop: SHOP })).toMatchObject({ done: 1 });
  });
});
