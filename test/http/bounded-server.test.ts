import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { startEdge } from "./edge-stage.ts";

/** Nobody holds a connection for nothing. The bounds are short here, and longer than the tests take where they are not the point. */

describe("a request that trickles in", () => {
  test("with its headers is answered 408 and cut", async () => {
    const edge = await startEdge({ bounds: { headersMs: 100, lookMs: 20 } });
    const came = await edge.raw("GET /echo HTTP/1.1\r\nHost: origen.example\r\nX-Slow: ");
    expect(came).toMatch(/^HTTP\/1\.1 408 /);
    await edge.stop();
  });

  test("with its body is answered 408 and cut", async () => {
    const edge = await startEdge({ bounds: { requestMs: 100, headersMs: 100, lookMs: 20 } });
    const came = await edge.raw("POST /echo HTTP/1.1\r\nHost: origen.example\r\nContent-Length: 100\r\n\r\nx");
    expect(came).toMatch(/^HTTP\/1\.1 408 /);
    expect(edge.logged.filter(({ level }) => level === "error")).toEqual([]);
    await edge.stop();
  });
});

test("a connection on which nothing moves is closed", async () => {
  const edge = await startEdge({ bounds: { silentMs: 100 } });
  expect(await edge.raw("")).toBe("");
  await edge.stop();
});

test("more connections than the server takes are closed as they come; the others are served", async () => {
  const edge = await startEdge({ bounds: { connections: 2 } });
  const held = [1, 2].map(() => connect(edge.port, "127.0.0.1"));
  await Promise.all(held.map((socket) => once(socket, "connect")));
  expect(await edge.raw("GET /echo HTTP/1.1\r\nHost: origen.example\r\n\r\n")).not.toContain("HTTP/1.1");
  held[0]!.write("GET /echo HTTP/1.1\r\nHost: origen.example\r\n\r\n");
  const [answer] = (await once(held[0]!, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
  for (const socket of held) socket.destroy();
  await edge.stop();
});
