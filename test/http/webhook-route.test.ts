import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEdge } from "./edge-stage.ts";
import type { Edge } from "./edge-stage.ts";

/** The address of webhooks, before a small intake (`edge-stage.ts`). What the true one answers is in test/routes/server.test.ts. */

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.stop());

const MEGABYTE = 1024 * 1024;
const head = "POST /webhooks HTTP/1.1\r\nHost: origen.example\r\n";
const next = "GET /echo HTTP/1.1\r\nHost: origen.example\r\n\r\n";
const statuses = (text: string) => [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map((match) => Number(match[1]));

test("a failure is a 500 without a word of why, and a line in the log", async () => {
  const before = edge.logged.length;
  const answer = await edge.fetch("/webhooks", { method: "POST", body: "{}", headers: { "X-Shopify-Topic": "down" } });
  expect([answer.status, await answer.text()]).toEqual([500, "Something went wrong"]);
  expect(edge.logged.slice(before)).toMatchObject([
    { level: "error", fields: { path: "/webhooks" }, message: "a request failed" },
    { level: "info", fields: { method: "POST", path: "/webhooks", status: 500 }, message: "request" },
  ]);
});

test("an answer has the request's id, is kept nowhere, and is logged with its path alone", async () => {
  const before = edge.logged.length;
  const headers = { "X-Request-Id": "12345678-abcd", "X-Shopify-Topic": "locations/update" };
  const answer = await edge.fetch("/webhooks?secret=1", { method: "POST", body: "{}", headers });
  expect([answer.status, await answer.text()]).toEqual([200, ""]);
  expect(answer.headers.get("X-Request-Id")).toBe("12345678-abcd");
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
  expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(edge.logged.slice(before).map(({ fields }) => fields)).toMatchObject([
    { topic: "locations/update", outcome: "accepted" },
    { path: "/webhooks", status: 200 },
  ]);
});

test.each(["GET", "HEAD", "OPTIONS"])("%s is a 405", async (method) => {
  expect((await edge.fetch("/webhooks", { method })).status).toBe(405);
});

test.each([
  ["says its length", `Content-Length: ${3 * MEGABYTE}\r\n\r\n${"x".repeat(3 * MEGABYTE)}`],
  [
    "does not say its length",
    `Transfer-Encoding: chunked\r\n\r\n${`100000\r\n${"x".repeat(MEGABYTE)}\r\n`.repeat(3)}0\r\n\r\n`,
  ],
])("a body that is too long and %s is a 413, and the connection is closed", async (_what, body) => {
  const came = await edge.raw(`${head}${body}`);
  expect(statuses(came)).toEqual([413]);
  expect(came).toContain("Connection: close");
});

test("a connection carries the next request", async () => {
  const whole = `Content-Length: ${MEGABYTE}\r\n\r\n${"x".repeat(MEGABYTE)}`;
  expect(statuses(await edge.raw(`${head}${whole}${head}Content-Length: 0\r\n\r\n${next}`, /"length":null/))).toEqual([
    200, 200, 200,
  ]);
});

test("a body that breaks off is no error of ours", async () => {
  const before = edge.logged.length;
  const socket = connect(edge.port, "127.0.0.1");
  await new Promise((resolve) => socket.write(`${head}Content-Length: 100\r\n\r\nhalf`, resolve));
  socket.destroy();
  expect((await edge.fetch("/webhooks", { method: "POST", body: "{}" })).status).toBe(200);
  expect(edge.logged.slice(before).filter(({ level }) => level === "error")).toEqual([]);
});
