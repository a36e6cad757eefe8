import { describe, expect, test } from "vitest";
import { connectAccount } from "../../../app/account/connect-account.ts";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome } from "../../fakes/shipping/network.ts";
import { createWorld, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/**
 * Rows of a list that have lost their id. One of them may be a template that its own GET does not find; it is taken for gone only where no such
 * row is left for it. Which templates a row may be is told by the listing with which it came.
 *
 * Long, because each way in which a row changes hands is told from the same few steps.
 */

const NOT_FOUND: CallOutcome = {
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: { kind: "said", status: 404, body: '{"error":"not found"}', afterMs: 20 },
};
const SLOW: CallOutcome = { arrivesAfterMs: 20, effectAfterMs: 5_000, answer: { kind: "true", afterMs: 8_000 } };
const NAMELESS = { address: 5 };
const HOUR_MS = 3_600_000;

interface Stage {
  world: World;
  keys: string[];
  /** The templates of the locations. */
  ids: string[];
  /** Templates that stand for no location. */
  own: string[];
}

async function staged({ locations, unlinked = 0 }: { locations: number; unlinked?: number }): Promise<Stage> {
  const world = await createWorld({ policies: { carriers: [] } });
  const keys: string[] = [];
  for (let number = 1; number <= locations; number += 1) keys.push(await world.addLocation(number));
  world.start();
  await world.runFor(180_000);
  const ids = keys.map((key) => world.templateOf(key)!.id);
  const own = Array.from({ length: unlinked }, (_one, index) => add(world, ids[0]!, `Mía ${index}`));
  if (unlinked > 0) await look(world);
  return { world, keys, ids, own };
}

/** Somebody adds a template in the account; gives its id. */
function add(world: World, like: string, alias_name: string): string {
  const { id: _id, verified_carriers: _carriers, ...draft } = world.account.templates.get(like)!;
  return world.account.byPerson.add({ ...draft, alias_name } as never).id;
}

/** Everything is looked at, to the end of its listing. */
async function look(world: World): Promise<void> {
  const readAtMs = async () => (await world.store.connections.list({ shop: SHOP }))[0]!.bookReadAtMs;
  const before = await readAtMs();
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  for (let tries = 0; tries < 600 && (await readAtMs()) === before; tries += 1) await world.runFor(100);
  expect(await readAtMs()).not.toBe(before);
}

async function rename({ world, keys }: Stage, index: number, name = "Bodega Norte"): Promise<void> {
  world.shopify.put(SHOP, shopifyLocation(index + 1, { name }));
  await world.requestWork("location", keys[index]!);
  world.services.wake();
}

/** A slow listing, while whose pages come a location's template is read by itself and found. */
async function lookSlowly(stage: Stage, index: number): Promise<void> {
  const { world, ids } = stage;
  const { outcomeOf } = world;
  let isAsked = false;
  world.outcomeOf = (operation, asked) => {
    if (operation !== "list" || isAsked) return outcomeOf(operation, asked);
    isAsked = true;
    return SLOW;
  };
  const reads = () =>
    world.requests.filter(({ operation, templateId }) => operation === "get" && templateId === ids[index]).length;
  const before = reads();
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  for (let tries = 0; tries < 200 && !isAsked; tries += 1) await world.runFor(50);
  expect(isAsked).toBe(true);
  await world.runFor(1_000);
  await rename(stage, index, "Bodega Sur");
  await world.runFor(3_000);
  expect(reads()).toBeGreaterThan(before);
}

const isNotFound = (world: World, id: string) => {
  world.outcomeOf = (operation, { templateId }) => (operation === "get" && templateId === id ? NOT_FOUND : PROMPT);
};
const isListedAs = (world: World, id: string, row: unknown) =>
  world.malformed.set(id, (template, operation) => (operation === "list" ? row : template));
const isReadNowhere = (world: World, id: string) =>
  world.malformed.set(id, ({ alias_name }, operation) =>
    operation === "list" ? NAMELESS : { id, alias_name, address: 5 },
  );

async function missing(world: World): Promise<string[]> {
  const links = await world.store.links.list({ shop: SHOP, missingSinceMs: { not: null } });
  return links.map(({ templateId }) => templateId);
}

describe("one that is there, and that its own GET does not find for good, is not taken for gone", () => {
  const staysThere = async ({ world }: Stage, id: string) => {
    await world.runFor(20 * 60_000);
    expect(await missing(world)).toEqual([]);
    expect(await world.store.templates.count({ shop: SHOP, templateId: id })).toBe(1);
  };

  test("where its GET found it for two minutes after its row had lost the id", async () => {
    const stage = await staged({ locations: 1 });
    const { world, ids } = stage;
    isListedAs(world, ids[0]!, NAMELESS);
    await look(world);
    await world.runFor(120_000);
    isNotFound(world, ids[0]!);
    await rename(stage, 0);
    await staysThere(stage, ids[0]!);
  });

  test("where another's row has lost its id before", async () => {
    const stage = await staged({ locations: 2 });
    const { world, ids } = stage;
    isListedAs(world, ids[0]!, NAMELESS);
    await look(world);
    await world.runFor(60_000);
    await look(world);
    await world.runFor(60_000);
    isListedAs(world, ids[1]!, null);
    isNotFound(world, ids[1]!);
    await rename(stage, 1);
    await staysThere(stage, ids[1]!);
  });

  test("where a row is whole again in the listing in which another one like it loses its id", async () => {
    const stage = await staged({ locations: 3 });
    const { world, ids } = stage;
    isListedAs(world, ids[0]!, NAMELESS);
    await look(world);
    await world.runFor(40_000);
    await look(world);
    await world.runFor(60_000);
    world.malformed.delete(ids[0]!);
    isReadNowhere(world, ids[1]!);
    isListedAs(world, ids[2]!, null);
    await lookSlowly(stage, 2);
    isNotFound(world, ids[2]!);
    await world.runFor(30_000);
    await rename(stage, 2);
    await staysThere(stage, ids[2]!);
  });

  test.each<[string, (world: World) => Promise<void>]>([
    [
      "a page's reading",
      async (world) => {
        expect(await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }))).toBe(
          "fresh",
        );
      },
    ],
    [
      "another process",
      async (world) => {
        const other = world.boot({ alone: false });
        expect(await world.clock.runWhile(refreshAddressBook(other.services, { shop: SHOP, force: true }))).toBe(
          "fresh",
        );
        other.kill();
      },
    ],
  ])("where another's row is whole again, which %s tells", async (_who, tells) => {
    const stage = await staged({ locations: 2 });
    const { world, ids } = stage;
    await world.runFor(60_000);
    isListedAs(world, ids[0]!, NAMELESS);
    isListedAs(world, ids[1]!, null);
    isNotFound(world, ids[1]!);
    await look(world);
    await world.runFor(40_000);
    await rename(stage, 1);
    await world.runFor(32_000);
    await look(world);
    world.malformed.delete(ids[0]!);
    await world.runFor(15_000);
    await tells(world);
    await staysThere(stage, ids[1]!);
  });

  test("where the template that lost its id before is deleted, and its own row takes that one's place", async () => {
    const stage = await staged({ locations: 1, unlinked: 1 });
    const { world, ids, own } = stage;
    isListedAs(world, own[0]!, NAMELESS);
    await look(world);
    await world.runFor(HOUR_MS);
    world.account.delete(own[0]!);
    isListedAs(world, ids[0]!, NAMELESS);
    await look(world);
    await world.runFor(HOUR_MS);
    isNotFound(world, ids[0]!);
    await rename(stage, 0);
    await staysThere(stage, ids[0]!);
  });

  test("where a template that nobody knew is whole again as it loses its id", async () => {
    const stage = await staged({ locations: 1 });
    const { world, ids } = stage;
    const stranger = add(world, ids[0]!, "Mía");
    isListedAs(world, stranger, NAMELESS);
    await look(world);
    await world.runFor(60_000);
    world.malformed.delete(stranger);
    isListedAs(world, ids[0]!, NAMELESS);
    isNotFound(world, ids[0]!);
    await rename(stage, 0);
    await staysThere(stage, ids[0]!);
  });

  test("where a list showed its row while our create was under way", async () => {
    const stage = await staged({ locations: 1 });
    const { world, keys, ids } = stage;
    await world.runFor(60_000);
    world.outcomeOf = (operation) =>
      operation === "create"
        ? { arrivesAfterMs: 20, effectAfterMs: 30, answer: { kind: "true", afterMs: 8_000 } }
        : PROMPT;
    keys.push(await world.addLocation(2));
    await world.requestWork("location", keys[1]!);
    world.services.wake();
    await world.runFor(3_000);
    ids.push(world.templateOf(keys[1]!)!.id);
    isListedAs(world, ids[1]!, NAMELESS);
    await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
    await world.runFor(180_000);
    expect(await world.store.links.count({ shop: SHOP, templateId: ids[1]! })).toBe(1);
    isNotFound(world, ids[1]!);
    await rename(stage, 1);
    await staysThere(stage, ids[1]!);
  });

  test("where it lost its id before the account's client id was changed", async () => {
    const stage = await staged({ locations: 2 });
    const { world, ids } = stage;
    world.accounts.set("client-2", world.account);
    isListedAs(world, ids[0]!, NAMELESS);
    await look(world);
    await world.runFor(180_000);
    const failing: CallOutcome = { ...NOT_FOUND, answer: { kind: "said", status: 500, body: "{}", afterMs: 20 } };
    world.outcomeOf = (operation) => (operation === "list" ? failing : PROMPT);
    const account = { clientId: "client-2", clientSecret: "a-secret", scope: null, redirectUri: null };
    await world.clock.runWhile(
      connectAccount(world.services, { shop: SHOP, stated: { environment: "test", ...account } }),
    );
    world.outcomeOf = () => PROMPT;
    await world.requestWork("reconcile", "shop");
    world.services.wake();
    await world.runFor(300_000);
    const current = (await world.store.connections.find({ shop: SHOP, current: true }))!;
    expect(await world.store.links.count({ shop: SHOP, connectionId: current.id, templateId: ids[0]! })).toBe(1);
    isNotFound(world, ids[0]!);
    await rename(stage, 0);
    await world.runFor(20 * 60_000);
    expect(await missing(world)).toEqual([]);
  });
});

