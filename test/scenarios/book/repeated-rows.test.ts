import { expect, test } from "vitest";
import { readHome } from "../../../app/pages/read-home.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome } from "../../fakes/shipping/network.ts";
import { REPLY_LOST } from "../../fakes/shipping/outcomes.ts";
import { createWorld } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/**
 * A list that shows one row twice in the place of another one, as a join does, or pages in an order that is not total. Its count is right:
 * so many rows come, of which one is a repetition, so the list says itself that a row is missing.
 */

async function staged(templates: number): Promise<{ world: World; known: string[] }> {
  const world = await createWorld({ policies: { carriers: [] } });
  for (let number = 1; number <= templates; number += 1) await world.addLocation(number);
  world.start();
  await world.runFor(180_000);
  expect(world.account.templates.size).toBe(templates);
  return { world, known: [...world.account.templates.keys()] };
}

/** From now on the first create's answer is lost, and lists show known rows only: the last known one again for each that is new. */
function repeats(world: World, known: string[]): void {
  let isLost = false;
  world.outcomeOf = (operation, { page }): CallOutcome => {
    if (operation === "create" && !isLost) {
      isLost = true;
      return REPLY_LOST;
    }
    if (operation !== "list" || !isLost) return PROMPT;
    const total = world.account.templates.size;
    const rows = Array.from({ length: total }, (_, at) =>
      world.account.templates.get(known[Math.min(at, known.length - 1)]!)!,
    );
    const data = rows.slice((page - 1) * 20, page * 20);
    const meta = { total_count: total, per_page: 20, current_page: page, total_pages: Math.ceil(total / 20) };
    const body = JSON.stringify({ data, meta });
    return { arrivesAfterMs: 20, effectAfterMs: null, answer: { kind: "said", status: 200, body, afterMs: 20 } };
  };
}

test.each([1, 20])("with %d templates known, nothing is made twice on such a list", async (templates) => {
  const { world, known } = await staged(templates);
  repeats(world, known);
  const key = await world.addLocation(templates + 1);
  await world.requestWork("location", key);
  world.services.wake();
  await world.runFor(3_600_000);
  expect(world.account.duplicates()).toBe(0);
  const { needs } = (await readHome(world.services, { shop: SHOP }))!;
  expect(needs).toMatchObject([{ need: "parked", failure: { code: "unreadable" } }]);
  world.outcomeOf = () => PROMPT;
  await world.runFor(3_600_000);
  expect(world.account.duplicates()).toBe(0);
  expect(await world.store.links.count({ shop: SHOP, locationId: key })).toBe(1);
});
