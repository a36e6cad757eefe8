import { once } from "node:events";
import { Agent, createServer, get } from "node:http";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";
import { drainable } from "../../app/http/drain.ts";
import type { DrainBounds } from "../../app/http/drain.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function serve(answer: RequestListener, bounds?: Partial<DrainBounds>) {
  const { port, drain } = await serveOn(answer, bounds);
  return { port, drain };
}

async function serveOn(answer: RequestListener, bounds?: Partial<DrainBounds>) {
  // Longer than a test may take: only what drains ends a connection.
  const server = createServer({ keepAliveTimeout: 120_000, headersTimeout: 120_000, requestTimeout: 0 });
  const drain = drainable(server, answer, bounds);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => server.closeAllConnections());
  return { server, port: (server.address() as AddressInfo).port, drain };
}

const REQUEST = "GET / HTTP/1.1\r\nHost: app\r\n\r\n";

/** Collects what comes, and how it ended: `end`, or the code of a fault. */
function client(port: number): { socket: Socket; text: () => string; ended: Promise<string> } {
  const socket = connect(port, "127.0.0.1");
  closers.push(() => socket.destroy());
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const ended = new Promise<string>((resolve) => {
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.once("end", () => resolve("end"));
  });
  return { socket, text: () => text, ended };
}

const answers = (text: string) => text.split("HTTP/1.1 200 OK").length - 1;

/** Connected, with one request answered. */
async function keptAlive(port: number) {
  const one = client(port);
  one.socket.write(REQUEST);
  await expect.poll(() => answers(one.text())).toBe(1);
  return one;
}

test("lets a request under way end, and does not wait for its connection to be given up", async () => {
  const answering = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const { port, drain } = await serve((_request, response) => {
    arrived.resolve();
    void answering.promise.then(() => response.end("whole"));
  });
  const agent = new Agent({ keepAlive: true });
  const text = new Promise<string>((resolve, reject) => {
    get({ port, agent, host: "127.0.0.1" }, (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => (body += chunk.toString()));
      response.on("end", () => resolve(body));
    }).on("error", reject);
  });
  await arrived.promise;
  const drained = drain();
  answering.resolve();
  expect(await text).toBe("whole");
  await drained;
  agent.destroy();
});

test("answers what is sent on kept-alive connections in the moment of the stop, and says that it is the last", async () => {
  const { port, drain } = await serve((_request, response) => void response.end("whole"));
  const clients = await Promise.all(Array.from({ length: 20 }, () => keptAlive(port)));
  for (const { socket } of clients) socket.write(REQUEST);
  await drain();
  expect(await Promise.all(clients.map(({ ended }) => ended))).toEqual(clients.map(() => "end"));
  for (const { text } of clients) {
    expect(answers(text())).toBe(2);
    expect(text().match(/Connection: close/gi)).toHaveLength(1);
  }
});

test("answers those who had connected and were not accepted yet", async () => {
  const { port, drain } = await serve((_request, response) => void response.end("whole"));
  const clients = Array.from({ length: 20 }, () => client(port));
  for (const { socket } of clients) socket.write(REQUEST);
  // An address without a name is connected to in the next tick; the server reads nothing before these go on.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  await drain();
  await Promise.all(clients.map(({ ended }) => ended));
  expect(clients.map(({ text }) => answers(text()))).toEqual(clients.map(() => 1));
});

// What it rests on is Linux's.
test.runIf(process.platform === "linux")(
  "resets nobody who connects while the process is put off right before its port is closed",
  async () => {
    // The thread that knocks may be put off as well, between connecting and sending: what is under test is the port alone.
    const { server, port, drain } = await serveOn((_request, response) => void response.end("whole"), {
      quietMs: 2_000,
    });
    const knocking = new Worker(new URL("processes/knocking.ts", import.meta.url), { workerData: { port } });
    closers.push(() => void knocking.terminate());
    await once(knocking, "message");
    const { _handle: handle } = server as unknown as { _handle: { close(...args: unknown[]): unknown } };
    const close = handle.close.bind(handle);
    handle.close = (...args) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
      return close(...args);
    };
    await drain();
    knocking.postMessage("stop");
    const [ends] = (await once(knocking, "message")) as [Record<string, number>];
    expect(ends["200"]).toBeGreaterThan(0);
    expect(ends["ECONNREFUSED"]).toBeGreaterThan(0);
    expect(Object.keys(ends).sort()).toEqual(["200", "ECONNREFUSED"]);
  },
);

test("refuses new connections while an answer is under way", async () => {
  const answering = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const { port, drain } = await serve((_request, response) => {
    arrived.resolve();
    void answering.promise.then(() => response.end("whole"));
  });
  const first = client(port);
  first.socket.write(REQUEST);
  await arrived.promise;
  const drained = drain();
  await expect.poll(() => client(port).ended).toBe("ECONNREFUSED");
  answering.resolve();
  await Promise.all([drained, first.ended]);
  expect(answers(first.text())).toBe(1);
});

test("cuts off no long answer to who reads slowly", async () => {
  const whole = 64 * 1024 * 1024;
  const { port, drain } = await serve((_request, response) => void response.end(Buffer.alloc(whole)), {
    quietMs: 20,
    lateMs: 40,
    // A busy machine takes that long for as much.
    longestMs: 60_000,
  });
  const { socket, ended } = client(port);
  let read = 0;
  socket.on("data", (chunk: Buffer) => (read += chunk.length));
  socket.write(REQUEST);
  await once(socket, "data");
  socket.pause();
  const drained = drain();
  await new Promise((resolve) => setTimeout(resolve, 200));
  socket.resume();
  expect(await ended).toBe("end");
  expect(read).toBeGreaterThan(whole);
  await drained;
});

test("waits neither for a connection on which nothing was sent, nor long for half a request", async () => {
  const { port, drain } = await serve((_request, response) => void response.end("whole"), { lateMs: 600 });
  const silent = client(port);
  const half = client(port);
  half.socket.write("GET / HTTP/1.1\r\nHost: ");
  await Promise.all([once(silent.socket, "connect"), once(half.socket, "connect")]);
  const drained = drain();
  expect(await silent.ended).toBe("end");
  expect(half.socket.readyState).toBe("open");
  await drained;
});

test("ends although requests go on coming", async () => {
  const { port, drain } = await serve(
    // As a client that believes no "Connection: close" is answered.
    (_request, response) => void response.writeHead(200, { Connection: "keep-alive" }).end("whole"),
    { quietMs: 10_000, lateMs: 300 },
  );
  const one = await keptAlive(port);
  const sending = setInterval(() => one.socket.write(REQUEST), 20);
  closers.push(() => clearInterval(sending));
  await drain();
  expect(answers(one.text())).toBeGreaterThan(2);
});

test("ends although an answer does not", async () => {
  const { port, drain } = await serve((_request, response) => void response.write("half"), { longestMs: 300 });
  const one = client(port);
  one.socket.write(REQUEST);
  await once(one.socket, "data");
  await drain();
  expect(await one.ended).not.toBe("");
});
