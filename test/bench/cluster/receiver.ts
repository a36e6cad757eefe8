import { createMachine } from "../../../app/adapters/machine/clock.ts";
import { createRandom } from "../../../app/adapters/machine/random.ts";
import { createSharedClock } from "../../../app/adapters/machine/shared-clock.ts";
import { createStore } from "../../../app/adapters/store/store.ts";
import { receiveWebhook } from "../../../app/shop/receive-webhook.ts";
import { servicesOf, shippingOver } from "../../fakes/app-process.ts";
import { createFakeShopify } from "../../fakes/shopify.ts";
import { KEYS, SILENT } from "../../adapters/store/open-store.ts";
import { atPace } from "./at-pace.ts";

/** One of several processes that take webhooks, each when it is due, without HTTP and without the runs they ask for. */

export interface Receiving {
  databaseUrl: string;
  shops: string[];
  locations: number;
  perSecond: number;
  forMs: number;
  /** Each in a transaction of its own, for comparison. */
  alone: boolean;
}

export interface Received {
  /** The ids of those that were accepted. */
  accepted: string[];
  failed: number;
  /** From when each was due. */
  tookMs: number[];
  cpuMs: number;
}

const { databaseUrl, shops, locations, perSecond, forMs, alone } = JSON.parse(process.argv[2]!) as Receiving;
const opened = await createStore({ url: databaseUrl, keys: KEYS, log: SILENT, exclusive: false });
const { together, ...apart } = opened;
const store = alone || !together ? apart : opened;
const clock = await createSharedClock({ machine: createMachine(), askMs: opened.askTimeMs!, log: SILENT });
const random = createRandom();
const services = servicesOf({
  store,
  clock,
  random,
  shopify: createFakeShopify(clock),
  shipping: shippingOver({ network: {} as never, clock, random, store }),
});
const received: Received = { accepted: [], failed: 0, tookMs: [], cpuMs: 0 };

async function take(number: number, dueMs: number): Promise<void> {
  const webhookId = random.id();
  const shop = shops[number % shops.length]!;
  const payload = { id: 1 + ((number * 7) % locations), updated_at: new Date().toISOString() };
  try {
    const outcome = await receiveWebhook(services, { shop, topic: "locations/update", webhookId, payload });
    received.tookMs.push(performance.now() - dueMs);
    if (outcome === "accepted") received.accepted.push(webhookId);
    else received.failed += 1;
  } catch {
    received.failed += 1;
  }
}

await atPace({ perSecond, forMs: 3_000 }, take);
Object.assign(received, { accepted: [], failed: 0, tookMs: [] } satisfies Partial<Received>);
const before = process.cpuUsage();
console.log("begun");
await atPace({ perSecond, forMs }, take);
const { user, system } = process.cpuUsage(before);
received.cpuMs = (user + system) / 1_000;
console.log(JSON.stringify(received));
await opened.close();
process.exit(0);
