import { beforeEach, expect, test } from "vitest";
import { refreshAddressBook } from "../../app/book/refresh-address-book.ts";
import { runNow } from "../../app/runs/run-now.ts";
import { SHOP, workItemRecord } from "../fakes/records.ts";
import { createWorld } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** A location waits for a book that cannot be read. It waits no longer than that lasts. */

const LOOK = { shop: SHOP, kind: "reconcile", key: "shop" } as const;

let world: World;
let key: string;

/** The look at everything fails at reading the book. */
beforeEach(async () => {
  world = await createWorld();
  key = await world.addLocation(1);
  await world.requestWork("reconcile", "shop");
  const reason = { code: "server_error", message: null, fields: null, requestId: null } as const;
  const failing = {
    failures: 3,
    reason: { ...reason, atMs: world.clock.nowMs() },
    dueAtMs: world.clock.nowMs() + 60_000,
  };
  await world.store.workItems.update(LOOK, failing);
  await world.clock.runFor(1_000);
});

async function run(): Promise<void> {
  const requested = await world.requestWork("location", key);
  await world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
}

const location = () => world.workItem("location", key);

test("while nobody could read it nothing is made, and the location says so", async () => {
  await run();
  expect(await location()).toMatchObject({ observedGeneration: 0, reason: { code: "book_unreadable" } });
  expect(world.calls).not.toContain("create");
});

test("once somebody has read it nobody waits, though the look at everything has not ended yet", async () => {
  await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
  await run();
  expect(await location()).toMatchObject({ observedGeneration: 1, reason: null });
  expect(world.calls).toContain("create");
});

test("a run that ends after the look at everything has come through comes again at once", async () => {
  const { store } = world;
  const find: typeof store.workItems.find = async (where) => {
    const found = await store.workItems.find(where);
    if (where.kind === "reconcile")
      await store.workItems.update(LOOK, { observedGeneration: 1, failures: 0, reason: null });
    return found;
  };
  Object.assign(world.services, { store: { ...store, workItems: { ...store.workItems, find } } });
  await run();
  expect(await location()).toMatchObject({ observedGeneration: 1, reason: null });
  expect(world.calls).toContain("create");
});

test.each(["location", "template", "verification"] as const)("once it is read a %s comes at once", async (kind) => {
  const { clock, store } = world;
  const reason = {
    code: "book_unreadable",
    message: null,
    fields: null,
    requestId: null,
    atMs: clock.nowMs(),
  } as const;
  const waiting = { reason, generation: 2, observedGeneration: 1, dueAtMs: clock.nowMs() + 900_000 };
  await store.workItems.insert(workItemRecord({ id: "waits", kind, key: "waits", ...waiting }));
  await clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
  expect((await store.workItems.find({ id: "waits" }))!.dueAtMs).toBeLessThanOrEqual(clock.nowMs());
});
