import { beforeEach, expect, test } from "vitest";
import type { WorkItem } from "../../app/domain/records.ts";
import { createWorld } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { SHOP } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { FAILS } from "../scenarios/worker/stuck-stage.ts";

let world: World;
let key: string;

beforeEach(async () => {
  world = await createWorld();
  key = await world.addLocation(1);
  world.start();
  await world.runFor();
});

/** A location that was asked for and waits, for a reason that its page says. */
async function waits(over: Partial<WorkItem> = {}): Promise<number> {
  const { id, generation } = await world.workItem("location", key);
  const dueAtMs = world.clock.nowMs() + 45_000;
  const reason = { code: "book_unconfirmed", message: null, fields: null, requestId: null, atMs: 0 } as const;
  await world.store.workItems.update({ id }, { generation: generation + 1, reason, dueAtMs, ...over });
  return generation + 1;
}

async function reconcile(): Promise<void> {
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  await world.runFor(5_000);
}

test("a location that waits comes by itself: a look at everything does not ask for it", async () => {
  const generation = await waits();
  await reconcile();
  expect(await world.workItem("location", key)).toMatchObject({ generation });
});

test("one whose run is under way is asked for: that run may have planned on what was set before", async () => {
  const generation = await waits({ leaseOwner: "another", leaseUntilMs: world.clock.nowMs() + 45_000 });
  await reconcile();
  expect(await world.workItem("location", key)).toMatchObject({ generation: generation + 1, leaseOwner: "another" });
});

/** A known link whose location stopped for what may be over: only a look at everything asks for it. */
async function stopped(state: "blocked" | "parked"): Promise<void> {
  const code = state === "blocked" ? "shopify_refused" : "server_error";
  const reason = { code, message: null, fields: null, requestId: null, atMs: 0 } as const;
  const { id } = await world.workItem("location", key);
  await world.store.workItems.update({ id }, { state, reason });
}

test.each(["blocked", "parked"] as const)(
  "a known link that is %s is asked for although the list fails",
  async (state) => {
    await stopped(state);
    world.outcomeOf = (_, { operation }) => (operation === "list" ? FAILS : PROMPT);
    await reconcile();
    expect(await world.workItem("reconcile", "shop")).toMatchObject({ reason: { code: "server_error" } });
    expect(await world.workItem("location", key)).toMatchObject({ state: "active", reason: null });
  },
);

test.each(["blocked", "parked"] as const)(
  "a known link that is %s is asked for although the list waits for a connection that rests",
  async (state) => {
    await stopped(state);
    const backoffUntilMs = world.clock.nowMs() + 60_000;
    const rests = { backoffUntilMs, failures: 1, lastFaultKind: "server_error" } as const;
    await world.store.connections.update({ shop: SHOP }, rests);
    await reconcile();
    expect(await world.store.connections.find({ shop: SHOP })).toMatchObject({ backoffUntilMs });
    expect(await world.workItem("location", key)).toMatchObject({ state: "active" });
  },
);
