import { shopifyContract, shopifyWireContract } from "../../contracts/shopify.ts";
import type { WireStandIn } from "../../contracts/shopify/stand-in.ts";
import { CREDENTIALS, SHOP, startShopifyWorld } from "./shopify-world.ts";

async function overHttp(): Promise<WireStandIn> {
  const world = await startShopifyWorld([]);
  const { admin, sessions } = world;
  const state = admin.state.shops.get(SHOP)!;
  const control = (verb: string) =>
    fetch(`${admin.url}/sandbox/shops/${state.handle}/${verb}`, { method: "POST" }).then(() => undefined);
  const signIn = async () => {
    sessions.clear();
    const { session } = await world.signIn();
    return { accessToken: session.accessToken!, refreshToken: session.refreshToken! };
  };
  await signIn();
  return {
    shopify: world.shopify,
    shop: SHOP,
    // It leads what goes to a store to the sandbox.
    fetch: globalThis.fetch,
    app: CREDENTIALS,
    signIn,
    endAccess: () => control("expire-tokens"),
    async put(location) {
      const { id } = admin.locations.seed(state, {
        ...location,
        address: { city: "Guadalajara", provinceCode: "JAL" },
      });
      return `gid://shopify/Location/${id}`;
    },
    remove: async (locationId) => void state.locations.delete(Number(locationId.split("/").at(-1))),
    uninstall: () => control("uninstall"),
    async comeBack() {
      await control("install");
      await signIn();
    },
    async freeze(frozen) {
      admin.faults.clear();
      if (frozen) admin.faults.set({ kind: "status", status: 402, on: "graphql", body: "json" });
    },
    told: () =>
      admin.flowTriggers.arrived.map(({ handle, payload }) => ({ trigger: handle, id: payload["Event ID"]! })),
    nowMs: () => Date.now(),
    run: (work) => work,
    close: () => world.stop(),
  };
}

shopifyContract("the sandbox over HTTP, under the true adapter", overHttp);
shopifyWireContract("the sandbox over HTTP", overHttp);
