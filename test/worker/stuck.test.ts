import { describe, expect, test } from "vitest";
import { receiveWebhook } from "../../app/use-cases/receive-webhook.ts";
import { requestVerification } from "../../app/use-cases/request-verification.ts";
import type { Worker } from "../../app/worker/worker.ts";
import { SHOP } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping-network.ts";
import type { Fate, ServiceRequest } from "../fakes/shipping-network.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World, WorldOptions } from "../fakes/world.ts";

/** One thing that the service always answers with a failure: the others go on, its owner is told, and it costs little. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WORDS = "Se cayó el servidor de plantillas";
const FAILS: Fate = {
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: { kind: "said", status: 500, body: JSON.stringify({ message: WORDS }), afterMs: 100 },
};
const SILENT: Fate = { arrivesAfterMs: 20, effectAfterMs: null, answer: { kind: "silence" } };

type Sticks = (request: ServiceRequest) => boolean;

interface Stage {
  world: World;
  worker: Worker;
  /** Location ids: the first is the stuck one's. */
  keys: string[];
  stuckId: string;
  /** From now on the service fails so for every request of the kind. */
  stick(sticks: Sticks, fate?: Fate): void;
  /** A location gets another house number in Shopify, which tells us. */
  change(index: number, number: string): Promise<void>;
  /** Shopify tells us of a location, by its number. */
  tell(number: number): Promise<void>;
  numberThere(index: number): string | null | undefined;
}

let webhooks = 0;

async function staged(locations: number, options: WorldOptions = {}): Promise<Stage> {
  const world = await createWorld(options);
  const keys: string[] = [];
  for (let number = 1; number <= locations; number += 1) keys.push(await world.addLocation(number));
  const worker = world.start();
  await world.settle(3 * MINUTE_MS);
  expect(await world.store.links.count({ shop: SHOP })).toBe(locations);
  const stuckId = world.templateOf(keys[0]!)!.id;
  const stage: Stage = {
    world,
    worker,
    keys,
    stuckId,
    stick(sticks, fate = FAILS) {
      world.fateOf = (_, request) => (sticks(request) ? fate : PROMPT);
    },
    async change(index, number) {
      world.shopify.put(SHOP, shopifyLocation(index + 1, { address: mexicanAddress({ number }) }));
      await stage.tell(index + 1);
    },
    async tell(id) {
      webhooks += 1;
      const webhook = { topic: "locations/update", webhookId: `w${webhooks}`, payload: { id } };
      await receiveWebhook(world.services, { shop: SHOP, ...webhook });
    },
    numberThere: (index) => world.templateOf(keys[index]!)?.address.street_number,
  };
  return stage;
}

/** What the stuck thing costs: its own calls, and the probes that were made for its sake. */
function callsBetween({ world }: Stage, fromMs: number, untilMs: number): number {
  return world.requests.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs).length;
}

function expectCheap(stage: Stage, sinceMs: number): void {
  expect(callsBetween(stage, sinceMs, sinceMs + HOUR_MS)).toBeLessThanOrEqual(60);
  const endMs = stage.world.clock.nowMs();
  for (let fromMs = sinceMs + HOUR_MS; fromMs + HOUR_MS <= endMs; fromMs += 10 * MINUTE_MS)
    expect(callsBetween(stage, fromMs, fromMs + HOUR_MS)).toBeLessThanOrEqual(12);
}

/** Every other location changes, again and again, and each change is there within two minutes. */
async function expectOthersServed(stage: Stage, rounds: number): Promise<void> {
  const others = stage.keys.map((_, index) => index).slice(1);
  for (let round = 1; round <= rounds; round += 1) {
    for (const index of others) await stage.change(index, String(1_000 * round + index));
    await stage.world.settle(2 * MINUTE_MS);
    for (const index of others) expect(stage.numberThere(index)).toBe(String(1_000 * round + index));
  }
}

const STUCK: [string, (stage: Stage) => Sticks][] = [
  [
    "whose template cannot be read",
    ({ stuckId }) =>
      ({ operation, templateId }) =>
        operation === "get" && templateId === stuckId,
  ],
  [
    "whose template cannot be changed",
    ({ stuckId }) =>
      ({ operation, templateId }) =>
        operation === "update" && templateId === stuckId,
  ],
];

