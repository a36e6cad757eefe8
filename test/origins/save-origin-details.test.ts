import { describe, expect, test } from "vitest";
import { SPLIT_FIELDS } from "../../app/domain/address/form-fields.ts";
import { NO_CONTACT } from "../../app/domain/new-records.ts";
import { readOrigin } from "../../app/pages/read-origin.ts";
import { confirmReview } from "../../app/jobs/confirm-review.ts";
import { saveSettings } from "../../app/shop/save-settings.ts";
import { saveOriginDetails } from "../../app/origins/save-origin-details.ts";
import type { StatedDetails } from "../../app/domain/records.ts";
import { SHOP, detailsRecord, locationRecord } from "../fakes/records.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

const OTHER = "two.myshopify.com";

/** A location that Shopify told us of and nobody looked at yet. */
async function newLocation(world: World, address = mexicanAddress(), number = 1) {
  const location = shopifyLocation(number, { address });
  world.shopify.put(SHOP, location);
  await world.store.locations.insert(locationRecord({ ...location, shop: SHOP }));
  return location.locationId;
}

/** What the form would send if nobody typed. */
async function asShown(world: World, locationId: string): Promise<StatedDetails> {
  const { form } = (await readOrigin(world.services, { shop: SHOP, locationId }))!;
  const split = Object.fromEntries(
    SPLIT_FIELDS.map((field) => [field, form.split[field] || null]),
  ) as StatedDetails["split"];
  return { locationId, revision: form.revision, readFrom: form.readFrom, contact: {}, split };
}

const save = (world: World, stated: StatedDetails, shop = SHOP) =>
  world.clock.runWhile(saveOriginDetails(world.services, { shop, stated }));

