import { afterAll, beforeAll, expect, test } from "vitest";
import { createClock } from "../../../app/adapters/machine/clock.ts";
import { createRandom } from "../../../app/adapters/machine/random.ts";
import { beginMetrics, type Metrics } from "../../../app/http/metrics/metrics.ts";
import type { Readiness } from "../../../app/http/ready.ts";
import { createShippingService, type RunningShippingService } from "../../../app/adapters/shipping/service.ts";
import type { PrismaStore } from "../../../app/adapters/store/store.ts";
import { AppError } from "../../../app/domain/errors.ts";
import { ALARMS, type ConnectionRef, type LogFields, type TokenStore } from "../../../app/ports.ts";
import { claimWorkItem, holdLease } from "../../../app/runs/claim.ts";
import type { Run } from "../../../app/runs/run.ts";
import {
  connectionRecord,
  pendingWriteRecord,
  SHOP,
  shopRecord,
  verificationRecord,
  workItemRecord,
} from "../../fakes/records.ts";
import { startShippingService, type ShippingService } from "../../sandbox/shipping/server.ts";
import { openFreshStore, SILENT, type OpenedStore } from "../../adapters/store/open-store.ts";
import { samplesOf, type Samples } from "./samples.ts";

/**
 * Every series that the process can tell, moved by what it tells of: the true store, the true adapter, a stand-in.
 *
 * Long, because every series stands here.
 */

const clock = createClock();
let unhealthy: string | null = null;
let backByMs: number | null = null;
const READY = { store: "ok", migrations: "ok", lease: "ok", worker: "ok" };
let ready: Readiness = { ready: true, parts: READY };
const begun = beginMetrics();
let metrics: Metrics;
let opened: OpenedStore;
let store: PrismaStore;
let standIn: ShippingService;
let service: RunningShippingService;
let shipping: RunningShippingService;

const REF: ConnectionRef = { id: "c-1", version: 1, shop: SHOP, environment: "test", clientId: "test-client-1" };
const CREDENTIALS = {
  shop: SHOP,
  environment: "test",
  clientId: "test-client-1",
  clientSecret: "test-secret-1",
} as const;

let isCurrent = true;
const tokens: TokenStore = {
  read: async () => ({
    version: 1,
    state: "active",
    token: null,
    credentials: { ...CREDENTIALS, scope: null, redirectUri: null },
  }),
  save: async () => isCurrent,
  markInvalid: async () => undefined,
};

beforeAll(async () => {
  const standing = { unhealthy: async () => unhealthy, ready: async () => ready, workerBackByMs: () => backByMs };
  metrics = begun.metrics({
    clock: { ...clock, monotonicMs: () => clock.monotonicMs() + skippedMs },
    log: SILENT,
    standing,
  });
  opened = await openFreshStore();
  store = metrics.store(opened.store);
  standIn = await startShippingService({ clients: 1 });
  service = createShippingService({
    baseUrls: { test: standIn.testUrl, production: null },
    userAgent: "Origen/0.0.0-test",
    clock,
    random: createRandom(),
    log: metrics.calls(SILENT),
    tokens: metrics.tokens(tokens),
    budget: { graceMs: 0, openAtOnce: true },
  });
  shipping = metrics.shipping(service);
  await store.shops.insert(shopRecord());
  await store.connections.insert(connectionRecord({ id: REF.id, clientId: REF.clientId, current: true }));
});

afterAll(async () => {
  await service.close();
  await standIn.stop();
  await opened.close();
});

/** What is read from the store is kept for ten seconds; a test asks anew. */
let skippedMs = 0;
async function read(): Promise<Samples> {
  skippedMs += 11_000;
  return samplesOf((await metrics.page()).text);
}

async function moved(work: () => Promise<unknown>): Promise<(series: string) => number> {
  const before = await read();
  await work();
  const after = await read();
  return (series) => (after.get(series) ?? 0) - (before.get(series) ?? 0);
}

const list = () => shipping.account(REF).listPage({ priority: "interactive", page: 1, once: true });