describe.each(STUCK)("a location %s", (_, sticksAt) => {
  test.each([10, 1])("holds up none of %d others", async (others) => {
    const stage = await staged(others + 1);
    stage.stick(sticksAt(stage));
    await stage.change(0, "900");
    await expectOthersServed(stage, 5);
    expect(stage.numberThere(0)).toBe("101");
    await stage.world.clock.runWhile(stage.worker.stop());
  });

  test("rests the connection for nobody", async () => {
    const stage = await staged(4);
    stage.stick(sticksAt(stage));
    const rests: number[] = [];
    const { connections } = stage.world.store;
    const update = connections.update.bind(connections);
    connections.update = (where, patch) => {
      if (patch.backoffUntilMs) rests.push(patch.backoffUntilMs);
      return update(where, patch);
    };
    await stage.change(0, "900");
    for (let hour = 0; hour < 24; hour += 1) {
      await stage.change(1, String(2_000 + hour));
      await stage.world.settle(HOUR_MS);
    }
    expect(rests).toEqual([]);
    await stage.world.clock.runWhile(stage.worker.stop());
  });

  test("costs at most 60 calls in its first hour and 12 an hour after, in a shop where nothing else happens", async () => {
    const stage = await staged(2);
    stage.stick(sticksAt(stage));
    const sinceMs = stage.world.clock.nowMs();
    await stage.change(0, "900");
    await stage.world.settle(30 * HOUR_MS);
    expectCheap(stage, sinceMs);
    expect(callsBetween(stage, sinceMs, sinceMs + HOUR_MS)).toBeGreaterThan(10);
    await stage.world.clock.runWhile(stage.worker.stop());
  });

  test("is parked in the end, tells the service's words, and comes through when the service is well again", async () => {
    const stage = await staged(2);
    const { world, keys } = stage;
    stage.stick(sticksAt(stage));
    await stage.change(0, "900");
    const sinceMs = world.clock.nowMs();
    await world.settle(5.2 * HOUR_MS);
    const target = await world.target("location", keys[0]!);
    expect(target).toMatchObject({ state: "parked", failures: 20, reason: { code: "server_error", message: WORDS } });
    expect(target.failingSinceMs).toBeLessThan(sinceMs + MINUTE_MS);
    expect(world.requests.map(({ requestId }) => requestId)).toContain(target.reason!.requestId);
    world.fateOf = () => PROMPT;
    await world.settle(2 * HOUR_MS);
    expect(stage.numberThere(0)).toBe("900");
    expect(await world.target("location", keys[0]!)).toMatchObject({ state: "active", failingSinceMs: null });
    await world.clock.runWhile(stage.worker.stop());
  });
});

describe.each([
  ["fails", FAILS],
  ["does not answer", SILENT],
] as [string, Fate][])("a list that always %s", (_, fate) => {
  const sticks: Sticks = ({ operation }) => operation === "list";

  test.each([10, 1])("holds up none of %d known links", async (links) => {
    const stage = await staged(links + 1);
    stage.stick(sticks, fate);
    await stage.world.raise("reconcile", "shop");
    stage.world.services.wake();
    await expectOthersServed(stage, 5);
    await stage.world.clock.runWhile(stage.worker.stop());
  });

  test("costs at most 60 calls in its first hour and 12 an hour after", async () => {
    const stage = await staged(2);
    stage.stick(sticks, fate);
    const sinceMs = stage.world.clock.nowMs();
    await stage.world.raise("reconcile", "shop");
    stage.world.services.wake();
    await stage.world.settle(30 * HOUR_MS);
    expectCheap(stage, sinceMs);
    const look = await stage.world.target("reconcile", "shop");
    expect(look.state).toBe("active");
    expect(look.failures).toBeGreaterThan(20);
    await stage.world.clock.runWhile(stage.worker.stop());
  });

  test("lets creates wait and say so, until it answers again", async () => {
    const stage = await staged(1);
    const { world } = stage;
    stage.stick(sticks, fate);
    await world.raise("reconcile", "shop");
    world.services.wake();
    await world.settle(5 * MINUTE_MS);
    const key = await world.addLocation(2);
    await stage.tell(2);
    await world.settle(2 * MINUTE_MS);
    expect(world.templateOf(key)).toBeUndefined();
    const words = fate === FAILS ? WORDS : null;
    expect((await world.target("location", key)).reason).toMatchObject({ code: "book_unreadable", message: words });
    world.fateOf = () => PROMPT;
    await world.settle(20 * MINUTE_MS);
    expect(world.templateOf(key)).toBeDefined();
    await world.clock.runWhile(stage.worker.stop());
  });

  test("before it was ever read lets creates wait and say so, until it answers", async () => {
    const world = await createWorld();
    await world.store.connections.update({ shop: SHOP }, { bookReadAtMs: null, bookConfirmedAtMs: null });
    const key = await world.addLocation(1);
    world.fateOf = (_, request) => (sticks(request) ? fate : PROMPT);
    const worker = world.start();
    await world.settle(15 * MINUTE_MS);
    expect(world.templateOf(key)).toBeUndefined();
    expect(await world.target("location", key)).toMatchObject({ failures: 0, reason: { code: "book_unreadable" } });
    world.fateOf = () => PROMPT;
    await world.settle(20 * MINUTE_MS);
    expect(world.templateOf(key)).toBeDefined();
    await world.clock.runWhile(worker.stop());
  });

  test("does not keep the carriers' answers from being seen", async () => {
    const stage = await staged(3, { policies: { carriers: ["fedex"] } });
    const { world } = stage;
    stage.stick(sticks, fate);
    const templateIds = [...world.account.templates.keys()];
    for (const templateId of templateIds) {
      await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex"] });
      world.account.verify(templateId, ["fedex"]);
    }
    world.services.wake();
    await world.settle(MINUTE_MS);
    for (const templateId of templateIds) world.account.settle(templateId, "fedex", "approved");
    await world.settle(HOUR_MS);
    const said = await world.store.verifications.list({ shop: SHOP });
    expect(said.map(({ outcome }) => outcome)).toEqual(["accepted", "accepted", "accepted"]);
    await world.clock.runWhile(stage.worker.stop());
  });
});
