import { parseArgs } from "node:util";
import { openFreshStore } from "../adapters/store/open-store.ts";
import type { BenchRow } from "./run.ts";
import { webhooksAtRate } from "./webhooks/at-rate.ts";
import { besideTemplate } from "./webhooks/beside-template.ts";
import { floodWithWebhooks } from "./webhooks/flood.ts";

/**
 * What webhooks cost, and whether one is lost. `--part flood|beside|rate` runs one part alone, `--store sqlite|postgresql` the others on one
 * database; `--rounds` and `--seconds` make them shorter, and `--rate` sends other than 200 a second.
 */

const GOAL_P99_MS = 50;

/** Shopify gives a webhook five seconds. */
const ANSWERED_WITHIN_MS = 5_000;

export async function bench(argv: string[]): Promise<BenchRow[]> {
  const { values } = parseArgs({
    args: argv,
    options: {
      part: { type: "string" },
      store: { type: "string" },
      rounds: { type: "string", default: "9" },
      seconds: { type: "string", default: "30" },
      rate: { type: "string", default: "200" },
    },
  });
  const [perSecond, forMs] = [Number(values.rate), Number(values.seconds) * 1_000];
  const rounds = { rounds: Number(values.rounds), forMs: forMs / 10 };
  const stores = (["sqlite", "postgresql"] as const).filter(
    (name) => values.store === undefined || values.store === name,
  );
  const rows: BenchRow[] = [];
  const isAsked = (part: string) => values.part === undefined || values.part === part;
  if (isAsked("flood")) rows.push(...(await manyDeliveries()));
  for (const store of stores) {
    const postgres = store === "postgresql";
    if (isAsked("beside")) rows.push(...(await besideTemplate(postgres, rounds)));
    if (isAsked("rate"))
      rows.push(...(await webhooksAtRate({ perSecond, forMs, processes: 1, postgres, goalP99Ms: GOAL_P99_MS })));
  }
  return rows;
}

/** Ten thousand webhooks, shuffled and each three times, over the real store: the end state, and how soon each is answered. */
async function manyDeliveries(): Promise<BenchRow[]> {
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
