import { FLOW_TRIGGERS } from "../../app/domain/flow/triggers.ts";
import type { FlowTrigger, WorkItemKind } from "../../app/domain/records.ts";
import { useTrigger } from "../../app/triggers/use-trigger.ts";
import { verifyForFlow } from "../../app/flow/verify-for-flow.ts";
import { locationGid, locationRecord, SHOP } from "../fakes/records.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** A shop whose workflows use triggers, and what happens to its origins. */

const ALL = Object.keys(FLOW_TRIGGERS) as FlowTrigger[];
export const HOUR_MS = 3_600_000;

export async function use(world: World, isUsed = true, triggers: readonly FlowTrigger[] = ALL): Promise<void> {
  for (const trigger of triggers)
    await useTrigger(world.services, { shop: SHOP, trigger, isUsed, toldMs: world.clock.nowMs() });
}

/** Origins with their templates, which the carriers have accepted where `carriers` are chosen. */
export async function synced({ carriers = [] as string[], origins = 1 } = {}): Promise<World> {
  const world = await createWorld({ environment: "production", policies: { carriers, verifyAfterChange: false } });
  for (let number = 1; number <= origins; number += 1) {
    await world.addLocation(number);
    await world.store.locations.insert(locationRecord({ ...shopifyLocation(number), shop: SHOP }));
    await request(world, "location", locationGid(number));
  }
  world.start();
  await world.runFor();
  return world;
}

/** Requests work and wakes the worker, as whoever asks for it does. */
export async function request(world: World, kind: WorkItemKind, key: string): Promise<void> {
  await world.requestWork(kind, key);
  world.services.wake();
}

export const told = (world: World) => world.shopify.flow.map(({ trigger }) => trigger);

/** Somebody else changes the template in the address book, and the app looks. */
export async function changeThere(world: World, number: number, street1: string): Promise<void> {
  const template = world.templateOf(locationGid(number))!;
  world.account.byPerson.edit(template.id, "street1", street1, world.clock.nowMs());
  await world.runFor(120_000);
  await request(world, "reconcile", "shop");
  await world.runFor();
}

export const carriersOf = async (world: World) =>
  (await world.store.verifications.list({ shop: SHOP })).map((row) => row.outcome);

export async function verify(world: World, status: string): Promise<void> {
  await verifyForFlow(world.services, { shop: SHOP, actionRunId: world.services.random.id(), origin: "1" });
  await world.runFor(30_000);
  const template = world.templateOf(locationGid(1))!;
  world.account.setVerdict(template.id, "fedex", status);
  await world.runFor(3 * HOUR_MS);
}

export function eventOf(world: World, number: number) {
  const fields = { Location: `Bodega ${number}`, Template: "", Carrier: "", Status: "ready", Message: "" };
  const atMs = world.clock.nowMs();
  return {
    id: `event-${number}`,
    shop: SHOP,
    number,
    trigger: "origin-ready" as const,
    locationId: locationGid(1),
    fields,
    atMs,
  };
}
