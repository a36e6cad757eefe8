import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APP_URL, startEdge } from "./edge-stage.ts";
import type { Edge } from "./edge-stage.ts";

/** Requests that no browser and no Shopify sends: each gets a status that says so, and no line of an error in the log. */

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.stop());

const ask = async (line: string, headers: Record<string, string> = {}) => {
  const all = { Host: "origen.example", Connection: "close", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return edge.raw(`${line} HTTP/1.1\r\n${lines.join("")}\r\n`);
};
const status = (text: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
const errors = () => edge.logged.filter(({ level }) => level === "error");

describe("at the door", () => {
  test.each(["TRACE", "PUT", "DELETE", "PATCH", "PROPFIND"])("%s is no method of the app", async (method) => {
    const came = await ask(`${method} /echo`, { "Content-Length": "0" });
    expect(status(came)).toBe(405);
    expect(came).toContain("Allow: GET, HEAD, POST, OPTIONS");
    expect(errors()).toEqual([]);
  });

  test.each(["a b", "evil.example/path", "x@y", "[", "ho\u00e4st", "host:port", ""])(
    "the host %j is malformed",
    async (host) => {
      expect(status(await ask("GET /echo", { Host: host }))).toBe(400);
      expect(errors()).toEqual([]);
    },
  );

  test.each(["/%zz", "/echo/%", "/%ED%A0%80", "/echo/%00", "/echo?q=a%00b", "nowhere", "*"])(
    "the address %s is malformed",
    async (path) => {
      expect(status(await ask(`GET ${path}`))).toBe(400);
      expect(errors()).toEqual([]);
    },
  );

  test.each(["evil.example", "a b", "[", "evil.example:99999999"])(
    "what X-Forwarded-Host %j says of the app's address is not believed",
    async (forwarded) => {
      const came = await ask("GET /echo?a=b", { "X-Forwarded-Host": forwarded, "X-Forwarded-Proto": "gopher" });
      expect(status(came)).toBe(200);
      expect(came).toContain(`"url":"${APP_URL}/echo?a=b","host":"origen.example"`);
    },
  );

  test.each(["//evil.example/echo", "http://evil.example/echo"])("the address %s stays the app's", async (path) => {
    const came = await ask(`GET ${path}`);
    expect(came).not.toMatch(/"host":"evil/);
    expect(status(came)).toBeLessThan(500);
    expect(errors()).toEqual([]);
  });
});

describe("a form", () => {
  const post = (path: string, from: string) => ask(`POST ${path}`, { Origin: from, "Content-Length": "0" });

  test.each(["https://evil.example", "null", "no address", `${APP_URL}.evil.example`])(
    "from %j is refused, and the log tells",
    async (from) => {
      const before = edge.logged.length;
      expect(status(await post("/echo", from))).toBe(403);
      const told = edge.logged.slice(before).find(({ fields }) => fields.security !== undefined);
      expect(told).toMatchObject({
        level: "warn",
        fields: { security: "foreign_origin", path: "/echo", from, ip: "127.0.0.1" },
      });
      expect(errors()).toEqual([]);
    },
  );

  test("from the app's own pages is taken, and whatever is signed or authenticated by itself from anywhere", async () => {
    expect(status(await post("/echo", APP_URL))).toBe(200);
    expect(status(await post("/webhooks", "https://evil.example"))).toBe(200);
    expect(status(await post("/api/origins", "https://extensions.shopifycdn.com"))).toBe(200);
  });
});
