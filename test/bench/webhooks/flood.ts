import { createClock } from "../../../app/adapters/machine/clock.ts";
import { DEFAULT_POLICIES } from "../../../app/domain/records.ts";
import type { Store } from "../../../app/ports.ts";
import { receiveWebhook } from "../../../app/shop/receive-webhook.ts";
import { startWorker } from "../../../app/worker/worker.ts";
import { servicesOf, shippingOver } from "../../fakes/app-process.ts";
import { createSeededRandom } from "../../fakes/random.ts";
import { connectionRecord, detailsRecord, locationGid, shopRecord, SHOP } from "../../fakes/records.ts";
import { createFakeAccount } from "../../fakes/shipping/account.ts";
import { createFakeNetwork, PROMPT } from "../../fakes/shipping/network.ts";
import { createFakeShopify } from "../../fakes/shopify.ts";
import { CONTACT, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";

export interface Flood {
  locations: number;
  deliveries: number;
  expectedReceipts: number;
  receipts: number;
  templates: number;
  /** Locations whose template is not what Shopify says in the end. */
  astray: string[];
  p50Ms: number;
  p99Ms: number;
}

const told = (webhookId: string, number: number) => ({
  shop: SHOP,
  topic: "locations/update",
  webhookId,
  payload: { id: number },
});

/** Webhooks of ten locations, shuffled and each three times, while the worker runs; then what it all came to. */
export async function floodWithWebhooks(
  store: Store,
  { webhooks, seed }: { webhooks: number; seed: number },
): Promise<Flood> {
  const LOCATIONS = 10;
  const clock = createClock();
  const random = createSeededRandom(seed);
  const shopify = createFakeShopify(clock);
  const habits = { wipes: false, tidies: false, refuses: [] };
  const account = createFakeAccount({ habits, newId: () => random.id() });
  const network = createFakeNetwork({
    clock,
    habits,
    accountOf: () => account,
    outcomeOf: () => ({ ...PROMPT, arrivesAfterMs: 1 }),
    arrived: () => undefined,
  });
  const services = servicesOf({
    store,
    shopify,
    clock,
    random,
    shipping: shippingOver({ network, clock, random, store, openAtOnce: true }),
  });
  const policies = { ...DEFAULT_POLICIES, verifyAfterChange: false, onDelete: "delete" as const };
  await store.shops.insert(shopRecord({ contact: CONTACT, policies }));
  await store.connections.insert(connectionRecord({ bookReadAtMs: clock.nowMs(), bookConfirmedAtMs: clock.nowMs() }));
  for (let number = 1; number <= LOCATIONS; number += 1) {
    shopify.put(SHOP, shopifyLocation(number));
    await store.details.insert(detailsRecord({ locationId: locationGid(number), confirmedAtMs: clock.nowMs() }));
  }
  const deliveries = shuffled(
    Array.from({ length: webhooks }, (_, index) => index).flatMap((index) => [index, index, index]),
    () => random.next(),
  );
  const worker = startWorker(services, { concurrency: 8 });
  services.onWake(() => worker.wake());
  const tookMs: number[] = [];
  for (const [at, index] of deliveries.entries()) {
    const number = 1 + (index % LOCATIONS);
    if (at % 1_000 === 0)
      shopify.put(SHOP, shopifyLocation(number, { address: mexicanAddress({ number: String(at) }) }));
    const startedAtMs = performance.now();
    await receiveWebhook(services, told(`w${index}`, number));
    tookMs.push(performance.now() - startedAtMs);
  }
  // Shopify always tells of a last change.
  for (let number = 1; number <= LOCATIONS; number += 1) await receiveWebhook(services, told(`last ${number}`, number));
  const idle = async () =>
    (await store.workItems.list({ shop: SHOP })).every(
      ({ generation, observedGeneration }) => generation === observedGeneration,
    );
  for (let tries = 0; tries < 600 && !(await idle()); tries += 1) await clock.sleep(100);
  await worker.stop();
  const astray: string[] = [];
  for (const link of await store.links.list({ shop: SHOP })) {
    const there = shopify.known(SHOP, link.locationId)!.address.address1 ?? "";
    const sent = account.templates.get(link.templateId)?.address.street_number ?? "none";
    if (!there.includes(sent)) astray.push(`${there} is sent as ${sent}`);
  }
  tookMs.sort((a, b) => a - b);
  return {
    locations: LOCATIONS,
    deliveries: tookMs.length,
    expectedReceipts: webhooks + LOCATIONS,
    receipts: await store.receipts.count({ shop: SHOP }),
    templates: account.templates.size,
    astray,
    p50Ms: tookMs[tookMs.length >> 1]!,
    p99Ms: tookMs[Math.floor(tookMs.length * 0.99)]!,
  };
}

function shuffled<T>(items: T[], next: () => number): T[] {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const other = Math.floor(next() * (at + 1));
    [items[at], items[other]] = [items[other]!, items[at]!];
  }
  return items;
}
