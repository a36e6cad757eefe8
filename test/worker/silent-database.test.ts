import { expect, test } from "vitest";
import type { Store } from "../../app/ports.ts";
import { startWorker } from "../../app/worker/worker.ts";
import { createWorld } from "../fakes/world.ts";

/** A store that stops answering. */
function silenced(store: Store): { store: Store; silence: () => void; asked: () => number } {
  let isSilent = false;
  let asked = 0;
  const unanswered = () => {
    asked += 1;
    return new Promise(() => undefined);
  };
  const tables = Object.entries(store).map(([name, table]: [string, unknown]) => {
    if (typeof table !== "object" || table === null) return [name, table];
    const methods = Object.entries(table as Record<string, (...input: unknown[]) => unknown>).map(([method, call]) => [
      method,
      (...input: unknown[]) => (isSilent ? unanswered() : call(...input)),
    ]);
    return [name, Object.fromEntries(methods) as unknown];
  });
  return {
    store: Object.fromEntries(tables) as unknown as Store,
    silence: () => (isSilent = true),
    asked: () => asked,
  };
}

test("the worker stops within twelve seconds while the database is silent", async () => {
  const world = await createWorld();
  const { store, silence, asked } = silenced(world.store);
  const worker = startWorker({ ...world.services, store }, { concurrency: 4 });
  await world.clock.runWhile(worker.ready);
  silence();
  await world.runFor(60_000);
  expect(asked()).toBeGreaterThan(0);
  await world.clock.runWhile(worker.stop(), 11_500);
});
