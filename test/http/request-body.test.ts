import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEdge } from "./edge-stage.ts";
import type { Edge } from "./edge-stage.ts";

/** What becomes of a body that nobody reads, and of one that is too long, and of whoever comes next on the same connection. */

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.stop());

const MEGABYTE = 1024 * 1024;
const next = "GET /echo HTTP/1.1\r\nHost: origen.example\r\n\r\n";
const post = (path: string, bytes: number) =>
  `POST ${path} HTTP/1.1\r\nHost: origen.example\r\nContent-Type: text/plain\r\nContent-Length: ${bytes}\r\n\r\n${"x".repeat(bytes)}`;
const chunked = (path: string, bytes: number) =>
  `POST ${path} HTTP/1.1\r\nHost: origen.example\r\nTransfer-Encoding: chunked\r\n\r\n` +
  `${"10000\r\n" + "x".repeat(65_536) + "\r\n"}`.repeat(Math.ceil(bytes / 65_536)) +
  "0\r\n\r\n";
const statuses = (text: string) => [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map((match) => Number(match[1]));

describe("a kept-alive connection", () => {
  test.each([
    ["/unread", 401],
    ["/nowhere", 404],
    ["/echo", 200],
  ])("after a body of 1 MB to %s carries the next request", async (path, status) => {
    const came = await edge.raw(
      post(path, MEGABYTE) + next,
      /"url":"https:\/\/origen\.example\/echo","host":[^}]*"length":null/,
    );
    expect(statuses(came)).toEqual([status, 200]);
  });

  test("after a body of which nobody said the length does so, too", async () => {
    const came = await edge.raw(chunked("/unread", MEGABYTE) + next, /"length":null/);
    expect(statuses(came)).toEqual([401, 200]);
  });
});

describe("a body that is too long", () => {
  test.each([
    ["said so", post("/echo", 3 * MEGABYTE)],
    ["did not say so", chunked("/echo", 3 * MEGABYTE)],
  ])("and %s is answered 413, and the connection is closed", async (_how, request) => {
    const came = await edge.raw(request);
    expect(statuses(came)).toEqual([413]);
    expect(came).toContain("Connection: close");
    expect(came).not.toContain("[");
    expect(edge.logged.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("without end is cut off", async () => {
    const came = await edge.raw(chunked("/echo", 20 * MEGABYTE));
    expect(statuses(came)).toEqual([413]);
  });
});
