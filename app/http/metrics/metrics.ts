import type { MeasuredVital } from "../../views/vitals.ts";
import type { Clock, Log, ShippingService, Store, TokenStore } from "../../ports.ts";
import { OK, type Readiness } from "../ready.ts";
import { createAsked } from "./asked.ts";
import { createSeries, type Series } from "./series.ts";
import { watchAlarms } from "./watch-log.ts";
import { watchRuns } from "./watch-runs.ts";
import { watchCalls, watchService, watchTokens } from "./watch-shipping.ts";
import { watchStore } from "./watch-store.ts";

/** The metrics of one process: what is put around its ports, and the page that Prometheus reads. */
export interface Metrics {
  store<S extends Store>(store: S): S;
  tokens(tokens: TokenStore): TokenStore;
  /** The log that the shipping adapter is given. */
  calls(log: Log): Log;
  shipping<S extends ShippingService>(service: S): S;
  runs: <W extends object>(work: W) => W;
  /** There is such a loader or action. It may not have run yet. */
  routeKnown(route: string, part: "loader" | "action"): void;
  /** A loader or an action has ended. */
  routed(route: string, part: "loader" | "action", end: { seconds: number; outcome: string }): void;
  /** Shopify's time of a webhook, in milliseconds since the epoch, and how long ago it came. */
  webhookFrom(triggeredAtMs: number, agoMs: number): void;
  /** What App Bridge measured of a page in somebody's admin. */
  vital(measured: MeasuredVital): void;
  /** What the page says, in Prometheus's text format. */
  page(): Promise<{ type: string; text: string }>;
}

/** What the process knows of itself when Prometheus asks. */
export interface Standing {
  unhealthy(): Promise<string | null>;
  ready(): Promise<Readiness>;
  workerBackByMs(): number | null;
}

export interface MetricsInput {
  clock: Pick<Clock, "nowMs" | "monotonicMs">;
  log: Log;
  standing: Standing;
}

/** Metrics of which only the log exists yet. */
export interface BegunMetrics {
  /** The process's own log, whose alarms are counted. */
  log(log: Log): Log;
  metrics(input: MetricsInput): Metrics;
}

/** The log comes before a store and a clock, and may tell of an alarm while these are made. */
export function beginMetrics(): BegunMetrics {
  const series = createSeries();
  return {
    log: (log) => watchAlarms(log, series),
    metrics: (input) => createMetrics(series, input),
  };
}

const REASONS = ["starting", "stopping", "lock", "store", "worker"];

/** How a loader or an action ends that is at fault. */
const FAILURES = new Set(["5xx", "failed"]);

function createMetrics(series: Series, { clock, log, standing }: MetricsInput): Metrics {
  let ask: () => Promise<void> = async () => undefined;
  const routeKnown: Metrics["routeKnown"] = (route, part) => {
    series.routesFailed.inc({ route }, 0);
    if (part === "loader") series.routes.zero({ route, part, outcome: "2xx" });
  };
  routeKnown("webhooks", "action");
  return {
    store(store) {
      // What metrics ask is not itself timed.
      ask = createAsked({ store, clock, log, series });
      return watchStore(store, series);
    },
    tokens: (tokens) => watchTokens(tokens, series),
    calls: (log) => watchCalls(log, series),
    shipping: (service) => watchService(service, series),
    runs: (work) => watchRuns(work, series),
    routeKnown,
    routed: (route, part, { seconds, outcome }) => {
      series.routes.observe({ route, part, outcome }, seconds);
      if (FAILURES.has(outcome)) series.routesFailed.inc({ route });
    },
    webhookFrom: (triggeredAtMs, agoMs) =>
      series.delays.observe(Math.max(0, clock.nowMs() - agoMs - triggeredAtMs) / 1_000),
    vital: ({ page, name, value }) => {
      if (name === "CLS") series.layoutShift.observe({ page }, value);
      else series.vitals.observe({ page, vital: name }, value / 1_000);
    },
    async page() {
      const [reason, { parts }] = await Promise.all([standing.unhealthy(), standing.ready(), ask()]);
      for (const each of REASONS) series.up.set({ reason: each }, each === reason ? 1 : 0);
      for (const [part, word] of Object.entries(parts)) series.ready.set({ part }, word === OK ? 1 : 0);
      const backByMs = standing.workerBackByMs();
      if (backByMs !== null) series.workerLate.set((clock.monotonicMs() - backByMs) / 1_000);
      return { type: series.registry.contentType, text: await series.registry.metrics() };
    },
  };
}
