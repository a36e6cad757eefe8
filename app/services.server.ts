import packageJson from "../package.json" with { type: "json" };
import { randomUUID } from "node:crypto";
import { createClock, createMachine } from "./adapters/machine/clock.ts";
import { createHeardDates } from "./adapters/machine/heard-dates.ts";
import { createRandom } from "./adapters/machine/random.ts";
import { createSharedClock } from "./adapters/machine/shared-clock.ts";
import { createShippingService } from "./adapters/shipping/service.ts";
import { createShopifyAdmin } from "./adapters/shopify/admin.ts";
import { createShopifyApp } from "./adapters/shopify/app.ts";
import { parseKeys } from "./adapters/store/encryption.ts";
import { isPostgres } from "./adapters/store/postgresql/is-postgres.ts";
import { createStore } from "./adapters/store/store.ts";
import { readConfig, sendsTraces } from "./config.server.ts";
import type { Config } from "./config.server.ts";
import { DEFAULT_VERIFICATION_WORDS } from "./domain/verification/verification.ts";
import { createHealth } from "./http/health.ts";
import { logInContext, storeInContext, withLogFields } from "./http/log-context.ts";
import type { WebhookIntake } from "./http/webhook-route.ts";
import type { BegunMetrics, Standing } from "./http/metrics/metrics.ts";
import { createReady } from "./http/ready.ts";
import type { Traces } from "./http/traces/tracing.ts";
import { createLog } from "./adapters/machine/log.ts";
import type { Log, Services } from "./ports.ts";
import { createTokenStore } from "./account/token-store.ts";
import { createRunWorkItem } from "./runs/run-work-item.ts";
import { acceptServer } from "./shop/follow-fail-over.ts";
import { receiveWebhook } from "./shop/receive-webhook.ts";
import { welcomeShop } from "./shop/welcome-shop.ts";
import { noteRun } from "./triggers/note-run.ts";
import { WORK } from "./worker/work.ts";
import { startWorker, type Worker } from "./worker/worker.ts";

/** Puts the app together: the only file that constructs adapters, and one of each a process. */

/** A call's whole time, which is how long one that was sent may take to be answered (see adapters/shipping). */
const CALL_TIMEOUT_MS = 10_000;
const LEASE_MS = 60_000;
/** Beside other processes nothing tells that one has died but its leases, which end. */
const SHARED_LEASE_MS = 20_000;
const INTERACTIVE_WAIT_MS = 4_000;
/** Runs wait for their shop's slots most of the time, and a shop that is held up must not hold up the others: four runs a shop. */
const WORKER_CONCURRENCY = 400;

/** Where several processes can share a database, its slots are in it. */
async function openSlots({ DATABASE_URL: url, DATABASE_DIRECT_URL: direct }: Config) {
  if (!isPostgres(url)) return undefined;
  const { connectionConfig } = await import("./adapters/store/postgresql/connection.ts");
  const { openSlotsDatabase } = await import("./adapters/shipping/slots/slots-database.ts");
  return openSlotsDatabase(connectionConfig(url), { isPooled: direct !== undefined && direct !== url });
}

/** Null where no port is set: then nothing is loaded, and nothing is put around anything. */
async function openMetrics(config: Config): Promise<BegunMetrics | null> {
  if (config.METRICS_PORT === undefined) return null;
  const { beginMetrics } = await import("./http/metrics/metrics.ts");
  return beginMetrics();
}

/** Null where the environment names no collector: then nothing is loaded, and nothing is put around anything. */
async function openTraces(config: Config, log: Log): Promise<Traces | null> {
  if (!sendsTraces(config)) return null;
  const { createTracing } = await import("./http/traces/tracing.ts");
  return createTracing(config, log);
}

