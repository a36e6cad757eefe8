import { describe, expect, test } from "vitest";
import type { Services, Store } from "../../app/ports.ts";
import { connectAccount } from "../../app/account/connect-account.ts";
import { disconnectAccount } from "../../app/account/disconnect-account.ts";
import { readTogether } from "../../app/readings/read-together.ts";
import { readingOf, rememberReading } from "../../app/readings/remember-reading.ts";
import { runNow } from "../../app/runs/run-now.ts";
import { testCredentials } from "../../app/account/test-credentials.ts";
import { startWorker } from "../../app/worker/worker.ts";
import { linkRecord, SHOP } from "../fakes/records.ts";
import { createFakeAccount } from "../fakes/shipping/account.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { unhandledIn } from "../fakes/unhandled.ts";
import { createWorld } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** Work that goes on after its caller stopped waiting may fail: somebody must hear it, or Node ends the process. */

const stated = {
  environment: "test",
  clientId: "client-1",
  clientSecret: "s",
  scope: null,
  redirectUri: null,
} as const;

/** The store breaks down from now on, in every call. */
function broken(world: World): void {
  const fail = () => Promise.reject(new Error("disk full"));
  for (const table of Object.values(world.store) as object[])
    if (typeof table === "object") for (const name of Object.keys(table)) Object.assign(table, { [name]: fail });
  Object.assign(world.store, { transaction: fail });
}

const outcomes = (
  world: World,
  outcome: { arrivesAfterMs: null; effectAfterMs: null; answer: { kind: "reset"; afterMs: number } },
) => void (world.outcomeOf = () => outcome);
const late = { arrivesAfterMs: null, effectAfterMs: null, answer: { kind: "reset", afterMs: 6_000 } } as const;

describe("no rejection goes unheard", () => {
  test("when a test's token cannot be given back", async () => {
    const world = await createWorld();
    const services: Services = {
      ...world.services,
      shipping: { ...world.services.shipping, revoke: () => Promise.reject(new Error("defect")) },
    };
    const unheard = await unhandledIn(async () => {
      expect(await world.clock.runWhile(testCredentials(services, { shop: SHOP, stated }))).toMatchObject({
        kind: "works",
      });
      await world.runFor();
    });
    expect(unheard).toEqual([]);
  });

  test("when the store fails behind a disconnect that waits no longer", async () => {
    const world = await createWorld();
    const unheard = await unhandledIn(async () => {
      world.outcomeOf = () => late;
      await world.clock.runWhile(disconnectAccount(world.services, { shop: SHOP }));
      broken(world);
      await world.runFor();
    });
    expect(unheard).toEqual([]);
  });

  test("when the book of a new client id fails after its owner waited long enough", async () => {
    const world = await createWorld();
    await world.store.links.insert(linkRecord({}));
    world.accounts.set(
      "client-2",
      createFakeAccount({ habits: { wipes: false, tidies: false, refuses: [] }, newId: () => "t" }),
    );
    const unheard = await unhandledIn(async () => {
      world.outcomeOf = (operation) => (operation === "list" ? late : PROMPT);
      const connecting = connectAccount(world.services, { shop: SHOP, stated: { ...stated, clientId: "client-2" } });
      expect(await world.clock.runWhile(connecting)).toEqual({ kind: "unconfirmed" });
      await world.runFor(60_000);
    });
    expect(unheard).toEqual([]);
  });

  test("when a run fails after its page waited long enough, and when the worker stops over a broken store", async () => {
    const world = await createWorld();
    const key = await world.addLocation(1);
    const unheard = await unhandledIn(async () => {
      outcomes(world, late);
      const requested = await world.requestWork("location", key);
      await world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
      const worker = startWorker(world.services, { concurrency: 4 });
      await world.runFor(1_000);
      broken(world);
      await world.runFor(90_000);
      await world.clock.runWhile(worker.stop());
    });
    expect(unheard).toEqual([]);
  });

  test("when what several wait for fails", async () => {
    const { store } = await createWorld();
    const counted: Store = { ...store, revision: () => 1 };
    const kind = readingOf("shops");
    const read = () => Promise.reject(new Error("disk full"));
    const ends: string[] = [];
    const unheard = await unhandledIn(async () => {
      const asked = [1, 2, 3].flatMap(() => [
        readTogether({ store, shop: SHOP, ids: ["a"] }, read),
        rememberReading({ store: counted, shop: SHOP, kind }, read),
      ]);
      for (const end of await Promise.allSettled(asked)) ends.push(end.status);
    });
    expect({ ends: new Set(ends), unheard }).toEqual({ ends: new Set(["rejected"]), unheard: [] });
  });
});
