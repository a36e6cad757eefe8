import { expect, test } from "vitest";
import { readOrigins } from "../../app/pages/read-origins.ts";
import type { Services } from "../../app/ports.ts";
import { claimWorkItem } from "../../app/runs/claim.ts";
import { ALL_ORIGINS } from "../../app/views/origins.ts";
import { SUPPLIER } from "../fakes/by-hand.ts";
import { detailsRecord, locationRecord, SHOP, templateRecord } from "../fakes/records.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** While the event loop is held nothing else of the process goes on: other shops' pages and the budget's timers wait. */

const LOCATIONS = 40;
const TEMPLATES = 60;

/** Nobody's location has a template, and each template is somebody's of whom we know nothing. */
async function crowded(): Promise<World> {
  const world = await createWorld();
  const { store, account, shopify } = world;
  for (let number = 1; number <= LOCATIONS; number += 1) {
    const location = shopifyLocation(number);
    shopify.put(SHOP, location);
    await store.locations.insert(locationRecord(location));
    await store.details.insert(detailsRecord({ locationId: location.locationId, confirmedAtMs: 1 }));
  }
  for (let number = 1; number <= TEMPLATES; number += 1) {
    const template = account.create({ ...SUPPLIER, alias_name: `Bodega de otros ${number}` });
    await store.templates.insert(templateRecord({ templateId: template.id, template }));
  }
  return world;
}

/** The same services by a clock by which each thing that is worked on takes long, and how many turns they gave. */
function slow({ services }: World): { services: Services; turns: () => number } {
  const { clock } = services;
  let lateMs = 0;
  let turns = 0;
  const slowed: Services["clock"] = {
    ...clock,
    nowMs: () => clock.nowMs() + lateMs,
    machineMs: () => clock.machineMs() + lateMs,
    monotonicMs: () => clock.monotonicMs() + (lateMs += 20),
    turn: () => {
      turns += 1;
      return Promise.resolve();
    },
  };
  return { services: { ...services, clock: slowed }, turns: () => turns };
}

test("others have their turn between each two templates and each two locations that a look at everything works on", async () => {
  const world = await crowded();
  const { workItemId } = await world.requestWork("reconcile", "shop");
  const { services, turns } = slow(world);
  const item = await claimWorkItem(services, { workItemId, shop: SHOP, owner: "test" });
  await world.clock.runWhile(services.runWorkItem(services, { item: item! }));
  expect(await world.workItem("reconcile", "shop")).toMatchObject({ failures: 0, reason: null });
  const requested = await world.store.workItems.list({ shop: SHOP, kind: "location" });
  expect(requested).toHaveLength(LOCATIONS);
  // The book is compared with what was known and indexed; each location's facts, proposals, templates and plan are worked out.
  expect(turns()).toBeGreaterThanOrEqual(2 * TEMPLATES + 4 * LOCATIONS);
});

test("others have their turn between each two origins that a page works on", async () => {
  const world = await crowded();
  const { services, turns } = slow(world);
  const view = await readOrigins(services, { shop: SHOP, query: ALL_ORIGINS });
  expect(view!.rows.length).toBeGreaterThan(0);
  // The facts of each origin, and its state.
  expect(turns()).toBeGreaterThanOrEqual(2 * LOCATIONS);
});
