import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerBuild } from "@remix-run/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createClock } from "../../../app/adapters/machine/clock.ts";
import { beginMetrics, type Metrics } from "../../../app/http/metrics/metrics.ts";
import { timedBuild } from "../../../app/http/metrics/timed-build.ts";
import { ALARMS, type Log, type Store, type TokenStore } from "../../../app/ports.ts";
import { openFreshStore, SILENT, type OpenedStore } from "../../adapters/store/open-store.ts";
import { SHOP } from "../../fakes/records.ts";
import { samplesOf, type Samples } from "./samples.ts";

/**
 * Prometheus counts an increase between two values of a series. One that begins with its first event has no value before, so a first burst
 * between two of Prometheus's questions would raise no alert. Here each rule's burst comes to a process that was asked once.
 */

const clock = createClock();

interface Rule {
  alert: string;
  expr: string;
}

const root = join(import.meta.dirname, "../../..");
const alerts = parse(readFileSync(join(root, "ops/prometheus/alerts.yml"), "utf8")) as { groups: { rules: Rule[] }[] };
const rules = alerts.groups.flatMap((group) => group.rules);

interface Selector {
  name: string;
  matchers: { label: string; fits: (value: string) => boolean }[];
}

/** What a rule counts: all that stands in a `rate` or an `increase`. */
function countedBy({ expr }: Rule): Selector[] {
  return [...expr.matchAll(/\b(?:rate|increase)\((\w+)(?:\{([^}]*)\})?\[/g)].map(([, name, inside = ""]) => ({
    name: name!,
    matchers: [...inside.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(([, label, how, wanted]) => {
      const pattern = how!.includes("~") ? new RegExp(`^(?:${wanted})$`) : null;
      const isSame = (value: string) => (pattern ? pattern.test(value) : value === wanted);
      return { label: label!, fits: (value: string) => isSame(value) !== how!.startsWith("!") };
    }),
  }));
}

function found(samples: Samples, { name, matchers }: Selector): string[] {
  return [...samples.keys()].filter((series) => {
    if (series !== name && !series.startsWith(`${name}{`)) return false;
    const labels = new Map([...series.matchAll(/(\w+)="([^"]*)"/g)].map((label) => [label[1]!, label[2]!]));
    return matchers.every(({ label, fits }) => fits(labels.get(label) ?? ""));
  });
}

interface Process {
  metrics: Metrics;
  log: Log;
  calls: Log;
  store: Store;
  tokens: TokenStore;
  route(id: string, part: "loader" | "action"): Promise<unknown>;
  page(): Promise<Samples>;
}

let opened: OpenedStore;
beforeAll(async () => void (opened = await openFreshStore()));
afterAll(() => opened.close());

const ROUTES = {
  good: { loader: () => ({}) },
  throws: { loader: () => Promise.reject(new Error("it broke")) },
  answers: { action: () => new Response(null, { status: 503 }) },
  shows: {},
};

/** A process as services.server.ts and server.ts put it together, without its adapters. */
function freshProcess(): Process {
  const begun = beginMetrics();
  const ready = { ready: true, parts: { store: "ok", migrations: "ok", lease: "ok", worker: "ok" } };
  const standing = { unhealthy: async () => null, ready: async () => ready, workerBackByMs: () => null };
  const metrics = begun.metrics({ clock, log: SILENT, standing });
  const routes = Object.entries(ROUTES).map(([id, module]) => [id, { id, module }]);
  const build = timedBuild({ routes: Object.fromEntries(routes) } as unknown as ServerBuild, metrics);
  return {
    metrics,
    log: begun.log(SILENT),
    calls: metrics.calls(SILENT),
    store: metrics.store(opened.store),
    tokens: metrics.tokens({
      save: async () => true,
      markInvalid: async () => undefined,
    } as Partial<TokenStore> as TokenStore),
    route: async (id, part) => {
      const run = build.routes[id]!.module[part] as (input: unknown) => Promise<unknown>;
      return run({}).catch(() => null);
    },
    page: async () => samplesOf((await metrics.page()).text),
  };
}

const REQUEST = { operation: "list", durationMs: 3_000, priority: "sync" };

/** What each rule is there for. */
const BURSTS: Record<string, (process: Process) => unknown> = {
  OrigenAlarm: ({ log }) => ALARMS.forEach((alarm) => log.error({ alarm }, "do something")),
  OrigenServiceFailing: ({ calls }) => {
    calls.warn({ ...REQUEST, status: 503 }, "no success");
    for (const fault of ["timeout", "transport"]) calls.warn({ ...REQUEST, fault }, "no success");
  },
  OrigenTooMany: ({ calls }) => calls.warn({ ...REQUEST, status: 429 }, "no success"),
  OrigenCredentialsRefused: ({ tokens }) => tokens.markInvalid({} as Parameters<TokenStore["markInvalid"]>[0]),
  OrigenLeasesLost: ({ store }) =>
    store.workItems.update({ id: "i-1", leaseOwner: "one", fence: 1 }, { leaseUntilMs: clock.nowMs() }),
  OrigenStoreSlow: async ({ store }) => {
    await store.locations.count({});
    await store.transaction(SHOP, async () => undefined);
    await store.transaction(SHOP, () => Promise.reject(new Error("no"))).catch(() => null);
  },
  OrigenPagesSlow: ({ route }) => route("good", "loader"),
  OrigenPagesFailing: async ({ route, metrics }) => {
    await route("throws", "loader");
    await route("answers", "action");
    metrics.routed("webhooks", "action", { seconds: 1, outcome: "failed" });
  },
  OrigenWebhooksLate: ({ metrics }) => metrics.webhookFrom(clock.nowMs() - 3_600_000, 0),
};

const counting = rules.filter((rule) => countedBy(rule).length > 0);

test("each rule that counts something has its burst here", () => {
  expect(counting.map(({ alert }) => alert).toSorted()).toEqual(Object.keys(BURSTS).toSorted());
});

describe.each(counting)("$alert", (rule) => {
  test("all that it counts is there, as 0, before anything has happened", async () => {
    const samples = await freshProcess().page();
    for (const selector of countedBy(rule)) {
      const series = found(samples, selector);
      expect(series).not.toEqual([]);
      expect(series.filter((one) => samples.get(one) !== 0)).toEqual([]);
    }
  });

  test("a first burst raises series that were there, and brings no new ones", async () => {
    const process = freshProcess();
    const before = await process.page();
    await BURSTS[rule.alert]!(process);
    const after = await process.page();
    for (const selector of countedBy(rule)) {
      const series = found(after, selector);
      expect(series.filter((one) => !before.has(one))).toEqual([]);
      expect(series.filter((one) => after.get(one)! > before.get(one)!)).not.toEqual([]);
    }
  });
});

test("each alarm is there from the start, so that the first one of its kind is an increase", async () => {
  const samples = await freshProcess().page();
  for (const alarm of ALARMS) expect(samples.get(`origen_alarms_total{alarm="${alarm}"}`)).toBe(0);
});

test("each route that has a loader or an action is there from the start, and no other one", async () => {
  const samples = await freshProcess().page();
  const routes = [...samples.keys()].filter((series) => series.startsWith("origen_route_failures_total"));
  const named = ["webhooks", "good", "throws", "answers"].map(
    (route) => `origen_route_failures_total{route="${route}"}`,
  );
  expect(routes.toSorted()).toEqual(named.toSorted());
});

test("counters on the dashboard alone begin with 0 too where their labels are few", async () => {
  const samples = await freshProcess().page();
  for (const result of ["renewed", "refused", "superseded"])
    expect(samples.get(`origen_token_renewals_total{result="${result}"}`)).toBe(0);
  for (const result of ["new", "repeated"]) expect(samples.get(`origen_webhooks_total{result="${result}"}`)).toBe(0);
});