test("looks at other templates count as calls of the work item, which rests by what they cost", async () => {
  const stage = await staged({ locations: 10 });
  const { world, ids } = stage;
  for (const id of ids) isListedAs(world, id, NAMELESS);
  // Each location reads its own template once, because a list shows its row otherwise.
  await look(world);
  await world.runFor(180_000);
  isNotFound(world, ids[0]!);
  await rename(stage, 0);
  const calls: number[] = [];
  for (let hour = 0; hour < 6; hour += 1) {
    const before = world.requests.length;
    await world.runFor(HOUR_MS);
    calls.push(world.requests.length - before);
  }
  expect(calls[0]).toBeLessThanOrEqual(70);
  // One of these hours has the look at everything.
  expect(Math.max(...calls.slice(1))).toBeLessThanOrEqual(20);
});

test("a list that shows what was in doubt as it is known ends the doubt", async () => {
  const { world, own } = await staged({ locations: 1, unlinked: 1 });
  const key = { shop: SHOP, templateId: own[0]! };
  await world.store.templates.update(key, { disputedSinceMs: world.clock.nowMs() });
  await look(world);
  expect(await world.store.templates.find(key)).toMatchObject({ disputedSinceMs: null });
});

describe("one that is gone is told so", () => {
  const isTold = async ({ world }: Stage, id: string) => {
    await world.runFor(30 * 60_000);
    expect(await missing(world)).toEqual([id]);
  };

  test("where more others went with it than one look asks for", async () => {
    const stage = await staged({ locations: 2, unlinked: 8 });
    const { world, ids, own } = stage;
    await world.runFor(60_000);
    isListedAs(world, ids[0]!, NAMELESS);
    for (const id of own) world.account.delete(id);
    await lookSlowly(stage, 1);
    world.account.delete(ids[1]!);
    await world.runFor(30_000);
    await rename(stage, 1);
    await isTold(stage, ids[1]!);
  });

  test("where another's row without an id came anew, because somebody gave it another name", async () => {
    const stage = await staged({ locations: 1, unlinked: 1 });
    const { world, ids, own } = stage;
    world.malformed.set(own[0]!, ({ alias_name }, operation) =>
      operation === "list" ? { alias_name, address: 5 } : { id: own[0], alias_name, address: 5 },
    );
    await look(world);
    await world.runFor(60_000);
    world.account.byPerson.edit(own[0]!, "alias_name" as never, "Mía de ahora", world.clock.nowMs());
    world.account.delete(ids[0]!);
    await rename(stage, 0);
    await isTold(stage, ids[0]!);
  });
});
