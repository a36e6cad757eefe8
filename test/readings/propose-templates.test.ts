import { expect, test } from "vitest";
import { proposeTemplates } from "../../app/readings/propose-templates.ts";
import { readOriginFacts } from "../../app/readings/read-origin-facts.ts";
import type { OriginRecords } from "../../app/readings/read-origin-facts.ts";
import { detailsRecord, locationRecord, SHOP, templateRecord } from "../fakes/records.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

const TEMPLATES = 60;
const LOCATIONS = 40;

async function furnished(): Promise<World> {
  const world = await createWorld();
  const { store } = world;
  for (let number = 1; number <= LOCATIONS; number += 1) {
    const location = shopifyLocation(number);
    await store.locations.insert(locationRecord(location));
    await store.details.insert(detailsRecord({ locationId: location.locationId }));
  }
  const [{ template }] = [templateRecord({})];
  for (let number = 1; number <= TEMPLATES; number += 1) {
    const id = `template-${number}`;
    const like = { ...template, id, alias_name: `Bodega ${number}` };
    await store.templates.insert(templateRecord({ templateId: id, template: like }));
  }
  return world;
}

/** A clock by which each thing that is worked on takes long. Tells which locations were worked on between two turns of the event loop. */
function slow(origins: OriginRecords[]) {
  let nowMs = 0;
  let turns = 0;
  let touched = new Set<string>();
  let mostTouched = 0;
  const seen = origins.map((origin): OriginRecords => {
    const { location } = origin;
    return Object.defineProperty({ ...origin }, "location", {
      enumerable: true,
      get() {
        touched.add(location.locationId);
        mostTouched = Math.max(mostTouched, touched.size);
        return location;
      },
    });
  });
  const clock = {
    nowMs: () => nowMs,
    monotonicMs: () => (nowMs += 20),
    turn: () => {
      turns += 1;
      touched = new Set();
      return Promise.resolve();
    },
  };
  return { seen, clock, turns: () => turns, mostTouched: () => mostTouched };
}

test("others have their turn between two templates, and between two locations, that are compared", async () => {
  const world = await furnished();
  const { connection, origins } = (await readOriginFacts(world.services, { shop: SHOP }))!;
  expect(origins).toHaveLength(LOCATIONS);
  const { seen, clock, turns, mostTouched } = slow(origins);
  const services = { store: world.services.store, clock: { ...world.services.clock, ...clock } };
  const found = await proposeTemplates(services, { connection, origins: seen });
  expect(found.size).toBe(LOCATIONS);
  expect(turns()).toBeGreaterThanOrEqual(TEMPLATES + LOCATIONS);
  expect(mostTouched()).toBe(1);
});

test("the book is worked through once, and not for every page that is opened", async () => {
  const world = await furnished();
  const { connection, origins } = (await readOriginFacts(world.services, { shop: SHOP }))!;
  // Nothing is written meanwhile.
  const store = { ...world.services.store, revision: () => 1 };
  const turnsOfAPage = async () => {
    const { seen, clock, turns } = slow(origins);
    await proposeTemplates({ store, clock: { ...world.services.clock, ...clock } }, { connection, origins: seen });
    return turns();
  };
  expect(await turnsOfAPage()).toBeGreaterThanOrEqual(TEMPLATES);
  // Each location is compared, and what was found of it is put together.
  expect(await turnsOfAPage()).toBeLessThanOrEqual(2 * LOCATIONS);
});

test("the shop's links are read once, and again when one was written", async () => {
  const world = await furnished();
  const { connection, origins } = (await readOriginFacts(world.services, { shop: SHOP }))!;
  let revision = 1;
  let asked = 0;
  const { links } = world.services.store;
  const list: typeof links.list = (...args) => {
    asked += 1;
    return links.list(...args);
  };
  const store = { ...world.services.store, links: { ...links, list }, revision: () => revision };
  const open = () => proposeTemplates({ ...world.services, store }, { connection, origins });
  await open();
  await open();
  expect(asked).toBe(1);
  revision += 1;
  await open();
  expect(asked).toBe(2);
});
