import { expect, test } from "vitest";
import { mexicanAddress, createWorld, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome } from "../../fakes/shipping/network.ts";
import { EMPTY_LIST, REPLY_LOST, REQUEST_LOST } from "../../fakes/shipping/outcomes.ts";
import { MINUTE_MS } from "../worker/stuck-stage.ts";

/**
 * Two empty listings said that a create had made nothing, of an account of which nothing was known. It had. What it made shows once the
 * lists are right again, when the location stands elsewhere and another create has ended unclear.
 */

const REFUSED: CallOutcome = {
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: { kind: "said", status: 422, body: JSON.stringify({ message: "El código postal no existe" }), afterMs: 20 },
};

async function putAt(world: World, number: string): Promise<void> {
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number }) }));
  await world.requestWork("location", shopifyLocation(1).locationId);
  world.services.wake();
}

interface Story {
  /** Where the location is, one after another. */
  numbers: string[];
  restarts?: boolean;
  /** What each create but the first meets. */
  then?: CallOutcome;
}

/** The first create made a template at 101; the next ones make none. */
async function madeInVain({ numbers, restarts = false, then = REQUEST_LOST }: Story) {
  const world = await createWorld({ policies: { carriers: [] } });
  let creates = 0;
  world.outcomeOf = (operation, { perPage }) => {
    if (operation === "list") return perPage === 1 ? PROMPT : EMPTY_LIST;
    if (operation !== "create") return PROMPT;
    creates += 1;
    return creates === 1 ? REPLY_LOST : then;
  };
  const locationId = await world.addLocation(1, { address: mexicanAddress({ number: "101" }) });
  let { worker } = world.boot();
  await world.runFor(MINUTE_MS);
  expect(creates).toBe(1);
  for (const [index, number] of numbers.entries()) {
    await putAt(world, number);
    for (let second = 0; second < 900 && creates < index + 2; second += 1) await world.runFor(1_000);
    expect(creates).toBe(index + 2);
  }
  if (restarts) {
    await world.clock.runWhile(worker.stop());
    ({ worker } = world.boot());
  }
  const theLists = async () => {
    world.outcomeOf = () => PROMPT;
    await world.requestWork("reconcile", "shop");
    world.services.wake();
    await world.runFor(60 * MINUTE_MS);
    await world.clock.runWhile(worker.stop());
    return { link: await world.store.links.find({ shop: SHOP, locationId }), template: world.templateOf(locationId)! };
  };
  return { world, locationId, theLists };
}

test.each([
  ["a second create", { numbers: ["8"] }],
  ["a third create", { numbers: ["8", "9"] }],
  ["another process", { numbers: ["8"], restarts: true }],
])("its values are not taken for somebody's choice, after %s", async (_what, story) => {
  const { world, locationId, theLists } = await madeInVain(story);
  expect([...world.account.templates.values()]).toMatchObject([{ address: { street_number: "101" } }]);
  const { link, template } = await theLists();
  expect(template.address.street_number).toBe(story.numbers.at(-1));
  expect(link).toMatchObject({ how: "created", differences: [] });
  expect(world.account.templates.size).toBe(1);
  // What it said is forgotten once it is known what stands for the location.
  expect(await world.store.details.find({ shop: SHOP, locationId })).toMatchObject({ inVain: [] });
});

test("what somebody wrote in it meanwhile is their choice, and the rest is not", async () => {
  const { world, theLists } = await madeInVain({ numbers: ["8"] });
  const [made] = world.account.templates.values();
  world.account.byPerson.edit(made!.id, "reference", "Tocar fuerte", world.clock.nowMs());
  const { link, template } = await theLists();
  expect(template.address).toMatchObject({ street_number: "8", reference: "Tocar fuerte" });
  expect(link!.differences).toMatchObject([{ field: "reference", kind: "drift", theirs: "Tocar fuerte" }]);
});

test("nor are they where the next create was refused, and what shows is adopted", async () => {
  const { world, theLists } = await madeInVain({ numbers: ["8"], then: REFUSED });
  const { link, template } = await theLists();
  expect(template.address.street_number).toBe("8");
  expect(link).toMatchObject({ how: "adopted", differences: [] });
  expect(world.account.templates.size).toBe(1);
});
