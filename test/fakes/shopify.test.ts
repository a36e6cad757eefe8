import type { Session } from "@shopify/shopify-api";
import { shopifyContract, shopifyWireContract } from "../contracts/shopify.ts";
import type { WireStandIn, StandIn } from "../contracts/shopify/stand-in.ts";
import { QUIET } from "./app-process.ts";
import { createVirtualClock } from "./clock.ts";
import { locationGid, SHOP } from "./records.ts";
import { createFakeShopify } from "./shopify.ts";
import type { FakeShopify } from "./shopify.ts";
import { sessionsIn } from "./sessions.ts";
import { APP, createShopifyServer, shopifyOver } from "./shopify-server.ts";
import { shopifyLocation } from "./world.ts";

const LIVES_SECONDS = 3_600;

function owner(state: FakeShopify): Pick<StandIn, "shop" | "put" | "remove" | "freeze" | "told" | "close"> {
  let number = 0;
  return {
    shop: SHOP,
    async put(over) {
      number += 1;
      state.put(SHOP, shopifyLocation(number, over));
      return locationGid(number);
    },
    remove: async (locationId) => state.remove(SHOP, locationId),
    freeze: async (frozen) => state.freeze(SHOP, frozen),
    told: () => state.flow.map(({ trigger, id }) => ({ trigger, id })),
    close: async () => undefined,
  };
}

shopifyContract("in memory", async () => {
  const clock = createVirtualClock();
  const state = createFakeShopify(clock);
  return {
    ...owner(state),
    shopify: state,
    uninstall: async () => state.uninstall(SHOP),
    comeBack: async () => state.install(SHOP),
    nowMs: () => clock.nowMs(),
    run: (work) => clock.runWhile(work),
  };
});

async function server(): Promise<WireStandIn> {
  const clock = createVirtualClock();
  const state = createFakeShopify(clock);
  let made = 0;
  const { fetch, ...admin } = createShopifyServer({
    state,
    clock,
    newId: () => String((made += 1)),
    livesSeconds: LIVES_SECONDS,
    outcomeOf: () => ({ delayMs: 1, answer: "true" }),
  });
  const sessions = new Map<string, Session>();
  const signIn = async () => {
    const session = admin.signIn(SHOP);
    sessions.set(session.id, session);
    return { accessToken: session.accessToken!, refreshToken: session.refreshToken! };
  };
  await signIn();
  return {
    ...owner(state),
    shopify: shopifyOver({ fetch, storage: sessionsIn(sessions), clock, log: QUIET }),
    fetch,
    app: APP,
    signIn,
    endAccess: () => clock.runFor(LIVES_SECONDS * 1_000),
    uninstall: async () => admin.uninstall(SHOP),
    async comeBack() {
      admin.install(SHOP);
      await signIn();
    },
    nowMs: () => clock.nowMs(),
    run: (work) => clock.runWhile(work),
  };
}

shopifyContract("Shopify's server on a virtual clock, under the true adapter", server);
shopifyWireContract("Shopify's server on a virtual clock", server);
