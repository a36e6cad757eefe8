import { expect, test } from "vitest";
import { readJob } from "../../app/jobs/read-job.ts";
import { startJob } from "../../app/jobs/start-job.ts";
import { requestWork } from "../../app/runs/request-work.ts";
import { SHOP } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { createWorld } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** A job calls nothing saved that the service refused, whoever asks for the origin again before anybody looks at the job. */

const REFUSAL = JSON.stringify({ errors: { address_template: { postal_code: ["no existe"] } } });

async function withRefusedChange() {
  const world = await createWorld({ policies: { carriers: [] } });
  const locationId = await world.addLocation(1);
  world.start();
  await world.runFor(120_000);
  world.outcomeOf = (operation) =>
    operation === "update"
      ? { arrivesAfterMs: 20, effectAfterMs: null, answer: { kind: "said", status: 422, body: REFUSAL, afterMs: 20 } }
      : PROMPT;
  const location = world.shopify.known(SHOP, locationId)!;
  world.shopify.put(SHOP, { ...location, address: { ...location.address, zip: "44100" } });
  await startJob(world.services, { shop: SHOP, kind: "sync", carriers: null, locationIds: [locationId] });
  return { world, locationId };
}

const ask = (world: World, key: string) =>
  world.store.transaction(SHOP, (tables) => requestWork(world.services, tables, { shop: SHOP, kind: "location", key }));

const job = async (world: World) => (await readJob(world.services, { shop: SHOP }))!;

test("an origin that the service refused has failed, though it is asked for again", async () => {
  const { world, locationId } = await withRefusedChange();
  for (let i = 0; i < 600 && (await world.workItem("location", locationId)).state !== "blocked"; i += 1)
    await world.runFor(100);
  await ask(world, locationId);
  expect(await job(world)).toMatchObject({ state: "done", done: 0, failed: 1 });
});

test("so has one that is asked for again while the service refuses it", async () => {
  const { world, locationId } = await withRefusedChange();
  const calls = world.calls.length;
  for (let i = 0; i < 6_000 && !world.calls.slice(calls).includes("update"); i += 1) await world.runFor(10);
  await ask(world, locationId);
  const before = (await world.workItem("location", locationId)).observedGeneration;
  for (let i = 0; i < 6_000 && (await world.workItem("location", locationId)).observedGeneration === before; i += 1)
    await world.runFor(10);
  expect(await job(world)).toMatchObject({ state: "done", done: 0, failed: 1 });
});
