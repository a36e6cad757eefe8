import { expect, test } from "vitest";
import { markerOf } from "../../../app/domain/marker.ts";
import { keepTemplate } from "../../../app/book/keep-template.ts";
import { refOf } from "../../../app/runs/circuit-breaker.ts";
import { SUPPLIER } from "../../fakes/by-hand.ts";
import { SHOP } from "../../fakes/records.ts";
import { createWorld, shopifyLocation } from "../../fakes/world.ts";

/** A row of the address book that no list could read, with a location's marker: nothing is made beside it while it may be there. */

const MINUTE_MS = 60_000;

async function hidden() {
  const world = await createWorld();
  const { locationId } = shopifyLocation(1);
  const marked = world.account.byPerson.add({ ...SUPPLIER, alias_name: `Bodega [OR-${markerOf(SHOP, locationId)}]` });
  world.malformed.set(marked.id, ({ id, alias_name }) => ({ id, alias_name, address: 5 }));
  const key = await world.addLocation(1);
  const worker = world.start();
  await world.requestWork("reconcile", "shop");
  await world.runFor(5 * MINUTE_MS);
  expect(await world.workItem("location", key)).toMatchObject({ reason: { code: "unreadable" } });
  expect(world.account.templates.size).toBe(1);
  return { world, key, worker, marked };
}

test("once it is deleted there, the location's template is made within minutes", async () => {
  const { world, key, worker, marked } = await hidden();
  world.account.byPerson.remove(marked.id);
  await world.runFor(10 * MINUTE_MS);
  expect(world.account.templates.size).toBe(1);
  expect(await world.workItem("location", key)).toMatchObject({ failures: 0, reason: null });
  await world.clock.runWhile(worker.stop());
});

test("where the service lists it and does not find it, the list is asked for once and the location fails on", async () => {
  const { world, key, worker, marked } = await hidden();
  const { outcomeOf } = world;
  const answer = { kind: "said", status: 404, body: '{"message":"No encontrado"}', afterMs: 20 } as const;
  world.outcomeOf = (operation, request) =>
    operation === "get" && request.templateId === marked.id
      ? { arrivesAfterMs: 20, effectAfterMs: null, answer }
      : outcomeOf(operation, request);
  world.calls.length = 0;
  await world.runFor(60 * MINUTE_MS);
  expect(await world.workItem("location", key)).toMatchObject({ reason: { code: "unreadable" } });
  expect(world.calls).not.toContain("create");
  expect(world.calls.length).toBeLessThanOrEqual(30);
  await world.clock.runWhile(worker.stop());
});

test("its own answer is not kept where another reading came into the book after it was asked for", async () => {
  const { world, worker, marked } = await hidden();
  const { store, services } = world;
  const { shipping } = services;
  const ref = refOf((await store.connections.find({ shop: SHOP, current: true }))!);
  const words: (string | undefined)[] = [];
  const account: typeof shipping.account = (over) => {
    const own = shipping.account(over);
    const get: typeof own.get = async (templateId, options) => {
      const known = await store.templates.find({ shop: SHOP, connectionId: ref.id, templateId });
      words.push(known?.template.alias_name);
      const answer = await own.get(templateId, options);
      if (words.length > 1) return answer;
      world.account.byPerson.edit(marked.id, "alias_name", `${marked.alias_name} nueva`, world.clock.nowMs());
      const template = { ...world.account.templates.get(marked.id)! };
      await store.transaction(SHOP, (tables) => keepTemplate(services, tables, { ref, template }));
      return answer;
    };
    return { ...own, get };
  };
  Object.assign(services, { shipping: { ...shipping, account } });
  world.malformed.delete(marked.id);
  await world.runFor(5 * MINUTE_MS);
  expect(words[0]).toBeUndefined();
  expect(words.length).toBeGreaterThan(1);
  for (const later of words.slice(1)) expect(later).toBe(`${marked.alias_name} nueva`);
  await world.clock.runWhile(worker.stop());
});
