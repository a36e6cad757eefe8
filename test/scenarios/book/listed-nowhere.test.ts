import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS, homeOf, staged } from "../worker/stuck-stage.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome } from "../../fakes/shipping/network.ts";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import type { Stage } from "../worker/stuck-stage.ts";
import { SHOP } from "../../fakes/records.ts";

/** A list that lacks templates for good, whose own pages cannot be read either: every listing says the same again. */

const said = (body: string): CallOutcome => ({
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: { kind: "said", status: 200, body, afterMs: 20 },
});

const EMPTY = said(JSON.stringify({ data: [], meta: { current_page: 1, total_pages: 1, total_count: 0 } }));
const ODD = said(JSON.stringify({ data: { id: 7 } }));

test("an origin that no list shows and that cannot be read is told, however often the book is read meanwhile", async () => {
  const stage = await staged(2);
  const { world } = stage;
  world.outcomeOf = (operation, { perPage }) => {
    if (operation === "list") return perPage === 1 ? PROMPT : EMPTY;
    return operation === "get" ? ODD : PROMPT;
  };
  const sinceMs = world.clock.nowMs();
  for (let minute = 0; minute < 60; minute += 1) {
    await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
    await world.runFor(MINUTE_MS);
    if (minute >= 15) expect(await parkedOf(stage)).toEqual(["Bodega 1", "Bodega 2"]);
  }
  const got = world.requests.filter(({ operation, atMs }) => operation === "get" && atMs >= sinceMs);
  expect(got.length).toBeLessThanOrEqual(2 * 60);
  world.outcomeOf = () => PROMPT;
  await world.runFor(HOUR_MS);
  expect((await homeOf(stage)).needs).toEqual([]);
  await world.clock.runWhile(stage.worker.stop());
});

async function parkedOf(stage: Stage): Promise<string[]> {
  const { needs } = await homeOf(stage);
  return needs.flatMap(({ need, origins }) => (need === "parked" ? origins.map(({ name }) => name) : [])).toSorted();
}
