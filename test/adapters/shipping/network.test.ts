import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createNetwork, TIMEOUTS } from "../../../app/adapters/shipping/network.ts";
import { isAppError, type AppError } from "../../../app/domain/errors.ts";
import { DRAFT, INTERACTIVE, startWorld, WRITE, type World } from "./support/world.ts";

/** What may go wrong between us and the service, over true sockets: which fault, whether it may have happened, and when. */

let world: World;

beforeAll(async () => {
  world = await startWorld({ timeouts: { connectMs: 300, headersMs: 5_000, bodyMs: 5_000, totalMs: 800 } });
});
afterAll(() => world.stop());

const fault = (call: Promise<unknown>): Promise<AppError> =>
  call.then(
    () => Promise.reject(new Error("the call succeeded")),
    (error: unknown) => (isAppError(error) ? error : Promise.reject(error as Error)),
  );

/** A create of the nth shop under a fault; its token is there already, so that only the create meets it. */
async function createUnder(
  n: number,
  kind: "reset" | "lost-reply" | "hang" | "cut-reply" | "stalled-reply" | "huge-reply" | "redirect",
) {
  const ref = world.connect(n);
  const account = world.service.account(ref);
  await account.listPage({ ...INTERACTIVE, page: 1 });
  world.standIn.faults.set({ kind, clientId: ref.clientId, operations: ["create"] });
  const startMs = performance.now();
  const error = await fault(account.create(DRAFT, WRITE));
  return {
    error,
    ms: performance.now() - startMs,
    calls: world.standIn.report().callsByClient[`test:${ref.clientId}`]!.create,
  };
}

// One block, so that they run side by side.
describe("what may happen to a call", () => {
  test.concurrent.each([
    [1, "reset", "transport"],
    [2, "lost-reply", "transport"],
    [3, "hang", "timeout"],
    [4, "cut-reply", "transport"],
    [5, "stalled-reply", "transport"],
    [6, "huge-reply", "unreadable"],
    [7, "redirect", "unexpected_status"],
  ] as const)("%i a write that meets %s is `%s`, may have happened, and is not repeated", async (n, kind, expected) => {
    const { error, ms, calls } = await createUnder(n, kind);
    expect(error).toMatchObject({ kind: expected, effect: "unknown", requestId: expect.stringMatching(/.{36}/) });
    expect(calls).toBe(1);
    // It ends at its own time limit, however busy the machine is.
    expect(ms).toBeLessThan(30_000);
  });
  test.concurrent("a refused connection had no effect", async () => {
    const own = await startWorld();
    const account = own.account(1);
    await account.listPage({ ...INTERACTIVE, page: 1 });
    await own.standIn.goDown();
    expect(await fault(account.create(DRAFT, WRITE))).toMatchObject({ kind: "transport", effect: "none" });
    await own.stop();
  });

  test.concurrent("a pending write that does not commit sends nothing, and its error comes out unchanged", async () => {
    let number = 30;
    /** How long two lists take after it, in milliseconds. */
    const listsAfter = async () => {
      const ref = world.connect((number += 1));
      const account = world.service.account(ref);
      const error = new Error("SQLITE_BUSY");
      const beforeSend = () => Promise.reject(error);
      await expect(account.create(DRAFT, { ...INTERACTIVE, beforeSend })).rejects.toBe(error);
      const startMs = performance.now();
      await Promise.all([1, 1].map((page) => account.listPage({ ...INTERACTIVE, page })));
      expect(world.standIn.templates(ref.clientId)).toEqual([]);
      return performance.now() - startMs;
    };
    // Token and one list go in the first second: the slot of what was not sent is free at once. Were it not, no try could be so short.
    await expect.poll(listsAfter, { interval: 0 }).toBeLessThan(1_900);
  });

  test.concurrent("a caller that leaves while the pending write commits: nothing goes", async () => {
    const ref = world.connect(9);
    const leaving = new AbortController();
    const beforeSend = async () => leaving.abort();
    const call = world.service.account(ref).create(DRAFT, { ...INTERACTIVE, signal: leaving.signal, beforeSend });
    expect(await fault(call)).toMatchObject({ kind: "cancelled", effect: "none" });
    expect(world.standIn.templates(ref.clientId)).toEqual([]);
  });

  test.concurrent("a caller that leaves while the answer is on its way: it may have happened", async () => {
    const ref = world.connect(10);
    const account = world.service.account(ref);
    await account.listPage({ ...INTERACTIVE, page: 1 });
    world.standIn.faults.set({ kind: "hang", effect: true, clientId: ref.clientId, operations: ["create"] });
    const leaving = new AbortController();
    const call = fault(account.create(DRAFT, { ...WRITE, signal: leaving.signal }));
    while (world.standIn.templates(ref.clientId).length === 0) await pause(5);
    leaving.abort();
    expect(await call).toMatchObject({ kind: "cancelled", effect: "unknown" });
  });

  test.concurrent("a read is repeated after a reset and after 5xx, each time with slots of its own", async () => {
    const ref = world.connect(11);
    const account = world.service.account(ref);
    await account.listPage({ ...INTERACTIVE, page: 1 });
    world.standIn.faults.set([
      { kind: "reset", clientId: ref.clientId, operations: ["list"], next: 1 },
      { kind: "error-before", clientId: ref.clientId, operations: ["list"], next: 1, status: 503 },
    ]);
    expect(await account.listPage({ ...INTERACTIVE, page: 1 })).toMatchObject({ page: 1 });
    const { arrivals, callsByClient } = world.standIn.report();
    expect(callsByClient[`test:${ref.clientId}`]!.list).toBe(4);
    expect(arrivals[`test:${ref.clientId}`]!.mostInSecond).toBe(2);
  });
});

