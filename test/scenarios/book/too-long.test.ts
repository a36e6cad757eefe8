import { expect, test } from "vitest";
import { MOST_TEMPLATES } from "../../../app/adapters/shipping/address-book.ts";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import englishFaults from "../../../app/i18n/locales/en/faults.json" with { type: "json" };
import spanishFaults from "../../../app/i18n/locales/es-MX/faults.json" with { type: "json" };
import { readAddressBook } from "../../../app/pages/read-address-book.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome } from "../../fakes/shipping/network.ts";
import { expectCheap, homeOf, HOUR_MS, MINUTE_MS, staged } from "../worker/stuck-stage.ts";
import type { Stage } from "../worker/stuck-stage.ts";

/** An account that holds more templates than the app reads: what is linked goes on, what is new waits, and two pages say why. */

const BY_ALIAS = { tab: "all", search: "", page: 1 } as const;

/** What the list says of itself; its rows are those of before. */
function saysTotal({ world }: Stage, total: number): CallOutcome {
  const rows = [...world.account.templates.values()].slice(0, 20);
  const meta = {
    current_page: 1,
    next_page: 2,
    prev_page: null,
    total_pages: Math.ceil(total / 20),
    total_count: total,
  };
  const body = JSON.stringify({ data: rows, meta });
  return { arrivesAfterMs: 20, effectAfterMs: null, answer: { kind: "said", status: 200, body, afterMs: 100 } };
}

async function tooLong(): Promise<Stage> {
  const stage = await staged(3);
  stage.stick(({ operation }) => operation === "list", saysTotal(stage, MOST_TEMPLATES + 1));
  return stage;
}

test("a linked location follows its changes, a new one waits, Home and the address book say why, and it costs little", async () => {
  const stage = await tooLong();
  const { world } = stage;
  const sinceMs = world.clock.nowMs();
  await world.requestWork("reconcile", "shop");
  const added = await world.addLocation(9);
  await stage.tell(9);
  await stage.change(1, "77");
  await world.runFor(2 * MINUTE_MS);
  expect(stage.numberThere(1)).toBe("77");
  const book = await readAddressBook(world.services, { shop: SHOP, query: BY_ALIAS });
  expect(book?.failure).toMatchObject({ code: "book_too_long" });
  expect(book?.rows).toHaveLength(3);
  await world.runFor(15 * MINUTE_MS);
  expect(world.templateOf(added)).toBeUndefined();
  expect(await world.workItem("location", added)).toMatchObject({ reason: { code: "book_unreadable" } });
  expect((await homeOf(stage)).troubles).toMatchObject([
    { trouble: "book", failure: { code: "book_too_long" } },
    { trouble: "waiting", of: "Bodega 9", failure: { code: "book_unreadable" } },
  ]);
  await world.runFor(24 * HOUR_MS);
  expectCheap(stage, sinceMs);

  // Somebody deletes what was too much.
  world.outcomeOf = () => PROMPT;
  await world.runFor(7 * HOUR_MS);
  expect(world.templateOf(added)).toBeDefined();
  expect((await homeOf(stage)).troubles).toEqual([]);
  expect((await readAddressBook(world.services, { shop: SHOP, query: BY_ALIAS }))?.failure).toBeNull();
  await world.clock.runWhile(stage.worker.stop());
});

test("who presses Refresh reads that it is too long, not that the service is away", async () => {
  const stage = await tooLong();
  const reading = refreshAddressBook(stage.world.services, { shop: SHOP, force: true });
  expect(await stage.world.clock.runWhile(reading)).toBe("too_long");
  await stage.world.clock.runWhile(stage.worker.stop());
});

test.each([englishFaults, spanishFaults])("the sentence names the number that holds", (faults) => {
  expect(faults.book_too_long).toContain(MOST_TEMPLATES.toLocaleString("en"));
});