async function assemble(config: Config) {
  const begun = await openMetrics(config);
  const written = createLog(config.LOG_LEVEL);
  // A request to the service may leave in the turn of the call before it, so its line names itself alone.
  const bareLog = begun?.log(written) ?? written;
  const traces = await openTraces(config, bareLog);
  const log = logInContext(bareLog, traces?.fields);
  const opened = await createStore({
    url: config.DATABASE_URL,
    directUrl: config.DATABASE_DIRECT_URL,
    erasureLog: config.ERASURE_LOG,
    keys: parseKeys(config.APP_KEYS),
    log,
  });
  const { askTimeMs: askMs } = opened;
  const clock = askMs ? await createSharedClock({ machine: createMachine(), askMs, log }) : createClock();
  let worker: Worker | null = null;
  let isStopping = false;
  const standing: Standing = {
    unhealthy: () => health.read(),
    ready: () => ready.read(),
    workerBackByMs: () => worker?.backByMs() ?? null,
  };
  const metrics = begun?.metrics({ clock, log, standing }) ?? null;
  const counted = metrics?.store(opened) ?? opened;
  const store = storeInContext(traces?.store(counted) ?? counted);
  const dates = createHeardDates(clock);
  const random = createRandom();
  const quarantineMs = CALL_TIMEOUT_MS + config.QUARANTINE_LONGEST_MS + config.QUARANTINE_MARGIN_MS;
  // Before anything could be sent.
  if (opened.opensInMs) await acceptServer(opened.server, { log, quarantineMs });
  const tokens = createTokenStore({ store, clock, random });
  const runWorkItem = createRunWorkItem(metrics?.runs(WORK) ?? WORK, noteRun);
  const service = createShippingService({
    baseUrls: { test: config.SHIPPING_TEST_URL, production: config.SHIPPING_PRODUCTION_URL },
    userAgent: `Origen/${packageJson.version}`,
    clock,
    random,
    log: metrics?.calls(bareLog) ?? bareLog,
    dates,
    tokens: metrics?.tokens(tokens) ?? tokens,
    budget: { graceMs: config.BUDGET_GRACE_MS, closedForMs: (await opened.opensInMs?.()) ?? 0 },
    slotsDatabase: await openSlots(config),
  });
  const watched = metrics?.shipping(service) ?? service;
  const shipping = traces?.shipping(watched) ?? watched;

  let wakeWorker: Services["wake"] = () => {};
  const shopifyApp = createShopifyApp({
    apiKey: config.SHOPIFY_API_KEY,
    apiSecret: config.SHOPIFY_API_SECRET,
    appUrl: config.SHOPIFY_APP_URL,
    scopes: config.SCOPES,
    sessionStorage: store.sessions,
    clock,
    dates,
    log,
    afterAuth: (shop) => welcomeShop(services, { shop }),
  });
  const shopify = createShopifyAdmin({ clientFor: shopifyApp.clientFor, clock, apiKey: config.SHOPIFY_API_KEY });
  const services: Services = {
    store,
    shipping,
    shopify: traces?.shopify(shopify) ?? shopify,
    clock,
    dates,
    random,
    log,
    settings: {
      quarantineMs,
      leaseMs: store.alone ? LEASE_MS : SHARED_LEASE_MS,
      absenceBelievedAfterMs: config.ABSENCE_BELIEVED_AFTER_MS,
      locationAbsenceBelievedAfterMs: config.ABSENCE_BELIEVED_AFTER_MS,
      listingsApartMs: config.LISTINGS_APART_MS,
      interactiveWaitMs: INTERACTIVE_WAIT_MS,
      verificationWords: config.VERIFICATION_STATUS_TABLE ?? DEFAULT_VERIFICATION_WORDS,
    },
    wake: (inMs) => wakeWorker(inMs),
    runWorkItem: (given, claimed) => {
      const run = () => runWorkItem(given, claimed);
      return withLogFields({ runId: randomUUID() }, () => traces?.run(claimed.item, run) ?? run());
    },
  };

  const health = createHealth({ clock, log, askStore: opened.ask, lockIsOurs: opened.lockIsOurs });

  /**
   * Begins to work through what is due. The function returned ends it: nothing more is claimed, what runs ends or is released, and when
   * the requests are drained too, everything closes.
   */
  async function startApp(): Promise<(drained: Promise<void>) => Promise<void>> {
    const started = startWorker(services, { concurrency: WORKER_CONCURRENCY, alone: store.alone });
    worker = started;
    wakeWorker = (inMs) => started.wake(inMs);
    // A page may run a work item itself.
    await started.ready;
    health.started(started);
    return async (drained) => {
      isStopping = true;
      await Promise.all([started.stop(), drained]);
      await shipping.close();
      await store.close();
      await traces?.stop();
    };
  }

  const ready = createReady({
    clock,
    askStore: opened.ask,
    tables: opened,
    lockIsOurs: opened.lockIsOurs,
    workerLateMs: () => (worker ? clock.monotonicMs() - worker.backByMs() : null),
    isStopping: () => isStopping,
  });
  const webhooks: WebhookIntake = {
    check: shopifyApp.checkWebhook,
    receive: (webhook) => receiveWebhook(services, webhook),
  };
  return { services, shopifyApp, startApp, health, metrics, traces, ready, webhooks };
}

/** Development reloads this module; the database, the budget and the worker must outlive that. */
const held = globalThis as { origen?: Promise<Awaited<ReturnType<typeof assemble>>> };

export const config = readConfig(process.env);

export const { services, shopifyApp, startApp, health, metrics, traces, ready, webhooks } = await (held.origen ??=
  assemble(config));

export const { log } = services;

/** Of the log that this bundle has. */
export { withLogFields };
