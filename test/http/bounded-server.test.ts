import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { listenAt } from "../../app/http/bounded-server.ts";
import { serveMetrics } from "../../app/http/metrics/metrics-server.ts";
import { SILENT } from "../adapters/store/open-store.ts";
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

/** A port that cannot be had ends the process, and the last line has to say which setting to change. */

test("a port that another process has is named with its setting and with what to do", async () => {
  const other = createServer();
  await listenAt(other, { port: 0, host: "127.0.0.1", setting: "PORT" });
  const { port } = other.address() as AddressInfo;
  try {
    await expect(listenAt(createServer(), { port, host: "127.0.0.1", setting: "PORT" })).rejects.toThrow(
      `PORT: the app cannot listen on port ${port} on 127.0.0.1: another process has it. End that one, or choose another port.`,
    );
    const page = async () => ({ type: "text/plain", text: "" });
    await expect(serveMetrics({ port, host: "127.0.0.1", page, log: SILENT })).rejects.toThrow(
      `METRICS_PORT: the app cannot listen on port ${port} on 127.0.0.1: another process has it.`,
    );
  } finally {
    other.close();
  }
});

test("an address that the machine does not have is named, too", async () => {
  await expect(listenAt(createServer(), { port: 0, host: "192.0.2.1", setting: "PORT" })).rejects.toThrow(
    "PORT: the app cannot listen on port 0 on 192.0.2.1: this machine has no such address. Say another one.",
  );
});
