import { composeOrigin } from "../../../app/domain/address/compose.ts";
import { NO_CONTACT } from "../../../app/domain/new-records.ts";
import type { LocationInput } from "../../sandbox/admin/locations.ts";
import type { LocationRecord } from "../../sandbox/admin/state.ts";
import { asShopifyTells } from "../oracle/locations.ts";
import type { SoakShop, SoakWorld } from "../world.ts";
import { gidOf } from "../world.ts";
import type { Weighted } from "./actions.ts";
import { INSIDE, insideOf, streetAddress, streetOf, STREETS, TOWNS, townOf } from "./places.ts";

/** What people change in Shopify: every field of a location, whether it ships online orders, whether it exists. */
export const IN_SHOPIFY: Weighted = [
  [6, moveAlongStreets],
  [3, moveToAnotherTown],
  [2, moveInside],
  [3, changePhone],
  [4, rename],
  [2, startOrStopShipping],
  [3, leaveOrReturn],
  [1, openLocation],
  [0.3, closeForGood],
];

/** With more locations away, too few would be left to check. */
const MOST_AWAY = 3;
const MOST_LOCATIONS_MORE = 4;

function moveAlongStreets(world: SoakWorld, shop: SoakShop): void {
  const { random } = world;
  change(world, shop, { address: streetOf(random.pick(STREETS), String(random.between(1, 999))) });
}

function moveToAnotherTown(world: SoakWorld, shop: SoakShop): void {
  change(world, shop, { address: townOf(world.random.pick(TOWNS)) });
}

function moveInside(world: SoakWorld, shop: SoakShop): void {
  const location = anyOf(world, shop);
  const { address2 } = location.address;
  change(world, shop, { address: insideOf(address2, world.random.pick(INSIDE)) }, location);
}

function changePhone(world: SoakWorld, shop: SoakShop): void {
  change(world, shop, { address: { phone: `+5233${world.random.between(10_000_000, 99_999_999)}` } });
}

function rename(world: SoakWorld, shop: SoakShop): void {
  const location = anyOf(world, shop);
  change(world, shop, { name: `${shop.name} ${location.id} ${world.random.between(1, 9_999)}` }, location);
}

function startOrStopShipping(world: SoakWorld, shop: SoakShop): void {
  const away = [...shop.state.locations.values()].filter((each) => !each.fulfillsOnlineOrders);
  const location = away.length >= MOST_AWAY ? away[0]! : anyOf(world, shop);
  change(world, shop, { fulfillsOnlineOrders: !location.fulfillsOnlineOrders }, location);
}

function leaveOrReturn(world: SoakWorld, shop: SoakShop): void {
  const away = [...shop.state.locations.values()].filter((each) => !each.isActive);
  const location = away.length >= MOST_AWAY || world.random.chance(0.3 * away.length) ? away[0]! : anyOf(world, shop);
  world.diary.note(gidOf(location.id), `Shopify: ${location.isActive ? "deactivated" : "activated"}`);
  world.admin.locations.setActive(shop.state, location.id, !location.isActive);
}

function openLocation({ random, admin, diary }: SoakWorld, shop: SoakShop): void {
  if (shop.state.locations.size >= shop.locations + MOST_LOCATIONS_MORE) return;
  const name = `${shop.name} nueva ${random.between(1_000, 99_999)}`;
  const address = { ...streetAddress("Calzada Independencia", String(random.between(1, 9_999))), phone: "3336151111" };
  const outcome = admin.locations.create(shop.state, { name, fulfillsOnlineOrders: true, address });
  if (outcome.ok) diary.note(gidOf(outcome.location.id), `Shopify: ${name} opened`);
}

function closeForGood(world: SoakWorld, shop: SoakShop): void {
  const location = anyOf(world, shop);
  world.diary.note(gidOf(location.id), "Shopify: deleted");
  world.admin.locations.delete(shop.state, location.id, { force: true });
}

function anyOf({ random }: SoakWorld, shop: SoakShop): LocationRecord {
  return random.pick([...shop.state.locations.values()]);
}

function change(world: SoakWorld, shop: SoakShop, input: LocationInput, location = anyOf(world, shop)): void {
  const said = JSON.stringify({ ...input, ...input.address, address: undefined });
  world.diary.note(gidOf(location.id), `Shopify: ${said.replaceAll("\u2060", "|")}`);
  world.admin.locations.change(shop.state, location.id, input);
  const { fields } = composeOrigin({
    address: asShopifyTells(location).address,
    postal: null,
    defaults: NO_CONTACT,
    details: null,
  });
  for (const [field, { value }] of Object.entries(fields))
    if (value !== null) world.saidInShopify.set(`${gidOf(location.id)} ${field} ${value}`, Date.now());
}