test("calls by operation, outcome and duration; waits by priority; tokens that were renewed", async () => {
  const by = await moved(list);
  expect(by('origen_call_seconds_count{operation="token",priority="interactive",outcome="2xx"}')).toBe(1);
  expect(by('origen_call_seconds_count{operation="list",priority="interactive",outcome="2xx"}')).toBe(1);
  expect(by('origen_call_seconds_sum{operation="list",priority="interactive",outcome="2xx"}')).toBeGreaterThan(0);
  expect(by('origen_asked_seconds_count{operation="listPage",priority="interactive",end="answered"}')).toBe(1);
  expect(by('origen_token_renewals_total{result="renewed"}')).toBe(1);
});

test("a token for a connection that has changed meanwhile, and one that is refused", async () => {
  isCurrent = false;
  const superseded = await moved(() =>
    shipping
      .account({ ...REF, id: "c-2" })
      .listPage({ priority: "sync", page: 1 })
      .catch(() => null),
  );
  isCurrent = true;
  expect(superseded('origen_token_renewals_total{result="superseded"}')).toBe(1);
  standIn.faults.set({ kind: "invalid-client", operations: ["token"], next: 1 });
  const refused = await moved(() =>
    shipping
      .account({ ...REF, id: "c-3" })
      .listPage({ priority: "sync", page: 1 })
      .catch(() => null),
  );
  expect(refused('origen_token_renewals_total{result="refused"}')).toBe(1);
  expect(refused('origen_call_seconds_count{operation="token",priority="interactive",outcome="401"}')).toBe(1);
});

test("429, what is under way by priority, and what was given up", async () => {
  standIn.faults.set({ kind: "too-many", operations: ["list"], next: 1, retryAfter: 2 });
  standIn.faults.set({ kind: "slow", operations: ["list"], delayMs: 2_000, way: "out" });
  const stop = new AbortController();
  const by = await moved(async () => {
    const calls = Promise.allSettled([list(), list()]);
    const waits = shipping.account(REF).listPage({ priority: "reconcile", page: 1, signal: stop.signal });
    const seen = async (series: string) => (await read()).get(series) ?? 0;
    await expect.poll(() => seen('origen_asked_under_way{priority="interactive"}')).toBe(2);
    await expect.poll(() => seen('origen_asked_under_way{priority="reconcile"}')).toBe(1);
    stop.abort();
    await expect(waits).rejects.toThrow();
    await calls;
  });
  standIn.faults.clear();
  expect(by("origen_too_many_total")).toBe(1);
  expect(by('origen_call_seconds_count{operation="list",priority="interactive",outcome="429"}')).toBe(1);
  expect(by('origen_asked_seconds_count{operation="listPage",priority="reconcile",end="cancelled"}')).toBe(1);
  expect(by('origen_asked_under_way{priority="reconcile"}')).toBe(0);
  expect(by('origen_asked_under_way{priority="interactive"}')).toBe(0);
});

test("a request without an answer is its fault's", async () => {
  standIn.faults.set({ kind: "reset", operations: ["list"], next: 1 });
  const by = await moved(() => list().catch(() => null));
  expect(by('origen_call_seconds_count{operation="list",priority="interactive",outcome="transport"}')).toBe(1);
  expect(by("origen_calls_failed_total")).toBe(1);
});

test("of all requests those are failed whose fault is not in what was asked", async () => {
  const line = { operation: "list", durationMs: 1, priority: "sync" };
  const log = metrics.calls(SILENT);
  const by = await moved(async () => {
    for (const status of [200, 404, 429, 500, 503]) log.info({ ...line, status }, "answered");
    for (const fault of ["timeout", "transport", "cancelled"]) log.info({ ...line, fault }, "not answered");
    log.info({ operation: "list" }, "no request");
  });
  expect(by("origen_calls_total")).toBe(8);
  expect(by("origen_calls_failed_total")).toBe(4);
});

test("each line with an alarm is counted by its name, and written as before", async () => {
  const lines: unknown[] = [];
  const write = (fields: LogFields, message: string) => void lines.push([fields, message]);
  const log = begun.log({ info: write, warn: write, error: write });
  const by = await moved(async () => {
    log.error({ alarm: "shop_redact", shop: SHOP }, "decide");
    log.error({ shop: SHOP }, "no alarm");
    // @ts-expect-error -- the compiler knows all alarms
    const unknown: LogFields = { alarm: "shop_redakt" };
    expect(ALARMS).not.toContain(unknown.alarm);
  });
  expect(by('origen_alarms_total{alarm="shop_redact"}')).toBe(1);
  expect(by('origen_alarms_total{alarm="done_over"}')).toBe(0);
  expect(lines).toEqual([
    [{ alarm: "shop_redact", shop: SHOP }, "decide"],
    [{ shop: SHOP }, "no alarm"],
  ]);
});

