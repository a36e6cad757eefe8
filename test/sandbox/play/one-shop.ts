// A store with an owner who can act in it, before its job is played: `mapShops` does that.
import { sandboxClient } from "../shipping/options.ts";
import type { StoreInput } from "../admin/server.ts";
import { startSandbox } from "../start.ts";
import type { Sandbox, SandboxOptions } from "../start.ts";
import type { PlayedShop } from "./mapped-shops.ts";
import { createVisitor } from "./visitor.ts";

const HANDLE = "bodegas-norte";
const NAME = "Bodegas Norte";

/** Where each of its locations is, and may be another one's too. */
export const ONE_ADDRESS = {
  address1: "Avenida Vallarta 100",
  address2: "Americana",
  city: "Guadalajara",
  provinceCode: "JAL",
  countryCode: "MX",
  zip: "44160",
  phone: "+523336150000",
};

/** A sandbox with this one store to play, in English, whose locations have these names. @throws with nothing left running. */
export async function startOneShop(
  locationNames: readonly string[],
  options: SandboxOptions,
  further: StoreInput[] = [],
): Promise<{ sandbox: Sandbox; shop: PlayedShop }> {
  const locations = locationNames.map((name) => ({ name, fulfillsOnlineOrders: true, address: ONE_ADDRESS }));
  const stores = [{ handle: HANDLE, name: NAME, locations }, ...further];
  const sandbox = await startSandbox({ locale: "en", stores, ...options });
  const { clientId, clientSecret } = sandboxClient("production", 1);
  const shop = {
    name: NAME,
    state: sandbox.admin.state.shops.get(`${HANDLE}.myshopify.com`)!,
    visitor: createVisitor({ adminUrl: sandbox.adminUrl, store: HANDLE }),
    clientId,
    clientSecret,
    scope: null,
    carriers: [],
    verifyAfterChange: false,
  };
  return { sandbox, shop };
}
