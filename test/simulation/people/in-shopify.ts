import { mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import { webhook } from "./stage.ts";
import type { Action } from "./stage.ts";

/** What people do in Shopify's admin. */

const FROZEN_MS = { least: 10_000, most: 60_000 };

export const moveLocation: Action = (stage, at) => {
  const { random, shopify } = stage;
  const known = shopify.known(at.shop, at.locationId);
  if (!known) return false;
  const { address } = known;
  const moved = mexicanAddress({
    street: random.pick(["Avenida Vallarta", "Calle Morelos", "Avenida Hidalgo"]),
    number: String(random.between(1, 999)),
    phone: random.chance(0.3) ? `+5233${random.between(10_000_000, 99_999_999)}` : (address.phone ?? ""),
  });
  shopify.put(at.shop, { ...known, address: random.chance(0.3) ? { ...address, phone: moved.phone } : moved });
  webhook(stage, at, "locations/update");
  return true;
};

export const renameLocation: Action = (stage, at) => {
  const { random, shopify } = stage;
  const known = shopify.known(at.shop, at.locationId);
  if (!known) return false;
  shopify.put(at.shop, { ...known, name: `Bodega ${random.between(100, 999)}` });
  webhook(stage, at, "locations/update");
  return true;
};

export const leaveOrReturn: Action = (stage, at) => {
  const { random, shopify } = stage;
  const { shop, locationId } = at;
  const known = shopify.known(shop, locationId);
  if (!known) {
    shopify.put(shop, shopifyLocation(Number(locationId.split("/").at(-1))));
    webhook(stage, at, "locations/create");
    return true;
  }
  if (random.chance(0.3)) {
    shopify.remove(shop, locationId);
    webhook(stage, at, "locations/delete");
    return true;
  }
  shopify.put(shop, { ...known, isActive: !known.isActive });
  webhook(stage, at, known.isActive ? "locations/deactivate" : "locations/activate");
  webhook(stage, at, "locations/update");
  return true;
};

/** Deactivates a location for good. */
export const leave: Action = (stage, at) => {
  const known = stage.shopify.known(at.shop, at.locationId);
  if (!known?.isActive) return false;
  stage.shopify.put(at.shop, { ...known, isActive: false });
  webhook(stage, at, "locations/deactivate");
  return true;
};

/** Deactivates a location and activates it a moment later: a plan that was made in between must not be carried out. */
export const leaveForAMoment: Action = (stage, at) => {
  const { random, shopify, after } = stage;
  const known = shopify.known(at.shop, at.locationId);
  if (!known?.isActive) return false;
  shopify.put(at.shop, { ...known, isActive: false });
  webhook(stage, at, "locations/deactivate");
  after(random.between(200, 20_000), () => {
    const now = shopify.known(at.shop, at.locationId);
    if (!now) return;
    shopify.put(at.shop, { ...now, isActive: true });
    webhook(stage, at, "locations/activate");
  });
  return true;
};

/** The shop has not paid for a while: nothing may be read of it, and it has not left. */
export const freezeShop: Action = ({ random, shopify, after }, { shop }) => {
  if (!shopify.isInstalled(shop) || shopify.isFrozen(shop)) return false;
  shopify.freeze(shop, true);
  after(random.between(FROZEN_MS.least, FROZEN_MS.most), () => shopify.freeze(shop, false));
  return true;
};
