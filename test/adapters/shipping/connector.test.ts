import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import { Pool, type Dispatcher } from "undici";
import { createConnector } from "../../../app/adapters/shipping/connector.ts";

/** What becomes of bytes that the kernel holds for a request that was given up, over plain TCP and over TLS. */

/** A key that both ends have: TLS without a certificate. */
const PSK = Buffer.from("0123456789abcdef");
const TLS = { ciphers: "PSK-AES128-GCM-SHA256", minVersion: "TLSv1.2", maxVersion: "TLSv1.2" } as const;

const open: { server: Server; pool: Pool }[] = [];
afterEach(async () => {
  for (const { server, pool } of open.splice(0)) {
    await pool.destroy();
    server.close();
  }
});

interface Taken {
  socket: Socket;
  ended: Promise<"closed" | "reset">;
}

function watched(socket: Socket): Taken {
  let reset = false;
  socket.on("error", () => (reset = true));
  return { socket, ended: new Promise((resolve) => socket.on("close", () => resolve(reset ? "reset" : "closed"))) };
}

/** A server that takes connections and reads nothing yet. */
async function started(protocol: "http" | "https") {
  const sockets: Taken[] = [];
  const take = (socket: Socket) => void sockets.push(watched(socket));
  const server =
    protocol === "http"
      ? createServer({ pauseOnConnect: true }, take)
      : createTlsServer({ ...TLS, pskCallback: () => PSK, pauseOnConnect: true }, take);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const pskCallback = () => ({ identity: "a test", psk: PSK });
  const connect = createConnector({
    timeout: 5_000,
    allowH2: false,
    ...(protocol === "https" ? { ...TLS, pskCallback, checkServerIdentity: () => undefined } : {}),
  });
  const pool = new Pool(`${protocol}://127.0.0.1:${port}`, { connect, pipelining: 1 });
  open.push({ server, pool });
  return { server, sockets, pool };
}

/** A request; `ended` gives its answer's text, or rejects. */
function send(pool: Pool, body: Buffer) {
  const sending = Promise.withResolvers<Dispatcher.DispatchController>();
  const ended = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  pool.dispatch(
    { method: "POST", path: "/", body },
    {
      onRequestStart: sending.resolve,
      onResponseStart: () => undefined,
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd: () => ended.resolve(Buffer.concat(chunks).toString()),
      onResponseError: (_controller, error) => ended.reject(error),
    },
  );
  ended.promise.catch(() => undefined);
  return { sending: sending.promise, ended: ended.promise };
}

describe.each(["http", "https"] as const)("over %s", (protocol) => {
  test("a request that was given up is not delivered from the kernel's buffers", async () => {
    const { pool, sockets } = await started(protocol);
    const body = Buffer.alloc(1_500_000, "x");
    const { sending, ended } = send(pool, body);
    const controller = await sending;
    await expect.poll(() => sockets.length).toBe(1);
    controller.abort(new Error("given up"));
    await expect(ended).rejects.toThrow("given up");
    await expect.poll(() => pool.stats.connected).toBe(0);
    const { socket, ended: end } = sockets[0]!;
    let bytes = 0;
    socket.on("data", (chunk: Buffer) => (bytes += chunk.length)).resume();
    expect(await end).toBe("reset");
    expect(bytes).toBeLessThan(body.length);
  });

  test("however early or late many are given up, the process lives and no connection stays", async () => {
    const { server, pool, sockets } = await started(protocol);
    const ways = [process.nextTick, setImmediate, (call: () => void) => setImmediate(() => setImmediate(call))];
    for (let round = 0; round < 20; round += 1) {
      const given = ways.map(async (way, index) => {
        const { sending, ended } = send(pool, Buffer.alloc(index % 2 ? 200 : 1_500_000));
        const controller = await sending;
        way(() => controller.abort(new Error("given up")));
        await expect(ended).rejects.toThrow("given up");
      });
      await Promise.all(given);
    }
    await expect.poll(() => pool.stats.connected).toBe(0);
    const left = () => {
      for (const { socket } of sockets) socket.resume();
      return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
    };
    await expect.poll(left).toBe(0);
  });

  test("answers come as ever, and an idle connection is used again", async () => {
    const { server, pool, sockets } = await started(protocol);
    server.on(protocol === "http" ? "connection" : "secureConnection", (socket: Socket) => {
      socket.on("data", (chunk) => {
        if (String(chunk).endsWith("!")) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
      });
      socket.resume();
    });
    for (let count = 0; count < 8; count += 1) expect(await send(pool, Buffer.from("hello!")).ended).toBe("ok");
    // Two at most: the next request may come before the first connection is known to be free.
    expect(sockets.length).toBeLessThanOrEqual(2);
  });

  test("a server that is not there is an error", async () => {
    const { server, pool } = await started(protocol);
    await new Promise((resolve) => server.close(resolve));
    await expect(send(pool, Buffer.from("x")).ended).rejects.toThrow("ECONNREFUSED");
  });
});

test("a TLS handshake that never ends is an error in time", async () => {
  const deaf = createServer(() => undefined);
  await new Promise<void>((resolve) => deaf.listen(0, "127.0.0.1", resolve));
  const { port } = deaf.address() as AddressInfo;
  const pool = new Pool(`https://127.0.0.1:${port}`, { connect: createConnector({ timeout: 300, allowH2: false }) });
  open.push({ server: deaf, pool });
  await expect(send(pool, Buffer.from("x")).ended).rejects.toMatchObject({ code: "UND_ERR_CONNECT_TIMEOUT" });
});
