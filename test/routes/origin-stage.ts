import type { OriginIntent } from "../../app/components/origin/origin-intent.ts";
import type { AddressTemplate } from "../../app/domain/records.ts";
import { versionOf } from "../../app/domain/plan/template-version.ts";
import { readOrigin } from "../../app/pages/read-origin.ts";
import type { ShopifyLocation } from "../../app/ports.ts";
import { SUPPLIER } from "../fakes/by-hand.ts";
import { locationGid, locationRecord, SHOP } from "../fakes/records.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { posting } from "./posting.ts";

/** One origin in each state that its page's commands begin with. */

export const post = posting<OriginIntent>(() => import("../../app/routes/app.origins.$locationId/route.tsx"), {
  locationId: "1",
});

export const locationId = locationGid(1);
export const OTHER = "two.myshopify.com";
export const DONE = { kind: "done", progress: { kind: "done" } };

/** Location 1 as Shopify and the database know it, confirmed. */
export async function confirmed({ connected = true, over = {} as Partial<ShopifyLocation> } = {}): Promise<World> {
  const world = await createWorld({ connected, policies: { carriers: [] } });
  await world.addLocation(1, over);
  await world.store.locations.insert(locationRecord({ ...shopifyLocation(1, over), shop: SHOP }));
  return world;
}

/** The same with its template, which the sync made a minute ago: whoever opens the page reads it again. */
export async function synced(): Promise<{ world: World; template: AddressTemplate }> {
  const world = await confirmed();
  await post(world, { intent: "sync" });
  const template = world.templateOf(locationId)!;
  await world.runFor(60_000);
  world.calls.length = 0;
  return { world, template };
}

/** Somebody removed its template, and two looks believed it. */
export async function missing(): Promise<World> {
  const { world, template } = await synced();
  world.account.byPerson.remove(template.id);
  // Two sightings, and a minute of listings.
  await post(world, { intent: "sync" });
  await world.runFor(61_000);
  await post(world, { intent: "sync" });
  await world.runFor(61_000);
  await post(world, { intent: "sync" });
  world.calls.length = 0;
  return world;
}

/** A template by hand, which the book has since it was read. */
export async function byHand(world: World): Promise<AddressTemplate> {
  const template = world.account.byPerson.add(SUPPLIER);
  const refresh = posting<object>(() => import("../../app/routes/app.address-book._index/route.tsx"));
  await refresh(world, { force: true });
  world.calls.length = 0;
  return template;
}

/** What a page sends that shows a template and links it. */
export function linking(template: AddressTemplate): Extract<OriginIntent, { intent: "link" }> {
  return { intent: "link", templateId: template.id, templateVersion: versionOf(template) };
}

export const page = async (world: World) => (await readOrigin(world.services, { shop: SHOP, locationId }))!;

/** What the form sends if nobody types. */
export async function shown(world: World): Promise<Extract<OriginIntent, { intent: "save" }>> {
  const { revision, readFrom, split } = (await page(world)).form;
  return { intent: "save", revision, readFrom, values: split };
}

export const details = (world: World) => world.store.details.find({ shop: SHOP, locationId });
export const answered = (intent: OriginIntent["intent"], rest: object) => ({ status: 200, said: { intent, ...rest } });
