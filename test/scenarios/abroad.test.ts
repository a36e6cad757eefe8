import { describe, expect, test } from "vitest";
import { readHome } from "../../app/pages/read-home.ts";
import { readOrigin } from "../../app/pages/read-origin.ts";
import { readOrigins } from "../../app/pages/read-origins.ts";
import { readReview } from "../../app/pages/read-review.ts";
import { includeOrigin } from "../../app/origins/include-origin.ts";
import { startJob } from "../../app/jobs/start-job.ts";
import { workFor } from "../fakes/by-hand.ts";
import { locationRecord, SHOP } from "../fakes/records.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { ALL_ORIGINS } from "../../app/views/origins.ts";

/** A shop with locations in Mexico and elsewhere: nothing is sent for the others, and nothing is lost of them. */

const TEXAS = { ...mexicanAddress(), address1: "100 Main St", city: "Laredo", province: "Texas", provinceCode: "TX" };
const ABROAD = { ...TEXAS, countryCode: "US", zip: "78040", phone: "+19565550100" };

async function origin(world: World, number: number, address = mexicanAddress()): Promise<string> {
  const locationId = await world.addLocation(number, { address });
  await world.store.locations.insert(locationRecord({ ...shopifyLocation(number, { address }), shop: SHOP }));
  return locationId;
}

const sync = (world: World, locationIds: string[]) =>
  startJob(world.services, { shop: SHOP, kind: "sync", carriers: null, locationIds });

const ALL = ALL_ORIGINS;

async function move(world: World, locationId: string, address: ReturnType<typeof mexicanAddress>): Promise<void> {
  world.shopify.put(SHOP, { ...shopifyLocation(1), locationId, address });
  await world.store.locations.update({ shop: SHOP, locationId }, { address });
}

describe("a location outside Mexico", () => {
  test("is passed over, and the others of its shop are synced", async () => {
    const world = await createWorld({ policies: { carriers: [] } });
    const [here, there] = [await origin(world, 1), await origin(world, 2, ABROAD)];
    await sync(world, [here, there]);
    await workFor(world, 30_000);
    expect(world.account.templates.size).toBe(1);
    expect(world.templateOf(here)!.address.country_code).toBe("MX");
    expect(await world.store.jobItems.list({ locationId: there })).toMatchObject([
      { state: "skipped", detail: "abroad" },
    ]);
    expect(await world.store.activity.find({ shop: SHOP, kind: "sync_skipped" })).toMatchObject({ detail: "abroad" });
  });

  test("is never called ready, and is not asked about", async () => {
    const world = await createWorld({ policies: { carriers: [] } });
    const [here, there] = [await origin(world, 1), await origin(world, 2, ABROAD)];
    await world.store.details.update({ shop: SHOP, locationId: there }, { confirmedAtMs: null });
    await sync(world, [here, there]);
    await workFor(world, 30_000);
    const view = (await readOrigin(world.services, { shop: SHOP, locationId: there }))!;
    expect(view).toMatchObject({ state: "not_included", exclusion: "abroad", canInclude: false, preview: null });
    expect(view.readiness.find(({ code }) => code === "included")).toMatchObject({ met: false });
    expect((await readReview(world.services, { shop: SHOP }))!.rows).toEqual([]);
    const rows = (await readOrigins(world.services, { shop: SHOP, query: ALL }))!.rows;
    expect(rows.map(({ state, abroad }) => [state, abroad])).toEqual([
      ["ready", false],
      ["not_included", true],
    ]);
    const home = (await readHome(world.services, { shop: SHOP }))!;
    expect(home.origins).toMatchObject({ ready: 1, total: 1 });
    expect(home.needs).toEqual([]);
  });

  test("cannot be made an origin by its owner", async () => {
    const world = await createWorld();
    const there = await origin(world, 1, ABROAD);
    expect(await includeOrigin(world.services, { shop: SHOP, locationId: there })).toEqual({ kind: "impossible" });
  });

  test("keeps its template and link untouched when its country was changed, and goes on when it is changed back", async () => {
    const world = await createWorld({ policies: { carriers: [], onDelete: "delete", onDeactivate: "delete" } });
    const here = await origin(world, 1);
    await sync(world, [here]);
    await workFor(world, 30_000);
    const before = structuredClone(world.templateOf(here)!);
    const writes = () => world.calls.filter((call) => ["create", "update", "delete"].includes(call)).length;
    const written = writes();
    await move(world, here, ABROAD);
    await sync(world, [here]);
    await workFor(world, 30_000);
    expect(world.templateOf(here)).toEqual(before);
    expect(writes()).toBe(written);
    expect(await world.store.links.count({ shop: SHOP, locationId: here })).toBe(1);
    await move(world, here, mexicanAddress({ street: "Avenida Juárez" }));
    await sync(world, [here]);
    await workFor(world, 30_000);
    expect(world.templateOf(here)!.address.street1).toBe("Avenida Juárez");
    expect(world.account.templates.size).toBe(1);
  });
});
