import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readConfig } from "../../../app/config.server.ts";
import { createTracing } from "../../../app/http/traces/tracing.ts";
import type { Traces } from "../../../app/http/traces/tracing.ts";
import type { WorkItem } from "../../../app/domain/records.ts";
import type { Log } from "../../../app/ports.ts";
import { SILENT } from "../../adapters/store/open-store.ts";

/** How OpenTelemetry's own variables change what a collector is sent. */

interface Sent {
  atMs: number;
  resource: Record<string, string | undefined>;
  spans: number;
}

interface Body {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: unknown[] }[];
  }[];
}

const sent: Sent[] = [];
let isSilent = false;
const collector = createServer((request, response) => {
  if (isSilent) return;
  void json(request).then((body) => {
    for (const { resource, scopeSpans } of (body as Body).resourceSpans)
      sent.push({
        atMs: performance.now(),
        resource: Object.fromEntries(resource.attributes.map(({ key, value }) => [key, value.stringValue])),
        spans: scopeSpans.reduce((sum, { spans }) => sum + spans.length, 0),
      });
    response.setHeader("Content-Type", "application/json").end("{}");
  });
});

beforeEach(async () => {
  sent.length = 0;
  isSilent = false;
  await once(collector.listen(0, "127.0.0.1"), "listening");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  collector.closeAllConnections();
  collector.close();
  await once(collector, "close");
});

const REQUIRED = {
  SHOPIFY_API_KEY: "key",
  SHOPIFY_API_SECRET: "secret",
  SHOPIFY_APP_URL: "https://app.example",
  DATABASE_URL: "file:./origen.db",
  APP_KEYS: "k1:key",
  SHIPPING_TEST_URL: "http://127.0.0.1:4403",
  SHIPPING_PRODUCTION_URL: "http://127.0.0.1:4404",
};

/** As a process does whose environment says so. */
function tracingAs(said: Record<string, string>, log: Log = SILENT): Traces {
  const to = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: to, ...said };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  return createTracing(readConfig({ ...REQUIRED, ...environment }), log);
}

const ITEM = { id: "item", shop: "shop", kind: "location", generation: 1, observedGeneration: 0 } as WorkItem;

async function makeSpans(tracing: Traces, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) await tracing.run(ITEM, async () => undefined);
}

const spansSent = () => sent.reduce((sum, { spans }) => sum + spans, 0);

test("spans say the service's name and what else OTEL_RESOURCE_ATTRIBUTES says of it", async () => {
  const tracing = tracingAs({
    OTEL_SERVICE_NAME: "origen-norte",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=prueba,service.version=9",
  });
  await makeSpans(tracing, 1);
  await tracing.stop();
  expect(sent[0]!.resource).toMatchObject({
    "service.name": "origen-norte",
    "service.version": "9",
    "deployment.environment.name": "prueba",
  });
});

test("without these they say the app's own name and version", async () => {
  const tracing = tracingAs({});
  await makeSpans(tracing, 1);
  await tracing.stop();
  expect(sent[0]!.resource).toMatchObject({ "service.name": "origen", "service.version": "0.1.0" });
});

test("OTEL_BSP_SCHEDULE_DELAY says how soon they are sent", async () => {
  const tracing = tracingAs({ OTEL_BSP_SCHEDULE_DELAY: "50" });
  const startedMs = performance.now();
  await makeSpans(tracing, 1);
  // OpenTelemetry's own delay is five seconds.
  await expect.poll(spansSent, { timeout: 4_500 }).toBe(1);
  expect(sent[0]!.atMs - startedMs).toBeGreaterThanOrEqual(45);
  await tracing.stop();
});

test("OTEL_BSP_MAX_EXPORT_BATCH_SIZE says how many go at once", async () => {
  const tracing = tracingAs({ OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "3" });
  await makeSpans(tracing, 7);
  await tracing.stop();
  expect(sent.map(({ spans }) => spans).sort()).toEqual([1, 3, 3]);
});

test("OTEL_BSP_MAX_QUEUE_SIZE says how many wait at most: the rest is dropped", async () => {
  const tracing = tracingAs({ OTEL_BSP_MAX_QUEUE_SIZE: "4", OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "4" });
  // Four are on their way after the fourth, and four more wait.
  await makeSpans(tracing, 30);
  await tracing.stop();
  expect(spansSent()).toBe(8);
});

test("OTEL_BSP_EXPORT_TIMEOUT says how long an answer is waited for", async () => {
  isSilent = true;
  const warn = vi.fn<Log["warn"]>();
  const tracing = tracingAs({ OTEL_BSP_EXPORT_TIMEOUT: "50", OTEL_BSP_SCHEDULE_DELAY: "10" }, { ...SILENT, warn });
  await makeSpans(tracing, 1);
  // OpenTelemetry's own times are ten and thirty seconds.
  await expect
    .poll(() => warn.mock.calls.map(([, message]) => message), { timeout: 4_500 })
    .toEqual(["traces could not be sent"]);
  collector.closeAllConnections();
  await tracing.stop();
});

test("OTEL_TRACES_SAMPLER keeps none, or all", async () => {
  for (const [sampler, spans] of [
    ["always_off", 0],
    ["always_on", 3],
  ] as const) {
    const tracing = tracingAs({ OTEL_TRACES_SAMPLER: sampler });
    await makeSpans(tracing, 3);
    await tracing.stop();
    expect(spansSent()).toBe(spans);
  }
});
