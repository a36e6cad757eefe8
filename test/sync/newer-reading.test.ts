import { expect, test } from "vitest";
import { refreshAddressBook } from "../../app/book/refresh-address-book.ts";
import { saveTemplate } from "../../app/by-hand/save-template.ts";
import { refreshTemplate } from "../../app/origins/refresh-origin.ts";
import type { Services, ShippingAccount } from "../../app/ports.ts";
import { SHOP } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import type { CallOutcome } from "../fakes/shipping/network.ts";
import { firstMeets, REPLY_LOST } from "../fakes/shipping/outcomes.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** A run's answer is on its way while a page is shown what somebody has said since. The answer may not hide that again. */

const FAILS: CallOutcome = { arrivesAfterMs: 20, effectAfterMs: null, answer: { kind: "server_error", afterMs: 20 } };

const OPEN_PAGE = {
  origin: (services: Services, templateId: string) =>
    refreshTemplate(services, { shop: SHOP, templateId, force: true }),
  book: (services: Services) => refreshAddressBook(services, { shop: SHOP, force: true }),
};

/** Between the service's next answer of a kind and the run that asked for it, somebody changes the template, and a page is opened. */
function shownMeanwhile(
  world: World,
  call: "get" | "update",
  { templateId, page }: { templateId: () => string; page: keyof typeof OPEN_PAGE },
): () => boolean {
  const services = { ...world.services };
  const { shipping } = services;
  let met = false;
  const happens = async () => {
    if (met) return;
    met = true;
    world.account.byPerson.edit(templateId(), "reference", "Timbre azul", world.clock.nowMs());
    expect(await OPEN_PAGE[page](services, templateId())).toBe("fresh");
  };
  const account = (ref: Parameters<typeof shipping.account>[0]): ShippingAccount => {
    const own = shipping.account(ref);
    const after = async <T>(kind: typeof call, answer: Promise<T>): Promise<T> => {
      const value = await answer;
      if (kind === call) await happens();
      return value;
    };
    return {
      ...own,
      get: (...asked) => after("get", own.get(...asked)),
      update: (...asked) => after("update", own.update(...asked)),
    };
  };
  Object.assign(world.services, { shipping: { ...shipping, account } });
  return () => met;
}

async function inStep(options: Parameters<typeof createWorld>[0] = {}): Promise<{ world: World; key: string }> {
  const world = await createWorld({ ...options, policies: { carriers: [], ...options.policies } });
  const key = await world.addLocation(1);
  world.start();
  await world.runFor();
  return { world, key };
}

const owner = (world: World, key: string) => ({ templateId: () => world.templateOf(key)!.id });

async function expectShown(world: World, key: string): Promise<void> {
  await world.runFor(60_000);
  const link = await world.store.links.find({ shop: SHOP, locationId: key });
  expect(link!.differences).toContainEqual(expect.objectContaining({ field: "reference", theirs: "Timbre azul" }));
}

test("the reading that tells what became of an unclear update", async () => {
  const { world, key } = await inStep();
  const met = firstMeets(world, "update", REPLY_LOST);
  world.shopify.put(SHOP, shopifyLocation(1, { address: { ...shopifyLocation(1).address, zip: "44170" } }));
  await world.requestWork("location", key);
  world.services.wake();
  await world.runFor(5_000);
  expect(met()).toBe(true);
  const shown = shownMeanwhile(world, "get", { ...owner(world, key), page: "origin" });
  await world.runFor(120_000);
  expect(shown()).toBe(true);
  expect(world.templateOf(key)!.address).toMatchObject({ postal_code: "44170" });
  await expectShown(world, key);
});

test("the reading of a template that is found again by its marker", async () => {
  const { world, key } = await inStep();
  await world.store.links.delete({ shop: SHOP });
  const shown = shownMeanwhile(world, "get", { ...owner(world, key), page: "book" });
  await world.requestWork("location", key);
  world.services.wake();
  await world.runFor();
  expect(shown()).toBe(true);
  await expectShown(world, key);
});

test("the reading of a template that a list says otherwise of meanwhile", async () => {
  const { world, key } = await inStep();
  const shown = shownMeanwhile(world, "get", { ...owner(world, key), page: "book" });
  await world.store.templates.update({ shop: SHOP }, { disputedSinceMs: world.clock.nowMs() });
  await world.requestWork("location", key);
  world.services.wake();
  await world.runFor();
  expect(shown()).toBe(true);
  await expectShown(world, key);
});

test("the reading of what an unclear create has made", async () => {
  const world = await createWorld({ policies: { carriers: [] } });
  const key = await world.addLocation(1);
  firstMeets(world, "create", REPLY_LOST);
  world.start();
  await world.runFor(20_000);
  // A page has listed it; then the list fails, and only its own GET tells.
  await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
  world.outcomeOf = (asked) => (asked === "list" ? FAILS : PROMPT);
  const shown = shownMeanwhile(world, "get", { ...owner(world, key), page: "origin" });
  await world.runFor(180_000);
  expect(shown()).toBe(true);
  await expectShown(world, key);
});

test("the answer to an update", async () => {
  const { world, key } = await inStep();
  const shown = shownMeanwhile(world, "update", { ...owner(world, key), page: "origin" });
  world.shopify.put(SHOP, shopifyLocation(1, { address: { ...shopifyLocation(1).address, zip: "44170" } }));
  await world.requestWork("location", key);
  world.services.wake();
  await world.runFor();
  expect(shown()).toBe(true);
  await expectShown(world, key);
});

test("the answer to a change by hand", async () => {
  const { world, key } = await inStep();
  const shown = shownMeanwhile(world, "update", { ...owner(world, key), page: "origin" });
  const { id: templateId, address, ...base } = world.templateOf(key)!;
  const draft = {
    alias_name: base.alias_name,
    address_type: "from",
    address_attributes: { ...address, company: "Copal" },
  };
  const form = { shop: SHOP, draftId: "d1", templateId, draft, base: { ...base, id: templateId, address } };
  expect(await world.clock.runWhile(saveTemplate(world.services, form))).toMatchObject({ kind: "done" });
  expect(shown()).toBe(true);
  await expectShown(world, key);
});
