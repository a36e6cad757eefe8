import { expect, test } from "vitest";
import { isLatest } from "../../app/book/number-readings.ts";
import { dropIfOvertaken } from "../../app/book/overtaken.ts";
import { syncOrigin } from "../../app/origins/sync-origin.ts";
import { refOf } from "../../app/runs/circuit-breaker.ts";
import { requestLookAgain } from "../../app/runs/look-again.ts";
import { SHOP } from "../fakes/records.ts";
import { createWorld } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { FAILS, SILENT } from "../scenarios/worker/stuck-stage.ts";

/** A doubt that came after an answer was asked for is not ended by that answer, also where the template was in doubt before. */

async function doubted() {
  const world = await createWorld({ policies: { carriers: [] } });
  const key = await world.addLocation(1);
  const worker = world.start();
  await world.runFor();
  await world.clock.runWhile(worker.stop());
  const { id: templateId } = world.templateOf(key)!;
  await world.store.templates.update({ shop: SHOP, templateId }, { disputedSinceMs: world.clock.nowMs() });
  // A GET leaves now.
  const known = (await world.store.templates.find({ shop: SHOP, templateId }))!;
  await world.runFor(1_000);
  return { world, key, known };
}

const WAYS: Record<string, (world: World, key: string) => Promise<unknown>> = {
  "a run lost its lease": async (world, key) =>
    requestLookAgain({
      services: world.services,
      item: await world.workItem("location", key),
      listCalls: 0,
      lookedAt: [],
    } as never),
  "the owner pressed Sync now, and the service did not answer": (world, locationId) => {
    world.outcomeOf = () => SILENT;
    return world.clock.runWhile(syncOrigin(world.services, { shop: SHOP, locationId }));
  },
};

test.each(Object.entries(WAYS))("%s: an answer to an earlier question is not kept", async (_, doubt) => {
  const { world, key, known } = await doubted();
  await doubt(world, key);
  const { templateId, template } = known;
  const row = (await world.store.templates.find({ shop: SHOP, templateId }))!;
  expect(row.disputedSinceMs).toBeGreaterThan(known.disputedSinceMs!);
  const ref = refOf((await world.store.connections.find({ shop: SHOP, current: true }))!);
  expect(await dropIfOvertaken(world.store, { ref, templateId, known, template })).toBe(true);
});

test("a write that was planned before a run lost its lease is not sent: that run may have been told otherwise", async () => {
  const { world, key, known } = await doubted();
  expect(await isLatest(world.store, known)).toBe(true);
  await WAYS["a run lost its lease"]!(world, key);
  expect(await isLatest(world.store, known)).toBe(false);
});

test("what a run without its lease asked for is doubted, though it stands for another location by then", async () => {
  const { world, key, known } = await doubted();
  const { connectionId, templateId } = known;
  await world.store.templates.update({ shop: SHOP, templateId }, { disputedSinceMs: null });
  const other = await world.addLocation(2);
  await world.store.links.update({ shop: SHOP, templateId }, { locationId: other });
  const item = await world.workItem("location", key);
  await requestLookAgain({
    services: world.services,
    item,
    listCalls: 0,
    lookedAt: [{ connectionId, templateId }],
  } as never);
  expect((await world.store.templates.find({ shop: SHOP, templateId }))!.disputedSinceMs).toBe(world.clock.nowMs());
  expect((await world.workItem("location", other)).generation).toBe(1);
});

test("what a run without its lease was told, and did not keep, a list tells where the template's own GET always fails", async () => {
  const { world, key, known } = await doubted();
  const { templateId } = known;
  const worker = world.start();
  await world.runFor(60_000);
  world.account.byPerson.edit(templateId, "reference", "Puerta 9", world.clock.nowMs());
  world.outcomeOf = (_, { operation }) => (operation === "get" ? FAILS : PROMPT);
  await WAYS["a run lost its lease"]!(world, key);
  await world.runFor(90_000);
  const row = (await world.store.templates.find({ shop: SHOP, templateId }))!;
  expect(row.template.address.reference).toBe("Puerta 9");
  expect(row.disputedSinceMs).toBeNull();
  await world.clock.runWhile(worker.stop());
});