test("the alarms of two processes are counted apart", async () => {
  const another = beginMetrics();
  const by = await moved(async () => another.log(SILENT).error({ alarm: "done_over" }, "again"));
  expect(by('origen_alarms_total{alarm="done_over"}')).toBe(0);
});

test("webhooks, new and repeated, and their delay", async () => {
  const receipt = { shop: SHOP, webhookId: "w-1", receivedAtMs: 1 };
  const by = await moved(async () => {
    for (let times = 0; times < 2; times += 1)
      await store.transaction(SHOP, (tables) => tables.receipts.insert(receipt));
    metrics.webhookFrom(clock.nowMs() - 5_000, 2_000);
  });
  expect(by('origen_webhooks_total{result="new"}')).toBe(1);
  expect(by('origen_webhooks_total{result="repeated"}')).toBe(1);
  expect(by("origen_webhook_delay_seconds_count")).toBe(1);
  expect(by("origen_webhook_delay_seconds_sum")).toBeCloseTo(3, 0);
});

test("store times by operation, the failed ones apart", async () => {
  const by = await moved(async () => {
    await store.locations.count({});
    await store.transaction(SHOP, () => Promise.reject(new Error("no"))).catch(() => null);
  });
  expect(by('origen_store_seconds_count{operation="count",outcome="done"}')).toBe(1);
  expect(by('origen_store_seconds_count{operation="transaction",outcome="failed"}')).toBe(1);
});

test("what the wrapped store answers and throws is what the store answers and throws", async () => {
  expect(await store.shops.find({ shop: SHOP })).toEqual(await opened.store.shops.find({ shop: SHOP }));
  expect(await store.transaction(SHOP, async (tables) => tables.shops.count({}))).toBe(1);
  expect(await store.shops.insert(shopRecord())).toBe(false);
  const thrown = new AppError({ kind: "superseded", message: "as it was" });
  await expect(store.transaction(SHOP, () => Promise.reject(thrown))).rejects.toBe(thrown);
});

test("runs by kind and end, and what they threw", async () => {
  const work = metrics.runs({
    location: async () => ({ kind: "done" }),
    job: async () => Promise.reject(new AppError({ kind: "timeout", message: "late" })),
  });
  const by = await moved(async () => {
    expect(await work.location()).toEqual({ kind: "done" });
    await work.job().catch(() => null);
  });
  expect(by('origen_run_seconds_count{kind="location",end="done"}')).toBe(1);
  expect(by('origen_run_seconds_count{kind="job",end="timeout"}')).toBe(1);
});

test("work that is due, how old it is, what is stopped; leases that were lost", async () => {
  const nowMs = clock.nowMs();
  const due = { state: "active", leaseUntilMs: null, leaseOwner: null, dueAtMs: nowMs - 60_000 } as const;
  const by = await moved(async () => {
    await store.workItems.insert(workItemRecord({ id: "i-1", kind: "location", key: "1", ...due }));
    await store.workItems.insert(workItemRecord({ id: "i-2", kind: "location", key: "2", ...due, state: "parked" }));
    await store.workItems.insert(workItemRecord({ id: "i-3", kind: "location", key: "3", ...due, state: "blocked" }));
  });
  expect(by('origen_queue_due{kind="location"}')).toBe(1);
  expect(by('origen_queue_oldest_seconds{kind="location"}')).toBeCloseTo(60, -1);
  expect(by('origen_work_items_stopped{state="parked"}')).toBe(1);
  expect(by('origen_work_items_stopped{state="blocked"}')).toBe(1);

  const settings = { leaseMs: 300 } as Run["services"]["settings"];
  const services = { store, clock, settings, log: SILENT } as unknown as Run["services"];
  const lost = await moved(async () => {
    const item = await claimWorkItem(services, { workItemId: "i-1", shop: SHOP, owner: "one" });
    await opened.store.workItems.update({ id: "i-1" }, { fence: item!.fence + 1, leaseOwner: "another" });
    await new Promise<void>((resolve) => void holdLease({ services, item: item! } as Run, resolve));
  });
  expect(lost("origen_leases_lost_total")).toBe(1);
});

