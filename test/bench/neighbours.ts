import { parseArgs } from "node:util";
import { migratePostgres } from "../../app/adapters/store/postgresql/migrate.ts";
import { createStore } from "../../app/adapters/store/store.ts";
import { refreshAddressBook } from "../../app/book/refresh-address-book.ts";
import { saveTemplate } from "../../app/by-hand/save-template.ts";
import { cancelJob } from "../../app/jobs/cancel-job.ts";
import { startJob } from "../../app/jobs/start-job.ts";
import { readHome } from "../../app/pages/read-home.ts";
import { readOrderOrigins } from "../../app/pages/read-order-origins.ts";
import { findOriginIds, readOrigins } from "../../app/pages/read-origins.ts";
import { receiveWebhook } from "../../app/shop/receive-webhook.ts";
import { startWorker } from "../../app/worker/worker.ts";
import { startEmbedded } from "../../scripts/postgres-server.ts";
import { KEYS, openFreshStore, SILENT } from "../adapters/store/open-store.ts";
import { SUPPLIER } from "../fakes/by-hand.ts";
import { connectionRecord, detailsRecord, locationGid, locationRecord, shopRecord, SHOP } from "../fakes/records.ts";
import { shopifyLocation } from "../fakes/world.ts";
import { openCrowdedShop } from "./stretches/crowded-shop.ts";
import type { CrowdedShop } from "./stretches/crowded-shop.ts";
import type { BenchRow } from "./run.ts";
import { ALL_ORIGINS } from "../../app/views/origins.ts";

/**
 * What another shop waits for while one does its worst: it pauses and syncs all its locations (`--locations`, 10,000), reads its book by
 * force, saves without end and floods its webhooks. The true store, worker and use cases in one process, without HTTP; `--postgres` on
 * PostgreSQL. The neighbour asks at fixed times, and what it waits for counts from then, so that nothing hides behind a held event loop.
 */

const P95_MS = 500;
const P99_MS = 1_000;
const ASK_EVERY_MS = 100;
const NEIGHBOUR = "two.myshopify.com";
const NEIGHBOURS_LOCATIONS = 20;
/** After the press of the last job the neighbour goes on asking for so long. */
const AFTER_MS = 20_000;

/** How often it is told how the neighbour's questions go, in turns, and of how many of the last. */
const TELL_EVERY = 150;
const LAST = 100;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export async function bench(argv: string[]): Promise<BenchRow[]> {
  const { values } = parseArgs({
    args: argv,
    options: { locations: { type: "string", default: "10000" }, postgres: { type: "boolean", default: false } },
  });
  const count = Number(values.locations);
  console.log(`Preparing ${count} locations beside as many templates …`);
  const size = { locations: count, templates: count };
  const crowded = await openCrowdedShop(size, values.postgres ? openPostgres : openFreshStore);
  await addNeighbour(crowded);
  const worker = startWorker(crowded.services, { concurrency: 16, alone: true });
  crowded.services.onWake(() => worker.wake());
  try {
    const over = new AbortController();
    const worst = doItsWorst(crowded, over.signal).finally(() => over.abort());
    const rows = await askAsNeighbour(crowded, over.signal);
    await worst;
    return rows;
  } finally {
    await worker.stop();
    await crowded.close();
  }
}

async function openPostgres() {
  const server = await startEmbedded();
  await migratePostgres({
    url: server.url,
    folder: new URL("../../prisma/postgresql/migrations/", import.meta.url),
  });
  const store = await createStore({ url: server.url, keys: KEYS, log: SILENT });
  const close = async () => {
    await store.close();
    await server.stop();
  };
  return { store, close };
}

async function addNeighbour({ services: { store, clock } }: CrowdedShop): Promise<void> {
  await store.transaction(NEIGHBOUR, async (tables) => {
    await tables.shops.insert(shopRecord({ shop: NEIGHBOUR, reconciledAtMs: clock.nowMs() }));
    await tables.connections.insert(
      connectionRecord({ id: "neighbour", shop: NEIGHBOUR, clientId: "client-2", bookReadAtMs: clock.nowMs() }),
    );
    for (let number = 1; number <= NEIGHBOURS_LOCATIONS; number += 1) {
      const { locationId, ...there } = shopifyLocation(100_000 + number);
      await tables.locations.insert(locationRecord({ ...there, locationId, shop: NEIGHBOUR }));
      await tables.details.insert(detailsRecord({ shop: NEIGHBOUR, locationId }));
    }
  });
}

