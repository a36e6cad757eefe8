import { describe, expect, test } from "vitest";
import { readHome } from "../../../app/pages/read-home.ts";
import { makeAgain } from "../../../app/origins/make-again.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome } from "../../fakes/shipping/network.ts";
import { REPLY_LOST } from "../../fakes/shipping/outcomes.ts";
import { createWorld, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/**
 * The GET of one template answers 404 for good (a broken index, a cached 404), while every list shows that template. It is there: nothing is
 * made beside it, and nobody is told that it was deleted.
 */

const HOUR_MS = 3_600_000;
const NOT_FOUND: CallOutcome = {
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: { kind: "said", status: 404, body: '{"error":"not found"}', afterMs: 20 },
};

function isNotFound(world: World, templateId: string): void {
  world.outcomeOf = (operation, asked) => (operation === "get" && asked.templateId === templateId ? NOT_FOUND : PROMPT);
}

async function tell(world: World, key: string, over: Parameters<typeof shopifyLocation>[1]): Promise<void> {
  world.shopify.put(SHOP, shopifyLocation(1, over));
  await world.requestWork("location", key);
  world.services.wake();
}

async function staged(policies = {}): Promise<{ world: World; key: string; templateId: string }> {
  const world = await createWorld({ policies: { carriers: [], ...policies } });
  const key = await world.addLocation(1);
  world.start();
  await world.runFor(180_000);
  const { id: templateId } = world.templateOf(key)!;
  return { world, key, templateId };
}

test("where every look at the list shows it, making it again makes no second one", async () => {
  const { world, key, templateId } = await staged();
  isNotFound(world, templateId);
  await tell(world, key, { name: "Bodega Norte" });
  await world.runFor(13 * HOUR_MS);
  expect(world.calls.filter((call) => call === "list").length).toBeGreaterThan(2);
  const { needs } = (await readHome(world.services, { shop: SHOP }))!;
  expect(needs).toMatchObject([{ need: "parked", failure: { code: "unexpected_status" } }]);
  await world.clock.runWhile(makeAgain(world.services, { shop: SHOP, locationId: key }));
  await world.runFor(600_000);
  expect(world.account.duplicates()).toBe(0);
});

test("nothing is told deleted that the list shows, and a location that is back gets its own again", async () => {
  const { world, key, templateId } = await staged({ onDeactivate: "delete" });
  isNotFound(world, templateId);
  await tell(world, key, { isActive: false });
  await world.runFor(7 * HOUR_MS);
  const deleted = await world.store.activity.list({ shop: SHOP, kind: "template_deleted", outcome: "done" });
  expect(world.account.templates.has(templateId) && deleted.length > 0).toBe(false);
  await tell(world, key, { isActive: true });
  await world.runFor(600_000);
  expect(world.account.duplicates()).toBe(0);
});

test("an unclear create whose template the list alone shows is not made once more", async () => {
  const world = await createWorld({ policies: { carriers: [] } });
  await world.addLocation(1);
  let lost = false;
  world.outcomeOf = (operation, { templateId }): CallOutcome => {
    if (operation === "create" && !lost) {
      lost = true;
      return REPLY_LOST;
    }
    return operation === "get" && templateId !== "" && world.account.templates.has(templateId) ? NOT_FOUND : PROMPT;
  };
  world.start();
  await world.runFor(HOUR_MS);
  expect(world.account.duplicates()).toBe(0);
});

const listOf = (templates: unknown[]): CallOutcome => ({
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: {
    kind: "said",
    status: 200,
    body: JSON.stringify({
      data: templates,
      meta: { current_page: 1, total_pages: 1, total_count: templates.length },
    }),
    afterMs: 20,
  },
});

describe("where one listing alone lacks it", () => {
  const lackedOnce = async (after: (world: World, templateId: string) => void) => {
    const { world, key, templateId } = await staged();
    const othersShown = (): unknown[] => [...world.account.templates.values()].filter(({ id }) => id !== templateId);
    let lists = 0;
    world.outcomeOf = (operation, asked) => {
      if (operation === "get" && asked.templateId === templateId) return NOT_FOUND;
      if (operation !== "list" || lists > 0) return PROMPT;
      lists += 1;
      after(world, templateId);
      return listOf(othersShown());
    };
    await tell(world, key, { name: "Bodega Norte" });
    await world.runFor(HOUR_MS);
    expect(lists).toBe(1);
    return { world, key, templateId };
  };

  test.each<[string, (world: World, templateId: string) => void]>([
    ["and later ones show it", () => undefined],
    [
      "and later ones show its row without an id",
      (world, templateId) => world.malformed.set(templateId, ({ alias_name }) => ({ alias_name, address: 5 })),
    ],
  ])("%s, nobody is told that it was deleted", async (_what, after) => {
    const { world, templateId } = await lackedOnce(after);
    expect(await world.store.links.list({ shop: SHOP, templateId, missingSinceMs: null })).toHaveLength(1);
    expect(await world.store.templates.list({ shop: SHOP, templateId })).toHaveLength(1);
    const { needs } = (await readHome(world.services, { shop: SHOP }))!;
    expect(needs.map(({ need }) => need)).not.toContain("missing");
  });
});

test("of one whose row lists show without an id for good, it is told that it cannot be read", async () => {
  const { world, key, templateId } = await staged();
  world.malformed.set(templateId, ({ alias_name }) => ({ alias_name, address: 5 }));
  isNotFound(world, templateId);
  await tell(world, key, { name: "Bodega Norte" });
  await world.runFor(13 * HOUR_MS);
  expect(await world.store.links.list({ shop: SHOP, templateId, missingSinceMs: null })).toHaveLength(1);
  const { needs } = (await readHome(world.services, { shop: SHOP }))!;
  expect(needs).toContainEqual(expect.objectContaining({ need: "parked" }));
});

test("one that was deleted is told so within four minutes", async () => {
  const { world, key, templateId } = await staged();
  world.account.delete(templateId);
  await tell(world, key, { name: "Bodega Norte" });
  await world.runFor(240_000);
  expect(await world.store.links.list({ shop: SHOP, templateId, missingSinceMs: { not: null } })).toHaveLength(1);
});

test.each<[string, (world: World, id: string) => void]>([
  ["its GET finds it", () => undefined],
  [
    "its GET cannot be read either",
    (world, id) =>
      world.malformed.set(id, ({ alias_name }, operation) =>
        operation === "list" ? { alias_name, address: 5 } : { id, alias_name, address: 5 },
      ),
  ],
])("one that was deleted when another's row lost its id is told so: %s", async (_what, malform) => {
  const { world, gone } = await goneBesideNameless(malform);
  await expectToldMissing(world, gone);
});

// A listing marks nothing that was read by itself while its pages came.
test("so is one that the next listing alone could mark as left out", async () => {
  const { world, gone } = await goneBesideNameless((staged, id) =>
    staged.malformed.set(id, ({ alias_name }, operation) =>
      operation === "list" ? { alias_name, address: 5 } : { id, alias_name, address: 5 },
    ),
  );
  await world.requestWork("reconcile", SHOP);
  world.services.wake();
  const connections = () => world.store.connections.list({ shop: SHOP });
  while ((await connections())[0]!.bookUnreadable.length === 0) await world.runFor(100);
  await world.store.templates.update({ shop: SHOP, templateId: gone }, { unlistedSinceMs: null });
  await expectToldMissing(world, gone);
});

async function goneBesideNameless(
  malform: (world: World, id: string) => void,
): Promise<{ world: World; gone: string }> {
  const world = await createWorld({ policies: { carriers: [] } });
  const keys = [await world.addLocation(1), await world.addLocation(2)];
  world.start();
  await world.runFor(180_000);
  const [gone, other] = keys.map((key) => world.templateOf(key)!.id);
  const nameless = ({ alias_name }: { alias_name: string }) => ({ alias_name, address: 5 });
  world.malformed.set(other!, (template, operation) => (operation === "list" ? nameless(template) : template));
  malform(world, other!);
  world.account.delete(gone!);
  return { world, gone: gone! };
}

async function expectToldMissing(world: World, gone: string): Promise<void> {
  const [link] = await world.store.links.list({ shop: SHOP, templateId: gone });
  await tell(world, link!.locationId, { name: "Bodega Norte" });
  await world.runFor(300_000);
  const missing = await world.store.links.list({ shop: SHOP, missingSinceMs: { not: null } });
  expect(missing.map(({ templateId }) => templateId)).toEqual([gone]);
}