describe("saving an origin's details", () => {
  test("confirms it, writes the template in the same breath and tells what changed", async () => {
    const world = await createWorld();
    const locationId = await newLocation(world);
    expect((await readOrigin(world.services, { shop: SHOP, locationId }))!.state).toBe("to_review");
    expect(await save(world, await asShown(world, locationId))).toEqual({ kind: "done", progress: { kind: "done" } });
    expect(world.calls).toEqual(["create"]);
    const view = (await readOrigin(world.services, { shop: SHOP, locationId }))!;
    expect(view).toMatchObject({ confirmed: true, pending: false, state: "unverified" });
    expect(view.history.map(({ kind }) => kind)).toContain("origin_confirmed");
  });

  test("names in the history what was changed, and nothing that was read from Shopify's text", async () => {
    const world = await createWorld();
    const locationId = await newLocation(world);
    const fieldsOf = async () =>
      (await readOrigin(world.services, { shop: SHOP, locationId }))!.history
        .filter(({ kind }) => kind === "origin_confirmed" || kind === "details_saved")
        .map(({ fields }) => fields?.map(({ field }) => field) ?? []);
    await save(world, await asShown(world, locationId));
    expect(await fieldsOf()).toEqual([[]]);
    const shown = await asShown(world, locationId);
    await save(world, { ...shown, split: { ...shown.split, reference: "Puerta roja" } });
    expect((await fieldsOf())[0]).toEqual(["reference"]);
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "205" }) }));
    await world.requestWork("location", locationId);
    world.services.wake();
    await world.runFor(60_000);
    const moved = await asShown(world, locationId);
    await save(world, { ...moved, split: { ...moved.split, apartment_number: "3" } });
    expect((await fieldsOf())[0]).toEqual(["apartment_number"]);
  });

  test("keeps what was said although it cannot be sent now, and sends it later", async () => {
    const world = await createWorld({ connected: false });
    const locationId = await newLocation(world);
    const outcome = await save(world, await asShown(world, locationId));
    expect(outcome).toMatchObject({ kind: "done", progress: { kind: "blocked", reason: { code: "not_connected" } } });
    expect((await world.store.details.find({ shop: SHOP, locationId }))!.confirmedAtMs).not.toBeNull();
    expect((await readOrigin(world.services, { shop: SHOP, locationId }))!.state).toBe("waiting");
  });

  test("tells the second of two people, and changes nothing", async () => {
    const world = await createWorld();
    const locationId = await newLocation(world);
    const [first, second] = [await asShown(world, locationId), await asShown(world, locationId)];
    await save(world, { ...first, contact: { name: "Luz" } });
    expect(await save(world, { ...second, contact: { name: "Raúl" } })).toEqual({ kind: "stale" });
    expect((await world.store.shops.find({ shop: SHOP }))!.contact.name).toBe("Luz");
  });

  test("keeps the contact of the only origin for the whole shop, so that a second one begins with it", async () => {
    const world = await createWorld();
    const first = await newLocation(world);
    await save(world, { ...(await asShown(world, first)), contact: { name: "Luz", phone: "33 1234 5678", rfc: "" } });
    expect((await world.store.shops.find({ shop: SHOP }))!.contact.name).toBe("Luz");
    const home = (await readOrigin(world.services, { shop: SHOP, locationId: first, only: true }))!;
    expect(home.form).toMatchObject({ forShop: true, contact: { name: "Luz", phone: "33 1234 5678" } });

    const second = await newLocation(world, mexicanAddress({ street: "Calle Nueva" }), 2);
    const view = (await readOrigin(world.services, { shop: SHOP, locationId: second }))!;
    expect(view.form).toMatchObject({ forShop: false, contact: { name: "" }, defaults: { name: "Luz" } });
    // Shopify's own phone of a location comes before the shop's.
    expect(view.fields.find(({ field }) => field === "phone")!.value).toBe("3336150000");
    await save(world, { ...(await asShown(world, second)), contact: { name: "Raúl" } });
    expect((await world.store.shops.find({ shop: SHOP }))!.contact.name).toBe("Luz");
    expect((await world.store.details.find({ shop: SHOP, locationId: second }))!.contact.name).toBe("Raúl");
  });

  test("what the only origin says no more leaves the shop's word, or takes that back where it was shown", async () => {
    const world = await createWorld();
    const locationId = await newLocation(world);
    const company = async () => (await world.store.shops.find({ shop: SHOP }))!.contact.company;
    const say = async (words: string) =>
      save(world, { ...(await asShown(world, locationId)), contact: { company: words } });
    await say("Barro Negro");
    await world.store.details.update({ locationId }, { contact: { ...NO_CONTACT, company: "Su propia empresa" } });
    await say("");
    expect(await company()).toBe("Barro Negro");
    await say("");
    expect(await company()).toBeNull();
  });

  test("never confirms a text that is not the one that was shown", async () => {
    const world = await createWorld();
    const locationId = await newLocation(world);
    const stated = await asShown(world, locationId);
    await world.store.locations.update({ locationId }, { address: mexicanAddress({ street: "Calle Nueva" }) });
    expect(await save(world, stated)).toEqual({ kind: "moved" });
    expect((await world.store.details.find({ shop: SHOP, locationId }))!.confirmedAtMs).toBeNull();
  });

  test("names the fields that stop it, and stores nothing", async () => {
    const world = await createWorld();
    const locationId = await newLocation(world);
    const stated = await asShown(world, locationId);
    const wrong = { ...stated, contact: { email: "nobody" }, split: { ...stated.split, area_level3: "  " } };
    const outcome = await save(world, wrong);
    expect(outcome.kind === "invalid" && outcome.problems.map(({ field, code }) => [field, code])).toEqual([
      ["area_level3", "missing"],
      ["email", "email_format"],
    ]);
    expect((await world.store.details.find({ shop: SHOP, locationId }))?.confirmedAtMs ?? null).toBeNull();
    expect(world.calls).toEqual([]);
  });

  test("refuses what no label takes, and keeps a long value that was there", async () => {
    const world = await createWorld();
    const locationId = await newLocation(world);
    await save(world, await asShown(world, locationId));
    const long = "y".repeat(501);
    const details = (await world.store.details.find({ shop: SHOP, locationId }))!;
    await world.store.details.update({ shop: SHOP, locationId }, { contact: { ...details.contact, company: long } });
    const stated = await asShown(world, locationId);
    expect(await save(world, { ...stated, contact: { ...stated.contact, company: long } })).toMatchObject({
      kind: "done",
    });
    // The only origin's contact has become the whole shop's, and is kept as well.
    const { contact, policies, language, revision } = (await world.store.shops.find({ shop: SHOP }))!;
    expect(contact.company).toBe(long);
    const settings = { contact: { ...contact, name: "Bodega" }, policies, language };
    expect(await saveSettings(world.services, { shop: SHOP, revision, settings })).toMatchObject({ kind: "saved" });
    const reviewed = { shop: SHOP, contact: settings.contact, contactRevision: revision + 1, rows: [] };
    expect(await confirmReview(world.services, reviewed)).toMatchObject({ kind: "confirmed" });
    const again = { ...(await asShown(world, locationId)), contact: { ...stated.contact, company: long } };
    expect(await save(world, again)).toMatchObject({ kind: "done" });
    const wrong = { ...(await asShown(world, locationId)), contact: { company: `${long}!`, name: "n".repeat(256) } };
    const outcome = await save(world, wrong);
    expect(outcome.kind === "invalid" && outcome.problems.map(({ field, code }) => [field, code])).toEqual([
      ["name", "too_long"],
      ["company", "too_long"],
    ]);
  });

  test("what only Shopify's own page mends does not stop a save: the origin stays incomplete", async () => {
    const world = await createWorld();
    const locationId = await newLocation(world, mexicanAddress({ zip: "4416" }));
    const outcome = await save(world, await asShown(world, locationId));
    expect(outcome).toMatchObject({ kind: "done", progress: { kind: "blocked", reason: { code: "incomplete" } } });
    expect((await readOrigin(world.services, { shop: SHOP, locationId }))!.state).toBe("incomplete");
  });

  test("does not find another shop's location", async () => {
    const world = await createWorld();
    await world.store.shops.insert({ ...(await world.store.shops.find({ shop: SHOP }))!, shop: OTHER });
    const locationId = await newLocation(world);
    await world.store.details.insert(detailsRecord({ locationId }));
    const stated = await asShown(world, locationId);
    expect(await save(world, stated, OTHER)).toEqual({ kind: "not_found" });
    expect(await readOrigin(world.services, { shop: OTHER, locationId })).toBeNull();
  });

  test("the service's refusal comes back beside its field", async () => {
    const world = await createWorld();
    const locationId = await newLocation(world);
    await save(world, await asShown(world, locationId));
    const item = await world.workItem("location", locationId);
    const reason = {
      code: "refused_by_service" as const,
      message: "no",
      fields: { street1: ["es muy larga"] },
      requestId: "r-1",
      atMs: 1,
    };
    await world.store.workItems.update({ id: item.id }, { state: "blocked", reason });
    const view = (await readOrigin(world.services, { shop: SHOP, locationId }))!;
    expect(view.state).toBe("refused_by_service");
    expect(view.fields.find(({ field }) => field === "street1")!.serviceMessages).toEqual(["es muy larga"]);
    expect(view.refusal).toEqual({ message: "no", requestId: "r-1", atMs: 1 });
  });
});
