import { describe, expect, test } from "vitest";
import type { OriginsIntent } from "../../app/components/origins/origins-intent.ts";
import { ALL_ORIGINS } from "../../app/views/origins.ts";
import type { OriginsQuery } from "../../app/views/origins.ts";
import { locationGid, locationRecord, SHOP } from "../fakes/records.ts";
import { workFor } from "../fakes/by-hand.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World, WorldOptions } from "../fakes/world.ts";
import { posting } from "./posting.ts";
import type { Params } from "./posting.ts";

/** What the list of origins sends, and the button that cancels its job, from their actions to the store and the service. */

const post = posting<OriginsIntent>(() => import("../../app/routes/app.origins._index/route.tsx"));
const postJob = posting<object>(() => import("../../app/routes/app.jobs.$jobId.tsx"));

const OTHER = "two.myshopify.com";
const query: OriginsQuery = ALL_ORIGINS;
const [first, second, third] = [locationGid(1), locationGid(2), locationGid(3)];

/** Three confirmed origins; with their templates where the worker had its time. */
async function three({ made = true, ...options }: WorldOptions & { made?: boolean } = {}): Promise<World> {
  const world = await createWorld({ policies: { carriers: ["fedex"] }, ...options });
  for (const number of [1, 2, 3]) {
    await world.addLocation(number);
    await world.store.locations.insert(locationRecord({ ...shopifyLocation(number), shop: SHOP }));
  }
  if (made) {
    for (const locationId of [first, second, third]) await world.requestWork("location", locationId);
    await workFor(world, 60_000);
  }
  world.calls.length = 0;
  return world;
}

const pausedOf = async (world: World) =>
  (await world.store.details.list({ shop: SHOP, paused: true })).map(({ locationId }) => locationId).sort();
/** How often it was asked to look at everything. */
const looks = async (world: World) =>
  (await world.store.workItems.find({ shop: SHOP, kind: "reconcile" }))?.generation ?? 0;
const itemsOf = async (world: World) => {
  const job = (await world.store.jobs.find({ shop: SHOP, state: "running" }))!;
  const items = await world.store.jobItems.list({ jobId: job.id });
  return { job, locationIds: items.map(({ locationId }) => locationId).sort() };
};

const COMMANDS: Record<OriginsIntent["intent"], () => Promise<void>> = {
  async sync() {
    const world = await three();
    const before = await looks(world);
    const template = world.templateOf(second)!;
    world.account.byPerson.edit(template.id, "reference", "Portón azul", world.clock.nowMs());
    const answer = await post(world, { intent: "sync", locationIds: [first, second], query });
    expect(answer).toEqual({ status: 200, said: { kind: "started", count: 2 } });
    const { job, locationIds } = await itemsOf(world);
    expect([job.kind, locationIds]).toEqual(["sync", [first, second]]);
    // The account is looked at as well, so that what was changed there is seen.
    expect(await looks(world)).toBe(before + 1);
    await workFor(world, 60_000);
    const link = await world.store.links.find({ locationId: second });
    expect(link!.differences).toMatchObject([{ field: "reference", theirs: "Portón azul" }]);
  },
  async verify() {
    const world = await three();
    const before = await looks(world);
    const found = { ...query, search: "vallarta 103" };
    const answer = await post(world, { intent: "verify", locationIds: "filter", query: found });
    expect(answer).toEqual({ status: 200, said: { kind: "started", count: 1 } });
    const { job, locationIds } = await itemsOf(world);
    expect([job.kind, job.carriers, locationIds]).toEqual(["verify", ["fedex"], [third]]);
    expect(await looks(world)).toBe(before);
    await workFor(world, 5_000);
    expect(world.calls.filter((call) => call === "verify")).toHaveLength(1);
  },
  async pause() {
    const world = await three();
    const answer = await post(world, { intent: "pause", locationIds: [first, third], query });
    expect(answer).toEqual({ status: 200, said: { kind: "paused", count: 2, changed: [first, third] } });
    expect(await pausedOf(world)).toEqual([first, third]);
  },
  async resume() {
    const world = await three();
    await post(world, { intent: "pause", locationIds: [first, third], query });
    const answer = await post(world, { intent: "resume", locationIds: [second, third], query });
    expect(answer).toEqual({ status: 200, said: { kind: "resumed", count: 1, changed: [third] } });
    expect(await pausedOf(world)).toEqual([first]);
  },
};

describe("a command of the list of origins", () => {
  test.each(Object.entries(COMMANDS))("%s", (_intent, play) => play());
});

describe("the list of origins is told why not", () => {
  test("another job runs", async () => {
    const world = await three();
    await post(world, { intent: "sync", locationIds: [first], query });
    for (const intent of ["sync", "verify"] as const)
      expect((await post(world, { intent, locationIds: [second], query })).said).toEqual({ kind: "busy" });
  });

  test.each<[string, WorldOptions & { made?: boolean }, OriginsIntent, Params?]>([
    ["none has a template", { made: false }, { intent: "verify", locationIds: [first], query }],
    ["the shop names no carrier", { policies: { carriers: [] } }, { intent: "verify", locationIds: [first], query }],
    ["none is found", {}, { intent: "sync", locationIds: "filter", query: { ...query, search: "nowhere" } }],
    ["all of another shop's", {}, { intent: "sync", locationIds: "filter", query }, { shop: OTHER }],
  ])("%s", async (_title, options, body, where = {}) => {
    const world = await three(options);
    expect(await post(world, body, where)).toEqual({ status: 200, said: { kind: "nothing" } });
    expect(await world.store.jobs.count({ state: "running" })).toBe(0);
  });

  test.each(["pause", "resume", "sync", "verify"] as const)("nothing of another shop is found: %s", async (intent) => {
    const world = await three();
    const body = { intent, locationIds: [first], query };
    expect(await post(world, body, { shop: OTHER })).toEqual({ status: 404, said: null });
    expect(await post(world, { ...body, locationIds: ["gid://shopify/Location/99", "x"] })).toMatchObject({
      status: 404,
    });
    expect(await pausedOf(world)).toEqual([]);
    expect(await world.store.jobs.count({})).toBe(0);
  });
});

describe("cancelling a job", () => {
  test("stops what it has not begun", async () => {
    const world = await three();
    await post(world, { intent: "verify", locationIds: [first, second], query });
    const { job } = await itemsOf(world);
    expect(await postJob(world, {}, { jobId: job.id })).toEqual({ status: 200, said: { kind: "cancelled" } });
    expect(await world.store.jobItems.count({ jobId: job.id, state: "cancelled" })).toBe(2);
  });

  test("of another shop finds none", async () => {
    const world = await three();
    await post(world, { intent: "verify", locationIds: [first], query });
    const { job } = await itemsOf(world);
    expect(await postJob(world, {}, { jobId: job.id, shop: OTHER })).toEqual({ status: 404, said: null });
    expect(await world.store.jobs.count({ shop: SHOP, state: "running" })).toBe(1);
  });
});