test("writes with an unclear end, questions to carriers, breakers", async () => {
  const nowMs = clock.nowMs();
  const by = await moved(async () => {
    for (const [id, untilMs] of [
      ["1", nowMs + 60_000],
      ["2", nowMs - 1],
    ] as const)
      await store.pendingWrites.insert(
        pendingWriteRecord({
          id,
          workItemId: `i-${id}`,
          connectionId: REF.id,
          templateId: `t-${id}`,
          quarantineUntilMs: untilMs,
        }),
      );
    await store.verifications.insert(
      verificationRecord({ connectionId: REF.id, question: "asked", askedAtMs: nowMs - 120_000 }),
    );
    await store.connections.update({ id: REF.id }, { backoffUntilMs: nowMs + 5_000, failures: 1 });
  });
  expect(by('origen_pending_writes{quarantine="under_way"}')).toBe(1);
  expect(by('origen_pending_writes{quarantine="over"}')).toBe(1);
  expect(by("origen_verification_open")).toBe(1);
  expect(by("origen_verification_oldest_seconds")).toBeCloseTo(120, -1);
  expect(by('origen_breakers{state="open"}')).toBe(1);
  expect(by('origen_breakers{state="closed"}')).toBe(-1);
});

test("what App Bridge measured, by page; the layout shift has no unit", async () => {
  const page = "routes/app.review";
  const by = await moved(async () => {
    metrics.vital({ page, name: "LCP", value: 1_100 });
    metrics.vital({ page, name: "CLS", value: 0.015 });
  });
  expect(by(`origen_page_vital_seconds_sum{page="${page}",vital="LCP"}`)).toBeCloseTo(1.1);
  expect(by(`origen_page_vital_seconds_count{page="${page}",vital="LCP"}`)).toBe(1);
  expect(by(`origen_page_layout_shift_sum{page="${page}"}`)).toBeCloseTo(0.015);
});

test("routes, health, the worker, the event loop", async () => {
  const by = await moved(async () => {
    metrics.routed("routes/app._index", "loader", { seconds: 0.2, outcome: "2xx" });
    unhealthy = "store";
    backByMs = clock.monotonicMs() - 5_000;
  });
  expect(by('origen_route_seconds_count{route="routes/app._index",part="loader",outcome="2xx"}')).toBe(1);
  expect(by('origen_unhealthy{reason="store"}')).toBe(1);
  const now = await read();
  expect(now.get("origen_worker_late_seconds")).toBeGreaterThan(4);
  expect(now.get("origen_store_asked_seconds")).toBeGreaterThan(0);
  expect(now.has("nodejs_eventloop_lag_p99_seconds")).toBe(true);
});

test("each part of /ready, of which one is not", async () => {
  const migrations = "npm run migrate is missing for: templates";
  ready = { ready: false, parts: { ...READY, migrations } };
  const { text } = await metrics.page();
  ready = { ready: true, parts: READY };
  const samples = samplesOf(text);
  expect(samples.get('origen_ready{part="migrations"}')).toBe(0);
  for (const part of ["store", "lease", "worker"]) expect(samples.get(`origen_ready{part="${part}"}`)).toBe(1);
  expect(text).not.toContain("npm run");
  expect((await read()).get('origen_ready{part="migrations"}')).toBe(1);
});

test("a loader or an action that failed is counted by its route, and one that refused is not", async () => {
  const route = "routes/app.review";
  const by = await moved(async () => {
    for (const outcome of ["2xx", "3xx", "4xx", "5xx", "failed"])
      metrics.routed(route, "action", { seconds: 0.1, outcome });
  });
  expect(by(`origen_route_failures_total{route="${route}"}`)).toBe(2);
});

test("no series has a shop, a client id or a template as a label", async () => {
  const { text } = await metrics.page();
  expect(text).not.toMatch(/myshopify|test-client|shop=/);
});

test("while the store does not answer, all else is told", async () => {
  const { list: answer } = opened.store.workItems;
  opened.store.workItems.list = () => Promise.reject(new Error("away"));
  const samples = await read();
  opened.store.workItems.list = answer;
  expect(samples.has("origen_too_many_total")).toBe(true);
});
