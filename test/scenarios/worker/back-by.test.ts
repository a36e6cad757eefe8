import { expect, test } from "vitest";
import type { Worker } from "../../../app/worker/worker.ts";
import { createWorld } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/** By when the worker says it comes round again, which `GET /health` holds it to. */

const MINUTE_MS = 60_000;

const isLate = (world: World, worker: Worker) => world.services.clock.monotonicMs() > worker.backByMs();

async function staged() {
  const world = await createWorld();
  await world.addLocation(1);
  const worker = world.start();
  await world.runFor(MINUTE_MS);
  const { list } = world.store.workItems;
  return { world, worker, mend: () => void (world.store.workItems.list = list) };
}

test("one that works or rests is never late", async () => {
  const { world, worker } = await staged();
  for (let look = 0; look < 200; look += 1) {
    await world.runFor(7_000);
    expect(isLate(world, worker)).toBe(false);
  }
  await world.clock.runWhile(worker.stop());
});

test("one that hangs on the store is late within two minutes", async () => {
  const { world, worker } = await staged();
  world.store.workItems.list = () => new Promise(() => undefined);
  await world.runFor(2 * MINUTE_MS);
  expect(isLate(world, worker)).toBe(true);
});

test("one whose every look fails is late within two minutes, and no longer once a look succeeds", async () => {
  const { world, worker, mend } = await staged();
  world.store.workItems.list = () => Promise.reject(new Error("disk I/O error"));
  await world.runFor(10_000);
  expect(isLate(world, worker)).toBe(false);
  await world.runFor(2 * MINUTE_MS);
  expect(isLate(world, worker)).toBe(true);
  mend();
  await world.runFor(5_000);
  expect(isLate(world, worker)).toBe(false);
  await world.clock.runWhile(worker.stop());
});

test("one that serves a shop and then fails each time is late, too", async () => {
  const { world, worker, mend } = await staged();
  const { list } = world.store.workItems;
  mend();
  // What is due is found; what comes next is not.
  world.store.workItems.list = (where, options) =>
    where.dueAtMs && "gt" in (where.dueAtMs as object)
      ? Promise.reject(new Error("disk I/O error"))
      : list(where, options);
  await world.runFor(3 * MINUTE_MS);
  expect(isLate(world, worker)).toBe(true);
});

test("one that never gets through its first turn is late", async () => {
  const world = await createWorld();
  world.store.shops.list = () => Promise.reject(new Error("disk I/O error"));
  world.store.workItems.list = () => Promise.reject(new Error("disk I/O error"));
  const worker = world.start();
  await world.runFor(2 * MINUTE_MS);
  expect(isLate(world, worker)).toBe(true);
});
