import { createServer } from "node:http";
import type { Server } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startProxy, withAdmin } from "../proxy.ts";
import type { RunningProxy } from "../proxy.ts";

const ADMIN = "http://localhost:4400";
const body = gzipSync(Buffer.from("añejo".repeat(50)));
let upstream: Server;
let proxy: RunningProxy;
let seen: string[];

beforeEach(async () => {
  seen = [];
  upstream = createServer((request, response) => {
    seen = [`${request.method} ${request.url}`, ...request.rawHeaders];
    request.resume().on("end", () => {
      response.writeHead(200, [
        "X-Mixed-Case",
        "Kept",
        "Set-Cookie",
        "a=1",
        "Set-Cookie",
        "b=2",
        "Content-Encoding",
        "gzip",
        "Content-Security-Policy",
        "frame-ancestors https://a.myshopify.com https://admin.shopify.com; script-src 'self'",
      ]);
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const { port } = upstream.address() as AddressInfo;
  proxy = await startProxy({ upstreamPort: () => port, adminOrigin: () => ADMIN });
});
afterEach(async () => {
  await proxy.stop();
  upstream.closeAllConnections();
  upstream.close();
});

/** What comes over the wire, head and body, with nothing interpreted. */
async function raw(request: string): Promise<{ head: string; body: Buffer }> {
  const socket = connect(Number(new URL(proxy.url).port), "127.0.0.1");
  socket.write(request.replaceAll("\n", "\r\n"));
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const all = Buffer.concat(chunks);
  const end = all.indexOf("\r\n\r\n");
  return { head: all.subarray(0, end).toString("latin1"), body: all.subarray(end + 4) };
}

test("requests and answers pass as they are, but for the admin in frame-ancestors", async () => {
  const answer = await raw(
    "POST /app?x=%20y HTTP/1.1\nHost: 127.0.0.1:9\nX-CaSe: as typed\nConnection: close\nContent-Length: 2\n\nhi",
  );
  expect(seen.slice(0, 5)).toEqual(["POST /app?x=%20y", "Host", "127.0.0.1:9", "X-CaSe", "as typed"]);
  expect(answer.head).toContain("X-Mixed-Case: Kept\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Encoding: gzip");
  expect(answer.head).toContain(
    `frame-ancestors https://a.myshopify.com https://admin.shopify.com ${ADMIN}; script-src 'self'`,
  );
  expect(answer.body.includes(body)).toBe(true);
});

test("a page that lets nobody frame it stays so, and another header is no policy", () => {
  const headers = ["Content-Security-Policy", "frame-ancestors 'none';", "X-Note", "frame-ancestors x"];
  expect(withAdmin(headers, ADMIN)).toEqual(headers);
});

test("an app that is not there is a 502", async () => {
  upstream.closeAllConnections();
  upstream.close();
  expect((await fetch(proxy.url)).status).toBe(502);
});
