import { expect, test } from "vitest";
import { refreshAddressBook } from "../../app/book/refresh-address-book.ts";
import { saveTemplate } from "../../app/by-hand/save-template.ts";
import { readOrigin } from "../../app/pages/read-origin.ts";
import type { TemplatePatch } from "../../app/domain/records.ts";
import { SUPPLIER } from "../fakes/by-hand.ts";
import { SHOP } from "../fakes/records.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** The service shows a field blank that it never leaves blank, for one template. Nobody has emptied it, and it is stored as it was. */

const MINUTE_MS = 60_000;
const BLANK = ["", null];

async function stage(): Promise<{ world: World; said: TemplatePatch["address_attributes"][] }> {
  const world = await createWorld({ policies: { carriers: [] } });
  world.start();
  const said: TemplatePatch["address_attributes"][] = [];
  const { update } = world.account;
  world.account.update = (id, patch, at) => {
    said.push(patch.address_attributes);
    return update(id, patch, at);
  };
  return { world, said };
}

function showBlank(world: World, id: string, phone: string | null): void {
  world.malformed.set(id, (template) => ({ ...template, address: { ...template.address, phone } }));
}

async function list(world: World): Promise<void> {
  await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
  await world.runFor(5 * MINUTE_MS);
}

const learned = async (world: World) => (await world.store.connections.find({ shop: SHOP }))!.unnamed;

test.each(BLANK)(
  "a location's changes name what changed, and its page says what the service shows (%j)",
  async (blank) => {
    const { world, said } = await stage();
    const key = await world.addLocation(1);
    await world.requestWork("location", key);
    await world.runFor(MINUTE_MS);
    const { id } = world.templateOf(key)!;
    showBlank(world, id, blank);
    await list(world);
    expect(said).toEqual([]);
    for (const number of ["500", "501"]) {
      world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number }) }));
      await world.requestWork("location", key);
      world.services.wake();
      await world.runFor(5 * MINUTE_MS);
    }
    expect(said).toEqual([{ street_number: "500" }, { street_number: "501" }]);
    expect(await learned(world)).toBe("kept");
    expect(world.templateOf(key)!.address).toMatchObject({ street_number: "501", phone: "3336150000" });
    const page = (await readOrigin(world.services, { shop: SHOP, locationId: key }))!;
    expect(page.state).toBe("drift");
    world.malformed.clear();
    await list(world);
    expect((await readOrigin(world.services, { shop: SHOP, locationId: key }))!.state).not.toBe("drift");
  },
);

test.each(BLANK)("a form does not put back a phone that somebody has corrected since (%j)", async (blank) => {
  const { world, said } = await stage();
  const { alias_name, address_type, address_attributes } = structuredClone(SUPPLIER);
  const { id } = world.account.byPerson.add({ alias_name, address_type, address_attributes });
  await list(world);
  showBlank(world, id, blank);
  await list(world);
  world.account.byPerson.edit(id, "phone", "+523300000000", world.clock.nowMs());
  await list(world);
  const shown = { ...address_attributes, phone: blank };
  const base = structuredClone(world.account.templates.get(id)!);
  base.address.phone = blank;
  const draft = { alias_name, address_type, address_attributes: { ...shown, reference: "Otra" } };
  const form = { shop: SHOP, draftId: "draft-1", templateId: id, draft, base };
  expect(await world.clock.runWhile(saveTemplate(world.services, form))).toMatchObject({ kind: "done" });
  expect(said).toEqual([{ reference: "Otra" }]);
  expect(world.account.templates.get(id)!.address).toMatchObject({ reference: "Otra", phone: "+523300000000" });
  expect(await learned(world)).toBe("kept");
});
