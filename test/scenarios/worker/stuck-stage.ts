import { expect } from "vitest";
import { readHome } from "../../../app/pages/read-home.ts";
import { receiveWebhook } from "../../../app/shop/receive-webhook.ts";
import type { FailureView } from "../../../app/views/failure.ts";
import type { Worker } from "../../../app/worker/worker.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome, ServiceRequest } from "../../fakes/shipping/network.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World, WorldOptions } from "../../fakes/world.ts";

/** One thing that the service always answers with a failure: the others go on, its owner is told, and it costs little. */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const WORDS = "Se cayó el servidor de plantillas";
export const FAILS: CallOutcome = {
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: { kind: "said", status: 500, body: JSON.stringify({ message: WORDS }), afterMs: 100 },
};
export const SILENT: CallOutcome = { arrivesAfterMs: 20, effectAfterMs: null, answer: { kind: "silence" } };

export type Sticks = (request: ServiceRequest) => boolean;

export interface Stage {
  world: World;
  worker: Worker;
  /** Location ids: the first is the stuck one's. */
  keys: string[];
  stuckId: string;
  /** From now on the service fails so for every request of the kind. */
  stick(sticks: Sticks, outcome?: CallOutcome): void;
  /** A location gets another house number in Shopify, which tells us. */
  change(index: number, number: string): Promise<void>;
  /** Shopify tells us of a location, by its number. */
  tell(number: number): Promise<void>;
  numberThere(index: number): string | null | undefined;
}

let webhooks = 0;

export async function staged(locations: number, options: WorldOptions = {}): Promise<Stage> {
  const world = await createWorld({ policies: { carriers: [] }, ...options });
  const keys: string[] = [];
  for (let number = 1; number <= locations; number += 1) keys.push(await world.addLocation(number));
  const worker = world.start();
  await world.runFor(3 * MINUTE_MS);
  expect(await world.store.links.count({ shop: SHOP })).toBe(locations);
  const stuckId = world.templateOf(keys[0]!)!.id;
  const stage: Stage = {
    world,
    worker,
    keys,
    stuckId,
    stick(sticks, outcome = FAILS) {
      world.outcomeOf = (_, request) => (sticks(request) ? outcome : PROMPT);
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
export function callsBetween({ world }: Stage, fromMs: number, untilMs: number): number {
  return world.requests.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs).length;
}

export function expectCheap(stage: Stage, sinceMs: number): void {
  expect(callsBetween(stage, sinceMs, sinceMs + HOUR_MS)).toBeLessThanOrEqual(60);
  const endMs = stage.world.clock.nowMs();
  for (let fromMs = sinceMs + HOUR_MS; fromMs + HOUR_MS <= endMs; fromMs += 10 * MINUTE_MS)
    expect(callsBetween(stage, fromMs, fromMs + HOUR_MS)).toBeLessThanOrEqual(12);
}

export async function homeOf({ world }: Stage) {
  return (await readHome(world.services, { shop: SHOP }))!;
}

/** What is told of a failure: the service's words, when it began, and a request that met it. */
export function expectTold({ world }: Stage, failure: FailureView | null | undefined, sinceMs: number): void {
  expect(failure).toMatchObject({ code: "server_error", serviceMessage: WORDS });
  expect(failure!.sinceMs! - sinceMs).toBeGreaterThanOrEqual(0);
  expect(failure!.sinceMs! - sinceMs).toBeLessThan(2 * MINUTE_MS);
  expect(world.requests.map(({ requestId }) => requestId)).toContain(failure!.requestId);
}

/** Every other location changes, again and again, and each change is there within two minutes. */
export async function expectOthersServed(stage: Stage, rounds: number): Promise<void> {
  const others = stage.keys.map((_, index) => index).slice(1);
  for (let round = 1; round <= rounds; round += 1) {
    for (const index of others) await stage.change(index, String(1_000 * round + index));
    await stage.world.runFor(2 * MINUTE_MS);
    for (const index of others) expect(stage.numberThere(index)).toBe(String(1_000 * round + index));
  }
}
