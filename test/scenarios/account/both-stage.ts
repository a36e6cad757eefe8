import { expect } from "vitest";
import { connectAccount } from "../../../app/account/connect-account.ts";
import { switchEnvironment } from "../../../app/account/switch-environment.ts";
import type { Environment } from "../../../app/domain/records.ts";
import { SHOP } from "../../fakes/records.ts";
import { createFakeAccount } from "../../fakes/shipping/account.ts";
import type { FakeAccount } from "../../fakes/shipping/account.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/** A shop with an account of test and one of production. */

export const MINUTE_MS = 60_000;

export const current = async (world: World) => (await world.store.connections.find({ shop: SHOP, current: true }))!;

export const switchTo = (world: World, environment: Environment) =>
  world.clock.runWhile(switchEnvironment(world.services, { shop: SHOP, environment }));

export function addAccount(world: World, name: string): FakeAccount {
  const habits = { wipes: false, tidies: false, refuses: [] };
  const account = createFakeAccount({ habits, newId: () => world.services.random.id() });
  world.accounts.set(name, account);
  return account;
}

export const connectTo = (world: World, environment: Environment) => {
  const stated = { environment, clientId: "client-1", clientSecret: "a-secret", scope: null, redirectUri: null };
  return world.clock.runWhile(connectAccount(world.services, { shop: SHOP, stated }));
};

/** Test is in use; production, with the same client id, was connected before and holds the location's template too. */
export async function both() {
  const world = await createWorld();
  const live = addAccount(world, "production client-1");
  const key = await world.addLocation(1);
  const worker = world.start();
  for (const environment of ["production", "test"] as const) {
    expect(await connectTo(world, environment)).toEqual({ kind: "connected" });
    await world.requestWork("location", key);
    await world.runFor(3 * MINUTE_MS);
  }
  expect([world.account.templates.size, live.templates.size]).toEqual([1, 1]);
  const said = (account: FakeAccount) => [...account.templates.values()].map(({ address }) => address.street_number);
  const change = async (number: string) => {
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number }) }));
    await world.requestWork("location", key);
  };
  return { world, live, key, said, change, end: () => world.clock.runWhile(worker.stop()) };
}
