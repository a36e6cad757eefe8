import { expect, test } from "vitest";
import { confirmAccount } from "../../app/account/confirm-account.ts";
import { connectAccount } from "../../app/account/connect-account.ts";
import { createFakeAccount } from "../fakes/shipping/account.ts";
import { connectionRecord, SHOP } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { createWorld } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** A shop changes to another account and comes back to the first: what was asked there before goes on. */

const MINUTE_MS = 60_000;

const connect = (world: World, clientId: string) =>
  world.clock.runWhile(
    connectAccount(world.services, {
      shop: SHOP,
      stated: { environment: "test", clientId, clientSecret: "a-secret", scope: null, redirectUri: null },
    }),
  );

function hasTwoAccounts(world: World): void {
  const habits = { wipes: false, tidies: false, refuses: [] };
  world.accounts.set("client-2", createFakeAccount({ habits, newId: () => world.services.random.id() }));
}

const ofFirst = { shop: SHOP, connectionId: connectionRecord().id };
const question = async (world: World) => (await world.store.verifications.find(ofFirst))?.question;

test("carriers that were to be asked when the account changed are asked once it is back", async () => {
  const world = await createWorld({ policies: { verifyAfterChange: true, carriers: ["fedex"] } });
  hasTwoAccounts(world);
  const key = await world.addLocation(1);
  const worker = world.start();
  const late = { arrivesAfterMs: 20, effectAfterMs: 0, answer: { kind: "true", afterMs: 8_000 } } as const;
  world.outcomeOf = (operation) => (operation === "create" ? late : PROMPT);
  await world.requestWork("location", key);
  await world.clock.runFor(2_000);
  expect(await connect(world, "client-2")).toEqual({ kind: "connected" });
  await world.runFor(MINUTE_MS);
  expect(await question(world)).toBe("wanted");
  expect(await connect(world, "client-1")).toEqual({ kind: "connected" });
  await world.runFor(MINUTE_MS);
  expect(await question(world)).toBe("asked");
  await world.clock.runWhile(worker.stop());
});

test("carriers that were asked before the account changed are listened to once it is back", async () => {
  const world = await createWorld({ policies: { verifyAfterChange: true, carriers: ["fedex"] } });
  hasTwoAccounts(world);
  const key = await world.addLocation(1);
  const worker = world.start();
  await world.requestWork("location", key);
  await world.clock.runFor(5_000);
  expect(await question(world)).toBe("asked");
  await connect(world, "client-2");
  await confirmAccount(world.services, { shop: SHOP, same: false });
  await world.runFor(10 * MINUTE_MS);
  await connect(world, "client-1");
  await world.runFor(MINUTE_MS);
  const item = (await world.store.workItems.find({ shop: SHOP, kind: "verification" }))!;
  expect(item.dueAtMs).toBeLessThan(world.clock.nowMs() + 60 * MINUTE_MS);
  await world.clock.runWhile(worker.stop());
});
