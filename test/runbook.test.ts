import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createSeries } from "../app/http/metrics/series.ts";
import { createServer } from "../app/http/serve.ts";
import type { PrismaStore } from "../app/adapters/store/store.ts";
import { admin } from "../scripts/commands/admin.ts";
import { appKeys, openFreshStore, SILENT } from "./adapters/store/open-store.ts";
import { runHere } from "./adapters/store/processes/run-command.ts";
import { connectionRecord, NOW_MS, pendingWriteRecord, SHOP, shopRecord, workItemRecord } from "./fakes/records.ts";

/** docs/runbook.md, tried as it is written: its commands, addresses, series, settings, log lines, and what its steps say that one sees. */

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const runbook = read("docs/runbook.md");
const [owners, alerts] = runbook.split("## What an alert says") as [string, string];

const inCode = [...runbook.matchAll(/`([^`]+)`/g)].map((match) => match[1]!.replaceAll(/\s+/g, " "));
const unique = (names: string[]) => [...new Set(names)];
const headings = (text: string) => [...text.matchAll(/^### (.+)$/gm)].map((match) => match[1]!);

/** Those of the app, of its commands and of what they tell. */
const sources = ["app", "scripts"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => read(join(folder, file))),
  )
  .join("\n");

test("what an owner reports stands before what alerts say, and each part has a step", () => {
  expect(headings(owners).length).toBeGreaterThan(3);
  expect(headings(owners).filter((heading) => !/^".+"$/.test(heading))).toEqual([]);
  const parts = runbook.split(/^### .+$/m).slice(1);
  expect(parts.filter((part) => !/\S/.test(part.split(/^## /m)[0]!))).toEqual([]);
});

test("each alert has a part, and each part an alert", () => {
  const { groups } = parse(read("ops/prometheus/alerts.yml")) as { groups: { rules: { alert: string }[] }[] };
  const rules = groups.flatMap((group) => group.rules.map(({ alert }) => alert));
  expect(headings(alerts).toSorted()).toEqual(rules.toSorted());
});

test("a part that another one leads to is there", () => {
  const led = unique([...runbook.matchAll(/\*(Origen\w+)\*/g)].map((match) => match[1]!));
  expect(led.length).toBeGreaterThan(3);
  expect(led.filter((part) => !headings(alerts).includes(part))).toEqual([]);
});

test("each series that it names is told, with the labels that it names", () => {
  const told = new Map<string, readonly string[]>(
    createSeries()
      .registry.getMetricsAsArray()
      .map((metric) => {
        const { name, labelNames = [] } = metric as unknown as { name: string; labelNames?: string[] };
        return [name, labelNames];
      }),
  );
  const named = inCode.flatMap((code) => {
    const [, name, label] = /^((?:origen|nodejs|process)_\w+?)(?:_count)?(?:\{(\w+)=".*"\})?$/.exec(code) ?? [];
    return name ? [{ name, label }] : [];
  });
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ name, label }) => !told.has(name) || (label && !told.get(name)!.includes(label)))).toEqual([]);
});

test("each setting that it names is one", () => {
  // SQLite's words for what a disk does have the same form.
  const settings = inCode.filter((code) => /^(?!SQLITE_)[A-Z]+(_[A-Z]+)+$/.test(code));
  expect(settings.length).toBeGreaterThan(0);
  const known = read("app/config.server.ts");
  expect(settings.filter((setting) => !known.includes(`  ${setting}:`))).toEqual([]);
});

/** Sentences of the log and of the app; between the parts stands what differs, which is also who has a database. */
test("each line that it sends to the log for, or quotes, is written by the app", () => {
  const sentences = inCode.filter((code) => code.includes(" ") && !/^(npm|curl) /.test(code));
  const parts = sentences.flatMap((sentence) =>
    sentence
      .split(/…|process/)
      .map((part) => part.trim())
      .filter(Boolean),
  );
  expect(parts.length).toBeGreaterThan(3);
  // The state of a connection, as `npm run admin -- shops` tells it, is looked for below. Which setting a port is of stands before the line.
  const known = parts
    .map((part) => part.replace(/^(METRICS_)?PORT: /, ""))
    .filter((part) => !/^connection \w+$/.test(part));
  expect(known.filter((part) => !sources.includes(part))).toEqual([]);
});

test("what OrigenUnhealthy tells apart are reasons of the app's health", () => {
  const part = alerts.split("### OrigenUnhealthy")[1]!.split("###")[0]!;
  const reasons = [...part.matchAll(/`(\w+)`/g)].map((match) => match[1]!);
  const known = /type Unhealthy = (.+);/.exec(read("app/http/health.ts"))![1]!;
  expect(reasons.length).toBeGreaterThan(3);
  expect(reasons.filter((reason) => !known.includes(`"${reason}"`))).toEqual([]);
});

describe("its commands", () => {
  let store: PrismaStore;
  let end: () => Promise<void>;
  let env: Record<string, string>;

  beforeAll(async () => {
    const opened = await openFreshStore();
    ({ store } = opened);
    end = opened.close;
    env = { DATABASE_URL: opened.database.url, APP_KEYS: appKeys("k1") };
    const reason = { code: "server_error", message: "it broke", fields: null, requestId: null, atMs: NOW_MS } as const;
    await store.shops.insert(shopRecord());
    await store.connections.insert(
      connectionRecord({ current: true, state: "invalid", failures: 4, lastFaultKind: "server_error" }),
    );
    await store.workItems.insert(workItemRecord({ id: "i-1", key: "1", state: "parked", failures: 20, reason }));
    await store.workItems.insert(workItemRecord({ id: "i-2", key: "2", state: "blocked", reason }));
    await store.workItems.insert(workItemRecord({ id: "i-3", key: "3", state: "active" }));
    await store.pendingWrites.insert(pendingWriteRecord({ workItemId: "i-3" }));
  });
  afterAll(() => end());

  const commands = unique(inCode.filter((code) => code.startsWith("npm ")));
  const run = (command: string) =>
    runHere(admin, command.replace("npm run admin -- ", "").replace("SHOP", SHOP).split(" "), env);

  test("are the admin's, which docs/commands.md names too", () => {
    expect(commands.length).toBeGreaterThan(4);
    expect(commands.filter((command) => !command.startsWith("npm run admin -- "))).toEqual([]);
    expect(read("docs/commands.md")).toContain("`npm run admin -- shops`");
  });

  test("shops tells each of what it is asked for", async () => {
    const { code, said } = await run("npm run admin -- shops");
    expect(code).toBe(0);
    expect(said).toContain(SHOP);
    for (const word of [
      "connection invalid",
      "circuit breaker open",
      "1 parked",
      "1 blocked",
      "writes whose end is unclear",
    ])
      expect(said).toContain(word);
  });

  test("shop tells of the connection, of what is stopped and why, of unclear writes and of questions", async () => {
    const { code, said } = await run("npm run admin -- shop SHOP");
    expect(code).toBe(0);
    for (const word of [
      "invalid",
      "circuit breaker",
      "parked",
      "blocked",
      "it broke",
      "Writes whose end is unclear: 1",
    ])
      expect(said).toContain(word);
    expect(said).toMatch(/^Work/m);
    expect(said).toMatch(/verif|question/i);
  });

  test.each(commands)("%s comes to its end", async (command) => {
    expect(await run(command)).toMatchObject({ code: 0, stderr: "" });
  });

  test("unblock lets what was parked be tried again", async () => {
    expect(commands).toContain("npm run admin -- shop SHOP unblock");
    expect(await store.workItems.find({ id: "i-1" })).toMatchObject({ state: "active" });
  });
});

test("each address that it asks for is served", async () => {
  const asked = unique(inCode.filter((code) => code.startsWith("curl ")).map((code) => code.split("…")[1]!));
  expect(asked).toEqual(["/ready"]);
  const app = createServer({
    build: () => Promise.reject(new Error("no page is asked for")),
    vite: null,
    log: SILENT,
    health: { read: async () => null },
    ready: { read: async () => ({ ready: true, parts: { store: "ok", migrations: "ok", lease: "ok", worker: "ok" } }) },
    withLogFields: (_fields, work) => work(),
    webhooks: {
      check: () => Promise.reject(new Error("none comes")),
      receive: () => Promise.reject(new Error("none")),
    },
    config: {
      SHOPIFY_APP_URL: "https://app.example.com",
      APP_BRIDGE_URL: "https://cdn.shopify.com/shopifycloud/app-bridge.js",
      HSTS_SUBDOMAINS: false,
      TRUSTED_PROXIES: 0,
    },
  } as Parameters<typeof createServer>[0]);
  const server = app.listen(0, "127.0.0.1");
  try {
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    for (const path of asked) expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200);
  } finally {
    server.close();
  }
});
