import { openFreshStore } from "../adapters/store/open-store.ts";
import { floodWithWebhooks } from "./webhooks/flood.ts";
import type { BenchRow } from "./run.ts";

/** Shopify gives a webhook five seconds. */
const ANSWERED_WITHIN_MS = 5_000;

/** Ten thousand webhooks, shuffled and each three times, over the real store: the end state, and how soon each is answered. */
export async function bench(): Promise<BenchRow[]> {
  const opened = await openFreshStore();
  try {
    const flood = await floodWithWebhooks(opened.store, { webhooks: 10_000, seed: 11 });
    const lost = flood.expectedReceipts - flood.receipts;
    return [
      {
        name: "deliveries",
        figure: flood.deliveries,
        unit: "webhooks",
        goal: "30000",
        met: flood.deliveries === 30_000,
      },
      { name: "receipts lost or doubled", figure: lost, unit: "webhooks", goal: "0", met: lost === 0 },
      {
        name: "templates",
        figure: flood.templates,
        unit: "templates",
        goal: String(flood.locations),
        met: flood.templates === flood.locations,
      },
      {
        name: "locations astray",
        figure: flood.astray.length,
        unit: "locations",
        goal: "0",
        met: flood.astray.length === 0,
      },
      { name: "answered, p50", figure: Number(flood.p50Ms.toFixed(1)), unit: "ms", goal: "-", met: true },
      {
        name: "answered, p99",
        figure: Number(flood.p99Ms.toFixed(1)),
        unit: "ms",
        goal: `< ${ANSWERED_WITHIN_MS}`,
        met: flood.p99Ms < ANSWERED_WITHIN_MS,
      },
    ];
  } finally {
    await opened.close();
  }
}
