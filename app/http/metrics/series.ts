import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** Every series of the process. Labels are words of the code, so there are as many series as the code has words, whatever shops do. */

/*
 * Prometheus counts an increase between two values, so a series that begins with its first event has lost that event. What an alert counts
 * is therefore there from the start: it has no labels, or whoever watches gives all of them their 0. A label with few values is worth a
 * counter of its own where its histogram has too many series for that.
 */

/** From a statement to a request that times out. */
const SECONDS = [0.001, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
/** From a slot that is free to an owner who has given up. */
const WAITS = [0.01, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 1_800];
/** From Shopify's moment to its fourth hour, when it gives up. */
const DELAYS = [0.1, 0.5, 1, 2, 5, 15, 60, 600, 3_600, 14_400];
/** Up to what Shopify calls poor, around what it and we call good. */
const VITAL_SECONDS = [0.05, 0.1, 0.15, 0.2, 0.5, 0.8, 1.2, 1.8, 2.5, 4, 10];
const SHIFTS = [0.01, 0.02, 0.05, 0.1, 0.25, 1];

export type Series = ReturnType<typeof createSeries>;

export function createSeries() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, { buckets, labels }: Buckets<L>) =>
    new Histogram({ name, help, labelNames: labels, buckets, registers });

  return {
    registry,
    calls: histogram("origen_call_seconds", "Requests to the shipping service, by operation, priority and outcome.", {
      buckets: SECONDS,
      labels: ["operation", "priority", "outcome"],
    }),
    called: counter("origen_calls_total", "Requests to the shipping service."),
    callsFailed: counter(
      "origen_calls_failed_total",
      "Those that ended with 5xx, in a timeout or without a connection.",
    ),
    tooMany: counter("origen_too_many_total", "Answers 429 of the shipping service."),
    asked: histogram("origen_asked_seconds", "What is asked of the shipping service, its waits for slots included.", {
      buckets: WAITS,
      labels: ["operation", "priority", "end"],
    }),
    underWay: gauge("origen_asked_under_way", "What is asked and not answered yet, by priority.", ["priority"]),
    renewals: counter("origen_token_renewals_total", "Tokens that were renewed, or refused, by result.", ["result"]),
    runs: histogram("origen_run_seconds", "Runs of work items, by kind and end.", {
      buckets: SECONDS,
      labels: ["kind", "end"],
    }),
    leasesLost: counter("origen_leases_lost_total", "Leases that a run could not renew, because they were another's."),
    receipts: counter("origen_webhooks_total", "Webhooks, by whether they were new or a repetition.", ["result"]),
    delays: histogram("origen_webhook_delay_seconds", "From Shopify's moment to the webhook's arrival.", {
      buckets: DELAYS,
      labels: [],
    }),
    store: histogram("origen_store_seconds", "Statements and transactions of the store, by operation and outcome.", {
      buckets: SECONDS,
      labels: ["operation", "outcome"],
    }),
    routes: histogram("origen_route_seconds", "Loaders and actions, by route and outcome.", {
      buckets: SECONDS,
      labels: ["route", "part", "outcome"],
    }),
    routesFailed: counter("origen_route_failures_total", "Loaders and actions that threw or answered 5xx, by route.", [
      "route",
    ]),
    vitals: histogram("origen_page_vital_seconds", "What App Bridge measured in real admins, by page and vital.", {
      buckets: VITAL_SECONDS,
      labels: ["page", "vital"],
    }),
    layoutShift: histogram("origen_page_layout_shift", "The layout shift that App Bridge measured, by page.", {
      buckets: SHIFTS,
      labels: ["page"],
    }),
    due: gauge("origen_queue_due", "Work items that are due and not claimed, by kind.", ["kind"]),
    oldest: gauge(
      "origen_queue_oldest_seconds",
      "How long the work item waits that has been due for longest, by kind.",
      ["kind"],
    ),
    stopped: gauge("origen_work_items_stopped", "Work items that are parked or blocked, by state.", ["state"]),
    pendingWrites: gauge("origen_pending_writes", "Writes whose end is unclear, by whether their quarantine is over.", [
      "quarantine",
    ]),
    openQuestions: gauge("origen_verification_open", "Questions to carriers without a verdict."),
    oldestQuestion: gauge("origen_verification_oldest_seconds", "How long the oldest of them has been open."),
    breakers: gauge("origen_breakers", "Connections in use, by the state of their circuit breaker.", ["state"]),
    workerLate: gauge("origen_worker_late_seconds", "How late the worker's loop is; below 0 while it is in time."),
    up: gauge("origen_unhealthy", "1 for what keeps the process from its work, by reason.", ["reason"]),
    ready: gauge("origen_ready", "1 for each part of which /ready says ok, else 0.", ["part"]),
    alarms: counter("origen_alarms_total", "Lines of the log with an alarm, by its name.", ["alarm"]),
    asking: gauge("origen_store_asked_seconds", "How long the store took for what is read when Prometheus asks."),
  };
}

interface Buckets<L extends string> {
  buckets: number[];
  labels: readonly L[];
}
