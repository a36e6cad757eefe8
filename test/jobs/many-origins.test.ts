import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { SPLIT_FIELDS } from "../../app/domain/address/form-fields.ts";
import type { ConfirmedSplit } from "../../app/domain/address/address.ts";
import { addressText } from "../../app/domain/address/text.ts";
import type { JobRecord } from "../../app/domain/records.ts";
import type { Services } from "../../app/ports.ts";
import { cancelJob } from "../../app/jobs/cancel-job.ts";
import { confirmReview } from "../../app/jobs/confirm-review.ts";
import { readJob } from "../../app/jobs/read-job.ts";
import { startJob } from "../../app/jobs/start-job.ts";
import { pauseOrigin } from "../../app/origins/pause-origin.ts";
import { MOST_STATEMENTS, countStatements } from "../fakes/counted-store.ts";
import type { CountedStore } from "../fakes/counted-store.ts";
import {
  NO_CONTACT,
  SHOP,
  detailsRecord,
  linkRecord,
  locationGid,
  locationRecord,
  templateRecord,
} from "../fakes/records.ts";
import { CONTACT, createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** What touches many origins is done some at a time: while one transaction runs, no other shop's page and no webhook is answered. */

const MANY = 200;

interface Crowd {
  world: World;
  services: Services;
  count: CountedStore;
  ids: string[];
}

async function crowd({ linked = false }: { linked?: boolean } = {}): Promise<Crowd> {
  const world = await createWorld({ policies: { carriers: ["fedex", "dhl", "estafeta"] } });
  const count = countStatements(world.store);
  const ids: string[] = [];
  for (let number = 1; number <= MANY; number += 1) {
    const there = shopifyLocation(number);
    const { locationId } = there;
    ids.push(locationId);
    world.shopify.put(SHOP, there);
    await world.store.locations.insert(locationRecord({ ...there, shop: SHOP }));
    await world.store.details.insert(detailsRecord({ locationId, confirmedAtMs: linked ? world.clock.nowMs() : null }));
    if (!linked) continue;
    const templateId = `template-${number}`;
    await world.store.links.insert(linkRecord({ id: `link-${number}`, locationId, templateId }));
    await world.store.templates.insert(templateRecord({ templateId }));
  }
  return { world, services: { ...world.services, store: count.store }, count, ids };
}

const press = (services: Services, kind: JobRecord["kind"], locationIds: string[]) =>
  startJob(services, { shop: SHOP, kind, carriers: null, locationIds });

/** The press began the job's own work item: it ends without a worker, whatever else the worker has to do. */
async function doJob({ world }: Pick<Crowd, "world">): Promise<void> {
  while ((await world.store.workItems.count({ shop: SHOP, kind: "job" })) > 0) await nextTurn();
}

const paused = (world: World) => world.store.details.count({ shop: SHOP, paused: true });

describe("many origins", () => {
  test("are paused and resumed as a job, in short transactions", async () => {
    const { world, services, count, ids } = await crowd();
    expect(await press(services, "pause", ids)).toMatchObject({ kind: "started", count: MANY });
    // The press is answered before the work is done, and says so.
    expect(await paused(world)).toBeLessThan(MANY);
    const running = { kind: "pause", state: "running", total: MANY, leftMs: null };
    expect(await readJob(services, { shop: SHOP })).toMatchObject(running);
    await doJob({ world });
    expect(await paused(world)).toBe(MANY);
    const ended = { kind: "pause", state: "done", total: MANY, waiting: 0, done: MANY };
    expect(await readJob(services, { shop: SHOP })).toMatchObject(ended);
    expect(await world.store.workItems.count({ shop: SHOP, kind: "job" })).toBe(0);
    expect(await press(services, "resume", ids)).toMatchObject({ kind: "started", count: MANY });
    await doJob({ world });
    expect(await paused(world)).toBe(0);
    expect(count.mostStatements()).toBeLessThanOrEqual(MOST_STATEMENTS);
  });

  test("are synced and verified so", async () => {
    const { world, services, count, ids } = await crowd({ linked: true });
    for (const kind of ["sync", "verify"] as const) {
      expect(await press(services, kind, ids)).toMatchObject({ kind: "started", count: MANY });
      await doJob({ world });
      const asked = await world.store.jobItems.list({ shop: SHOP, state: "waiting" });
      expect(asked.filter(({ workItemId }) => workItemId !== null)).toHaveLength(MANY);
      const jobId = asked[0]!.jobId;
      expect(await cancelJob(services, { shop: SHOP, jobId })).toBe("cancelled");
      expect(await readJob(services, { shop: SHOP, jobId })).toMatchObject({ state: "cancelled", total: MANY });
    }
    expect(count.mostStatements()).toBeLessThanOrEqual(MOST_STATEMENTS);
  });

  test("that have no template are skipped by a verification so", async () => {
    const { world, services, count, ids } = await crowd({ linked: true });
    for (const locationId of ids.slice(1)) await world.store.links.delete({ shop: SHOP, locationId });
    expect(await press(services, "verify", ids)).toMatchObject({ kind: "started", count: 1, skipped: MANY - 1 });
    await doJob({ world });
    const skips = [{ reason: "no_template", count: MANY - 1 }];
    expect(await readJob(services, { shop: SHOP })).toMatchObject({ skipped: MANY - 1, skips, waiting: 1 });
    expect(count.mostStatements()).toBeLessThanOrEqual(MOST_STATEMENTS);
  });

  test("are confirmed in Review so, and a cancel takes them back so", async () => {
    const { world, services, count, ids } = await crowd();
    const split = Object.fromEntries(SPLIT_FIELDS.map((field) => [field, null])) as ConfirmedSplit["values"];
    const rows = ids.map((locationId, index) => ({
      locationId,
      revision: 0,
      readFrom: addressText(shopifyLocation(index + 1).address),
      contact: NO_CONTACT,
      split: {
        ...split,
        street1: "Avenida Vallarta",
        street_number: "1",
        area_level3: "Americana",
        area_level2: "Guadalajara",
      },
      templateId: "create" as const,
      templateVersion: null,
    }));
    const outcome = await confirmReview(services, { shop: SHOP, contact: CONTACT, contactRevision: 0, rows });
    expect(outcome).toMatchObject({ kind: "confirmed", count: MANY, refused: [] });
    const jobId = outcome.kind === "confirmed" ? outcome.jobId! : "";
    expect(await readJob(services, { shop: SHOP, jobId })).toMatchObject({ total: MANY, waiting: MANY });
    await cancelJob(services, { shop: SHOP, jobId });
    expect(await readJob(services, { shop: SHOP, jobId })).toMatchObject({ cancelled: MANY, returned: MANY });
    expect(await world.store.details.count({ shop: SHOP, confirmedAtMs: null })).toBe(MANY);
    expect(count.mostStatements()).toBeLessThanOrEqual(MOST_STATEMENTS);
  });

  test("are left as they are from the moment the job is stopped", async () => {
    const { world, services, ids } = await crowd();
    let transactions = 0;
    const stopping: Services["store"] = {
      ...services.store,
      transaction: async (shop, work) => {
        transactions += 1;
        // The press takes five; the others are the job's.
        if (transactions === 9) {
          const job = await services.store.jobs.find({ shop: SHOP, state: "running" });
          await cancelJob(services, { shop: SHOP, jobId: job!.id });
        }
        return services.store.transaction(shop, work);
      },
    };
    const started = await press({ ...services, store: stopping }, "pause", ids);
    const jobId = started.kind === "started" ? started.jobId : "";
    await doJob({ world });
    const done = await paused(world);
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(MANY);
    const ended = { state: "cancelled", done, cancelled: MANY - done, waiting: 0 };
    expect(await readJob(services, { shop: SHOP, jobId })).toMatchObject(ended);
  });

  test("are paused to the last, though the process dies in the middle, or in the middle of the press", async () => {
    const { world, services, ids } = await crowd();
    let transactions = 0;
    const dying: Services["store"] = {
      ...services.store,
      transaction: (shop, work) =>
        (transactions += 1) > 2 ? new Promise(() => undefined) : services.store.transaction(shop, work),
    };
    void press({ ...services, store: dying }, "pause", ids);
    await world.clock.runFor(1_000);
    const stored = await world.store.jobItems.count({ shop: SHOP });
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(MANY);
    world.start();
    await world.runFor(30_000);
    // Nobody knows yet whether the press goes on.
    expect(await readJob(services, { shop: SHOP })).toMatchObject({ state: "running", waiting: stored });
    await world.runFor(60_000);
    expect(await readJob(services, { shop: SHOP })).toMatchObject({ state: "done", total: stored, done: stored });
    expect(await paused(world)).toBe(stored);
  });
});

test("a few origins are paused before the press is answered", async () => {
  const { world, services } = await crowd();
  const few = Array.from({ length: 15 }, (_one, index) => locationGid(index + 1));
  expect(await pauseOrigin(services, { shop: SHOP, locationIds: few, paused: true })).toHaveLength(15);
  expect(await paused(world)).toBe(15);
  expect(await world.store.jobs.count({ shop: SHOP })).toBe(0);
});
