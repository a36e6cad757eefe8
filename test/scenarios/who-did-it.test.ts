import { expect, test } from "vitest";
import { saveSettings } from "../../app/shop/save-settings.ts";
import { syncOrigin } from "../../app/origins/sync-origin.ts";
import { readOrigin } from "../../app/pages/read-origin.ts";
import { readActivity } from "../../app/pages/read-activity.ts";
import { submitDraft } from "../../app/by-hand/submit-draft.ts";
import { SUPPLIER } from "../fakes/by-hand.ts";
import { SHOP } from "../fakes/records.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import { ALL_ACTIVITY } from "../../app/views/activity.ts";

/** Which person of the shop a line of Activity is about: whoever pressed, and nobody for what the app did by itself. */

const query = ALL_ACTIVITY;

test("a line of a press has the person's number, and what the app did because of it has none", async () => {
  const world = await createWorld();
  const locationId = await world.addLocation(1);
  world.start();
  await world.runFor(120_000);
  const ana = { ...world.services, staffId: "101" };
  const { revision, policies, contact } = (await world.store.shops.find({ shop: SHOP }))!;
  const settings = { language: "en" as const, policies, contact };
  expect((await saveSettings(ana, { shop: SHOP, revision, settings })).kind).toBe("saved");
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "999" }) }));
  await world.clock.runWhile(syncOrigin(ana, { shop: SHOP, locationId }));
  await world.runFor(120_000);

  const lines = await world.store.activity.list({ shop: SHOP });
  const numbers = (actor: string) => [
    ...new Set(lines.filter((line) => line.actor === actor).map((line) => line.staffId)),
  ];
  expect(lines.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["settings_saved", "template_updated"]));
  expect(lines.find(({ kind }) => kind === "settings_saved")!.staffId).toBe("101");
  for (const actor of ["sync", "shopify", "service"]) expect(numbers(actor).filter((one) => one !== null)).toEqual([]);
});

test("is told as theirs to whoever pressed, and to nobody else", async () => {
  const world = await createWorld();
  const { revision, policies, contact } = (await world.store.shops.find({ shop: SHOP }))!;
  const settings = { language: "en" as const, policies, contact };
  await saveSettings({ ...world.services, staffId: "101" }, { shop: SHOP, revision, settings });
  const read = async (staffId: string | null) => {
    const { entries } = (await readActivity({ ...world.services, staffId }, { shop: SHOP, query }))!;
    return entries.filter(({ kind }) => kind === "settings_saved").map(({ staffId: by, isYours }) => [by, isYours]);
  };
  expect(await read("101")).toEqual([["101", true]]);
  expect(await read("102")).toEqual([["101", false]]);
  expect(await read(null)).toEqual([["101", false]]);
});

test("an origin's history says it, too", async () => {
  const world = await createWorld();
  const locationId = await world.addLocation(1);
  world.start();
  await world.runFor(120_000);
  await world.clock.runWhile(syncOrigin({ ...world.services, staffId: "101" }, { shop: SHOP, locationId }));
  const read = async (staffId: string) => {
    const { history } = (await readOrigin({ ...world.services, staffId }, { shop: SHOP, locationId }))!;
    return history.filter(({ actor }) => actor === "owner").map(({ staffId: by, isYours }) => [by, isYours]);
  };
  expect(await read("101")).toContainEqual(["101", true]);
  expect(await read("102")).toContainEqual(["101", false]);
});

test("the end of a change by hand, which comes later, has the number of whoever sent it", async () => {
  const world = await createWorld();
  const stated = { shop: SHOP, operation: "create", templateId: null, base: null } as const;
  await submitDraft({ ...world.services, staffId: "101" }, { ...stated, draftId: "d-1", draft: SUPPLIER });
  await submitDraft(world.services, { ...stated, draftId: "d-2", draft: { ...SUPPLIER, alias_name: "Otro" } });
  world.start();
  await world.runFor(120_000);
  const ends = await world.store.activity.list({ shop: SHOP, kind: "template_created" });
  expect(ends.map(({ staffId }) => staffId).sort()).toEqual(["101", null]);
});
