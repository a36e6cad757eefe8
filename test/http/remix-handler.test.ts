import { once } from "node:events";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { STEP_MS } from "../patience.ts";
import { pourBody } from "../../app/http/remix-handler.ts";

const CHUNK = new Uint8Array(64 * 1024);
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A body that counts what was asked of it; it never ends by itself. */
function endless() {
  const body = { made: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        body.made += 1;
        controller.enqueue(CHUNK);
      },
      cancel() {
        body.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, stream };
}

/** What a server that answers with this tells a client. */
async function ask(answer: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => answer(response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  ends.push(() => {
    socket.destroy();
    server.close();
  });
  socket.on("error", () => undefined);
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  return { socket, port };
}

test("a client that does not read is not written for, and one that leaves ends it", async () => {
  const { body, stream } = endless();
  let ended: Promise<void> | null = null;
  const { socket } = await ask((response) => void (ended = pourBody(stream, response)));
  socket.pause();
  let before = -1;
  // The connection's own buffers fill up, and then nothing more is made.
  await vi.waitFor(
    () => {
      const now = body.made;
      const isStill = now > 0 && now === before;
      before = now;
      expect(isStill).toBe(true);
    },
    { timeout: STEP_MS, interval: 200 },
  );
  expect(body.made * CHUNK.length).toBeLessThan(32 * 1024 * 1024);
  expect(body.cancelled).toBe(false);
  socket.destroy();
  await vi.waitFor(() => expect(body.cancelled).toBe(true), STEP_MS);
  await ended;
});

test("a body that errs cuts the connection, so that nobody takes a part for the whole", async () => {
  const broken = () => {
    let made = 0;
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        made += 1;
        if (made < 3) controller.enqueue(CHUNK);
        else controller.error(new Error("the store is gone"));
      },
    });
  };
  const failures: unknown[] = [];
  const { port } = await ask(
    (response) => void pourBody(broken(), response).catch((error: unknown) => failures.push(error)),
  );
  await expect(fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.blob())).rejects.toThrow();
  expect(failures.map(String)).toContain("Error: the store is gone");
});
