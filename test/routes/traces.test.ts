import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshPostgres, type FreshPostgres } from "../adapters/store/postgresql/fresh-postgres.ts";
import { mapShops, type PlayedShop } from "../sandbox/play/mapped-shops.ts";
import { startOneShop } from "../sandbox/play/one-shop.ts";
import { until } from "../sandbox/play/until.ts";
import type { Sandbox } from "../sandbox/start.ts";

/** The built server as two processes on PostgreSQL, and a collector that takes their traces by OpenTelemetry's protocol. */

interface Span {
  process: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
}

interface Sent {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Omit<Span, "process">[] }[];
  }[];
}

const bodies: string[] = [];
let collector: Server;
let database: FreshPostgres;
let sandbox: Sandbox;
let shop: PlayedShop;

beforeAll(async () => {
  collector = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      response.setHeader("Content-Type", "application/json").end("{}");
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const { port } = collector.address() as AddressInfo;
  database = await freshPostgres();
  await database.query('DROP SCHEMA "public" CASCADE', 'CREATE SCHEMA "public"');
  ({ sandbox, shop } = await startOneShop(["Centro"], {
    databaseUrl: database.url,
    processes: 2,
    appEnv: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
  }));
  await mapShops([shop]);
});
afterAll(async () => {
  await sandbox?.stop();
  collector?.close();
  await database?.remove();
});

const spans = (): Span[] =>
  bodies.flatMap((body) =>
    (JSON.parse(body) as Sent).resourceSpans.flatMap(({ resource, scopeSpans }) => {
      const id = resource.attributes.find(({ key }) => key === "service.instance.id");
      return scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, process: id!.value.stringValue! })));
    }),
  );

/** What went on in one trace, by name. */
function traces(): Span[][] {
  return [...Map.groupBy(spans(), ({ traceId }) => traceId).values()];
}

const processOf = (trace: Span[], name: string) => trace.find((span) => span.name === name)?.process;

let number = 0;
async function change(): Promise<void> {
  number += 1;
  const [location] = shop.state.locations.values();
  sandbox.admin.locations.change(shop.state, location!.id, { address: { address1: `Calle Trazada ${number}` } });
  await until({
    what: `The template with the number ${number}`,
    read: () => JSON.stringify(sandbox.shipping!.templates(shop.clientId, "production")),
    holds: (found) => found.includes(`"${number}"`),
  });
}

test("a webhook, the run that it asks for and that run's calls are one trace, whichever process each is in", async () => {
  await until({
    what: "A trace over both processes",
    async read() {
      await change();
      return traces().find((trace) => {
        const [took, ran] = [processOf(trace, "POST /webhooks"), processOf(trace, "run location")];
        return took !== undefined && ran !== undefined && took !== ran;
      });
    },
    holds: (trace) => trace !== undefined && trace.some(({ name }) => name === "shipping update"),
  });
  const trace = traces().find((each) => each.some(({ name }) => name === "shipping update"))!;
  expect(new Set(trace.map(({ name }) => name))).toContain("shopify location");
  // Each but the first has its parent in the same trace.
  const ids = new Set(trace.map(({ spanId }) => spanId));
  const heads = trace.filter(({ parentSpanId }) => !parentSpanId);
  expect(heads.map(({ name }) => name)).toEqual(["POST /webhooks"]);
  expect(trace.filter(({ parentSpanId }) => parentSpanId && !ids.has(parentSpanId))).toEqual([]);
});

test("the log's lines of a run say its trace", () => {
  const known = new Set(spans().map(({ traceId }) => traceId));
  const lines = readFileSync(sandbox.app.logFile, "utf8").split("\n");
  const said = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as { traceId?: string });
  expect(said.filter(({ traceId }) => traceId !== undefined && known.has(traceId)).length).toBeGreaterThan(0);
});

test("no span holds a secret, an address or a query", () => {
  const all = bodies.join("\n");
  for (const word of [shop.clientSecret, "Calle Trazada", "Vallarta", "id_token", "hmac"])
    expect(all).not.toContain(word);
});

test("without its collector the app works on, and says so once", async () => {
  collector.closeAllConnections();
  await new Promise((resolve) => collector.close(resolve));
  await change();
  await until({
    what: "The line about the collector",
    read: () => readFileSync(sandbox.app.logFile, "utf8").split("traces could not be sent").length - 1,
    holds: (lines) => lines > 0,
  });
  await change();
});
