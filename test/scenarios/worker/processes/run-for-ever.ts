import { createClock } from "../../../../app/adapters/machine/clock.ts";
import { createRandom } from "../../../../app/adapters/machine/random.ts";
import { createStore } from "../../../../app/adapters/store/store.ts";
import { startWorker } from "../../../../app/worker/worker.ts";
import { KEYS, SILENT } from "../../../adapters/store/open-store.ts";
import { servicesOf, shippingOver } from "../../../fakes/app-process.ts";
import { createFakeNetwork, PROMPT } from "../../../fakes/shipping/network.ts";
import { createFakeShopify } from "../../../fakes/shopify.ts";

// A worker on the database given, whose runs wait for a Shopify that does not answer; says when it has asked, and stays until killed.
const store = await createStore({ url: process.argv[2]!, keys: KEYS, log: SILENT });
const [clock, random] = [createClock(), createRandom()];
const shopify = createFakeShopify(clock);
shopify.trouble = () => {
  if (shopify.calls.location > 0) console.log("asked");
  return { delayMs: 3_600_000, fails: false };
};
const habits = { wipes: false, tidies: false, refuses: [] };
const network = createFakeNetwork({
  clock,
  habits,
  accountOf: () => null,
  outcomeOf: () => PROMPT,
  arrived: () => undefined,
});
const shipping = shippingOver({ network, clock, random, store });
startWorker(servicesOf({ store, shipping, shopify, clock, random }), { concurrency: 4 });
setInterval(() => undefined, 60_000);