async function doItsWorst({ services }: CrowdedShop, over: AbortSignal): Promise<void> {
  const query = ALL_ORIGINS;
  const press = async (kind: "pause" | "resume" | "sync") => {
    const startedMs = performance.now();
    const locationIds = await findOriginIds(services, { shop: SHOP, query });
    const started = await startJob(services, {
      shop: SHOP,
      kind,
      carriers: null,
      locationIds,
      lookThere: kind === "sync",
    });
    console.log(`  ${kind}: ${started.kind}, answered after ${Math.round(performance.now() - startedMs)} ms`);
    if (started.kind !== "started") throw new Error(`${kind} did not start`);
    const { jobId } = started;
    const isAsking = async () => {
      // As a page that follows it does.
      await readOrigins(services, { shop: SHOP, query });
      return (await services.store.workItems.find({ shop: SHOP, kind: "job", key: jobId })) !== null;
    };
    while (await isAsking()) await pause(1_500);
    console.log(`  ${kind}: asked for whole after ${Math.round(performance.now() - startedMs)} ms`);
    // What it asked of the service takes as long as the service allows, and would keep the next press from starting.
    await cancelJob(services, { shop: SHOP, jobId });
  };
  const without = async (every: number, work: (turn: number) => Promise<unknown>) => {
    for (let turn = 0; !over.aborted; turn += 1) {
      await work(turn).catch(() => undefined);
      await pause(every);
    }
  };
  void without(1_000, () => refreshAddressBook(services, { shop: SHOP, force: true, waitMs: 4_000 }));
  void without(200, (turn) =>
    saveTemplate(services, { shop: SHOP, draftId: `draft-${turn}`, templateId: null, draft: SUPPLIER, base: null }),
  );
  void without(10, (turn) => webhook(services, { shop: SHOP, id: `flood-${turn}`, location: 1 + (turn % 1_000) }));
  await press("pause");
  await press("resume");
  await press("sync");
  await pause(AFTER_MS);
}

function webhook(
  services: CrowdedShop["services"],
  { shop, id, location }: { shop: string; id: string; location: number },
) {
  const payload = { admin_graphql_api_id: locationGid(location) };
  return receiveWebhook(services, { shop, topic: "locations/update", webhookId: id, payload });
}

async function askAsNeighbour({ services }: CrowdedShop, over: AbortSignal): Promise<BenchRow[]> {
  const shop = NEIGHBOUR;
  let sent = 0;
  const questions: Record<"pages" | "order questions" | "webhooks", (turn: number) => Promise<unknown>> = {
    pages: () => readHome(services, { shop }),
    "order questions": (turn) =>
      readOrderOrigins(services, { shop, locationIds: [locationGid(100_001 + (turn % NEIGHBOURS_LOCATIONS))] }),
    webhooks: (turn) => {
      sent += 1;
      return webhook(services, { shop, id: `own-${turn}`, location: 100_001 + (turn % NEIGHBOURS_LOCATIONS) });
    },
  };
  const took = new Map<string, number[]>(Object.keys(questions).map((name) => [name, []]));
  const underWay: Promise<unknown>[] = [];
  const startedMs = performance.now();
  for (let turn = 0; !over.aborted; turn += 1) {
    const dueMs = startedMs + turn * ASK_EVERY_MS;
    await pause(Math.max(0, dueMs - performance.now()));
    if (turn % TELL_EVERY === TELL_EVERY - 1) tell(took, underWay.length);
    for (const [name, ask] of Object.entries(questions))
      underWay.push(ask(turn).then(() => took.get(name)!.push(performance.now() - dueMs)));
  }
  await Promise.all(underWay);
  const lost = sent - (await services.store.receipts.count({ shop }));
  const rows = [...took].flatMap(([name, times]) => {
    const at = (part: number) => Math.round(percentile(times, part));
    return [
      row(`${name}, 95 of 100 (${times.length} in all)`, at(0.95), P95_MS),
      row(`${name}, 99 of 100`, at(0.99), P99_MS),
      { name: `${name}, the slowest`, figure: at(1), unit: "ms", goal: "-", met: true },
    ];
  });
  return [...rows, { name: "webhooks lost", figure: lost, unit: "webhooks", goal: "0", met: lost === 0 }];
}

/** So that a person sees how it goes before it is over. */
function tell(took: Map<string, number[]>, asked: number): void {
  const last = [...took].map(([name, times]) => `${name} ${Math.round(percentile(times.slice(-LAST), 0.95))} ms`);
  const answered = [...took.values()].reduce((sum, times) => sum + times.length, 0);
  console.log(`  95 of the last 100 of the neighbour's: ${last.join(", ")}; unanswered ${asked - answered}`);
}

function percentile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * part) - 1] ?? 0;
}

function row(name: string, figure: number, goal: number): BenchRow {
  return { name, figure, unit: "ms", goal: `≤ ${goal}`, met: figure <= goal };
}