describe("connections", () => {
  const sockets = new Set<Socket>();
  const requests: IncomingMessage[] = [];
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = createServer((request: IncomingMessage, response: ServerResponse) => {
      requests.push(request);
      if (request.url === "/v/drip") {
        response.writeHead(200, { "content-length": 1_000 }).write("x");
        return;
      }
      response.writeHead(200, { "x-many": ["a", "b"] }).end(`{"path":"${request.url}"}`);
    });
    server.on("connection", (socket) => sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v/`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const exchange = (path: string) => ({
    environment: "test" as const,
    request: { method: "GET" as const, path, contentType: null, body: null },
    headers: {},
    onSending: () => true,
    onAnswer: () => undefined,
  });

  test("are kept alive and used again, under the base URL's own path", async () => {
    const network = createNetwork({ test: url, production: null }, TIMEOUTS);
    for (let count = 0; count < 8; count += 1) {
      expect(await network.exchange(exchange("/a")).answer).toMatchObject({
        status: 200,
        body: '{"path":"/v/a"}',
        cutShort: null,
      });
    }
    // Two at most: the next request may come before the first connection is known to be free.
    expect(sockets.size).toBeLessThanOrEqual(2);
    await network.close();
  });

  test("a body that stalls ends in time, and the status stands", async () => {
    const network = createNetwork({ test: url, production: null }, { ...TIMEOUTS, bodyMs: 500 });
    expect(await network.exchange(exchange("/drip")).answer).toMatchObject({
      status: 200,
      body: "",
      cutShort: "broken",
    });
    await network.close();
  });

  test("a request that is stopped while it still connects never leaves", async () => {
    const deaf = createTcpServer();
    await new Promise<void>((resolve) => deaf.listen(0, "127.0.0.1", resolve));
    const port = (deaf.address() as AddressInfo).port;
    let bytes = 0;
    deaf.on("connection", (socket) =>
      socket.on("data", (chunk) => (bytes += chunk.length)).on("error", () => undefined),
    );
    const network = createNetwork({ test: `http://127.0.0.1:${port}`, production: null }, TIMEOUTS);
    let sending = false;
    const underWay = network.exchange({ ...exchange("/a"), onSending: () => (sending = true) });
    underWay.stop();
    await expect(underWay.answer).rejects.toThrow("stopped");
    await pause(100);
    expect({ sending, bytes }).toEqual({ sending: false, bytes: 0 });
    await network.close();
    deaf.close();
  });

  test("a request that may not leave any more when its connection is open never leaves", async () => {
    const asked: string[] = [];
    const network = createNetwork({ test: url, production: null }, TIMEOUTS);
    const before = requests.length;
    const underWay = network.exchange({ ...exchange("/a"), onSending: () => asked.push("a") > 1 });
    await expect(underWay.answer).rejects.toThrow("kept back");
    expect(await network.exchange(exchange("/b")).answer).toMatchObject({ status: 200 });
    expect([asked, requests.length - before]).toEqual([["a"], 1]);
    await network.close();
  });

  test("plain http is for loopback hosts only", () => {
    const at = (test: string) => () => createNetwork({ test, production: null }, TIMEOUTS).close();
    expect(at("http://api.example.com")).toThrow("https");
    expect(at("http://127.0.0.1.example.com")).toThrow("https");
    expect(at("https://api.example.com")).not.toThrow();
    expect(at("http://localhost:1234")).not.toThrow();
  });
});

test("an environment that is not offered is not_connected", async () => {
  const own = await startWorld({ offers: ["test"] });
  const ref = { ...own.connect(1), environment: "production" as const };
  const credentials = { ...own.tokens.rows.get(ref.id)!.credentials!, environment: "production" as const };
  expect(await fault(own.service.obtainToken(credentials, INTERACTIVE))).toMatchObject({ kind: "not_connected" });
  expect(await fault(own.service.account(ref).get("x", INTERACTIVE))).toMatchObject({ kind: "not_connected" });
  await own.stop();
});
