import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createHealth } from "../../app/http/health.ts";
import type { Health } from "../../app/http/health.ts";
import type { Ready } from "../../app/http/ready.ts";
import { createServer } from "../../app/http/serve.ts";
import { SILENT } from "../adapters/store/open-store.ts";
import { createVirtualClock } from "../fakes/clock.ts";

/** What `GET /health` says of a process, each of whose parts may fail. */

const SERVED = {
  SHOPIFY_APP_URL: "https://origen.example",
  APP_BRIDGE_URL: "https://cdn.shopify.com/shopifycloud/app-bridge.js",
  HSTS_SUBDOMAINS: false,
  TRUSTED_PROXIES: 0,
};

const hang = (): Promise<never> => new Promise(() => undefined);

interface Parts {
  askStore: () => Promise<void>;
  lockIsOurs: () => Promise<boolean>;
  backByMs: () => number;
}

function staged() {
  const clock = createVirtualClock();
  const asked = { store: 0, lock: 0 };
  const parts: Parts = { askStore: async () => {}, lockIsOurs: async () => true, backByMs: () => Infinity };
  const logged: string[] = [];
  const note = (_fields: unknown, message: string) => void logged.push(message);
  const health = createHealth({
    clock,
    log: { info: note, warn: note, error: note },
    askStore: () => ((asked.store += 1), parts.askStore()),
    lockIsOurs: () => ((asked.lock += 1), parts.lockIsOurs()),
  });
  const read = () => clock.runWhile(health.read());
  const start = () => health.started({ backByMs: () => parts.backByMs() });
  return { clock, asked, parts, logged, health, read, start };
}

test("starting, then well, then stopping, whatever was found a moment ago", async () => {
  const { health, read, start } = staged();
  expect(await read()).toBe("starting");
  start();
  expect(await read()).toBeNull();
  health.stopping();
  expect(await read()).toBe("stopping");
});

test("one that is told to stop while it is asked says so", async () => {
  const { clock, parts, health, start } = staged();
  start();
  parts.askStore = hang;
  const answer = health.read();
  await clock.runFor(100);
  health.stopping();
  expect(await clock.runWhile(answer)).toBe("stopping");
});

test("a worker that is not back by the moment it told", async () => {
  const { clock, parts, read, start } = staged();
  start();
  const untilMs = clock.monotonicMs() + 5_000;
  parts.backByMs = () => untilMs;
  await clock.runFor(5_000);
  expect(await read()).toBeNull();
  await clock.runFor(1_000);
  expect(await read()).toBe("worker");
});

const FAILURES: ["store" | "lock", "askStore" | "lockIsOurs", () => Promise<unknown>][] = [
  ["store", "askStore", () => Promise.reject(new Error("disk I/O error"))],
  ["store", "askStore", hang],
  ["lock", "lockIsOurs", () => Promise.reject(new Error("EACCES"))],
  ["lock", "lockIsOurs", async () => false],
  ["lock", "lockIsOurs", hang],
];

test.each(FAILURES)(
  "%s: %s fails (%#), is told within two seconds and once in the log, and mends",
  async (reason, part, fails) => {
    const { clock, parts, logged, read, start } = staged();
    start();
    const well = parts[part];
    let mend = () => {};
    const hung = new Promise<void>((resolve) => (mend = resolve));
    Object.assign(parts, { [part]: fails === hang ? (): Promise<unknown> => hung.then<unknown>(well) : fails });
    for (let time = 1; time <= 3; time += 1) {
      const startedMs = clock.monotonicMs();
      expect(await read()).toBe(reason);
      expect(clock.monotonicMs() - startedMs).toBeLessThanOrEqual(2_000);
      await clock.runFor(1_000);
    }
    Object.assign(parts, { [part]: well });
    mend();
    await clock.runFor(1_000);
    expect(await read()).toBeNull();
    expect(logged).toEqual(["unhealthy", "healthy again"]);
  },
);

test("the store is named before the worker that waits for it, and the lock before both", async () => {
  const { clock, parts, read, start } = staged();
  start();
  parts.backByMs = () => -1;
  parts.askStore = () => Promise.reject(new Error("closed"));
  expect(await read()).toBe("store");
  parts.lockIsOurs = async () => false;
  await clock.runFor(1_000);
  expect(await read()).toBe("lock");
});

test("a flood of questions asks the store and the lock once a second, and a store that hangs once in all", async () => {
  const { clock, asked, parts, health, start } = staged();
  start();
  await clock.runWhile(Promise.all(Array.from({ length: 500 }, () => health.read())));
  await clock.runFor(999);
  await clock.runWhile(health.read());
  expect(asked).toEqual({ store: 1, lock: 1 });
  await clock.runFor(1);
  parts.askStore = hang;
  for (let second = 1; second <= 10; second += 1) {
    await clock.runWhile(Promise.all([health.read(), health.read()]));
    await clock.runFor(1_000);
  }
  expect(asked.store).toBe(2);
});

test.each([
  [null, 200, { status: "ok" }],
  ["worker", 503, { status: "unhealthy", reason: "worker" }],
] as const)("over HTTP: %s is %i, and nobody keeps it", async (found, status, body) => {
  const health: Pick<Health, "read"> = { read: async () => found };
  const ready: Ready = { read: () => hang() };
  const withLogFields = (_fields: unknown, work: () => void) => work();
  const app = createServer({
    build: () => hang(),
    vite: null,
    log: SILENT,
    health,
    ready,
    withLogFields,
    webhooks: { check: () => hang(), receive: () => hang() },
    config: SERVED,
  });
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/health`);
  expect([answer.status, await answer.json()]).toEqual([status, body]);
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
  server.close();
  server.closeAllConnections();
});
