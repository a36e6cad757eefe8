import { expect, test } from "vitest";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome } from "../../fakes/shipping/network.ts";
import { REPLY_LOST } from "../../fakes/shipping/outcomes.ts";
import { homeOf, HOUR_MS, MINUTE_MS, staged } from "../worker/stuck-stage.ts";

/** A page of the list that is empty though the counts tell of rows there: what rests on such a list waits. */

test("a list whose second page is empty for good has no template made twice, and is told", async () => {
  const stage = await staged(25);
  const { world } = stage;
  const meta = { current_page: 2, total_pages: 2, total_count: 26 };
  const body = JSON.stringify({ data: [], meta });
  const EMPTY: CallOutcome = {
    arrivesAfterMs: 20,
    effectAfterMs: null,
    answer: { kind: "said", status: 200, body, afterMs: 20 },
  };
  let hasCreated = false;
  world.outcomeOf = (operation, { page }) => {
    if (operation === "list" && page === 2) return EMPTY;
    if (operation !== "create" || hasCreated) return PROMPT;
    hasCreated = true;
    return REPLY_LOST;
  };
  const locationId = await world.addLocation(90);
  await stage.tell(90);
  await world.runFor(15 * MINUTE_MS);
  expect(world.account.duplicates()).toBe(0);
  expect((await world.workItem("location", locationId)).reason).toMatchObject({ code: "unreadable" });
  const { needs } = await homeOf(stage);
  expect(needs).toMatchObject([{ need: "parked", failure: { code: "unreadable" }, origins: [{ legacyId: "90" }] }]);
  world.outcomeOf = () => PROMPT;
  await world.runFor(HOUR_MS);
  expect(world.account.duplicates()).toBe(0);
  expect(await world.store.links.count({ shop: SHOP, locationId })).toBe(1);
  await world.clock.runWhile(stage.worker.stop());
});
