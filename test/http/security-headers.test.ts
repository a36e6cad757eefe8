import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEdge } from "./edge-stage.ts";
import type { Edge } from "./edge-stage.ts";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.stop());

const policyOf = (answer: Response) =>
  Object.fromEntries(
    answer.headers
      .get("Content-Security-Policy")!
      .split(";")
      .map((directive) => directive.trim().split(/\s+/))
      .map(([name, ...sources]) => [name, sources]),
  );

describe("the policy", () => {
  test("says of everything where it may come from, for every answer", async () => {
    for (const path of ["/echo", "/nowhere", "/unread", "/assets/none.js", "/%zz", "/health"]) {
      const policy = policyOf(await edge.fetch(path));
      expect(policy, path).toEqual({
        "default-src": ["'self'"],
        "script-src": ["'self'", "https://cdn.shopify.com", expect.stringMatching(/^'nonce-[\w+/]{22}=='$/)],
        "style-src": ["'self'", "'unsafe-inline'", "https://cdn.shopify.com"],
        "font-src": ["'self'", "https://cdn.shopify.com"],
        "img-src": ["'self'", "data:", "https://cdn.shopify.com"],
        "connect-src": ["'self'", "https://cdn.shopify.com", "https://*.shopifysvc.com"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "object-src": ["'none'"],
        "frame-ancestors": ["'none'"],
      });
    }
  });

  test("has another nonce for each answer", async () => {
    const [one, two] = await Promise.all([edge.fetch("/echo"), edge.fetch("/echo")]);
    expect(policyOf(one!)["script-src"]).not.toEqual(policyOf(two!)["script-src"]);
  });

  test("lets the admin of the shop that the address names frame it", async () => {
    const framers = policyOf(await edge.fetch("/echo?shop=Taller-Copal.myshopify.com"))["frame-ancestors"];
    expect(framers).toEqual(["https://taller-copal.myshopify.com", "https://admin.shopify.com"]);
  });

  test.each([
    "evil.com",
    "*",
    "*.myshopify.com",
    "x.myshopify.com; script-src *",
    "x.myshopify.com *",
    "x.myshopify.com/",
    "x.myshopify.com\r\nSet-Cookie: a=b",
    "x.myshopify.com\n",
    "x.myshopify.com.evil.com",
    "evil.com#.myshopify.com",
    "x.shopify.com",
    "a.b.myshopify.com",
    `${"x".repeat(300)}.myshopify.com`,
  ])("lets nobody frame it where the address names %j", async (shop) => {
    const answer = await edge.fetch(`/echo?${String(new URLSearchParams({ shop }))}`);
    const policy = policyOf(answer);
    expect(policy["frame-ancestors"]).toEqual(["'none'"]);
    expect(policy["script-src"]).toHaveLength(3);
    expect(answer.headers.get("Set-Cookie")).toBeNull();
  });

  test("lets nobody frame it where the address names two", async () => {
    const answer = await edge.fetch("/echo?shop=a.myshopify.com&shop=b.myshopify.com");
    expect(policyOf(answer)["frame-ancestors"]).toEqual(["'none'"]);
  });
});

test("pages, loader data, refusals and what is not found are kept nowhere", async () => {
  for (const path of ["/echo", "/unread", "/nowhere", "/assets/none.js", "/%zz"])
    expect((await edge.fetch(path)).headers.get("Cache-Control"), path).toBe("no-store");
});

test("where somebody came from stays in the app, and the app is reached over HTTPS only", async () => {
  const { headers } = await edge.fetch("/echo");
  expect(headers.get("Referrer-Policy")).toBe("same-origin");
  expect(headers.get("Strict-Transport-Security")).toBe("max-age=31536000");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("X-Frame-Options")).toBeNull();
  expect(headers.get("X-Powered-By")).toBeNull();
});

test("domains below it too, for whoever chose so", async () => {
  const chosen = await startEdge({ config: { HSTS_SUBDOMAINS: true } });
  const answer = await chosen.fetch("/echo");
  expect(answer.headers.get("Strict-Transport-Security")).toBe("max-age=31536000; includeSubDomains");
  await chosen.stop();
});

describe("who was refused", () => {
  const refused = async (trusted: number) => {
    const one = await startEdge({ config: { TRUSTED_PROXIES: trusted } });
    const headers = { Origin: "https://evil.example", "X-Forwarded-For": "203.0.113.9, 198.51.100.7" };
    await one.fetch("/echo", { method: "POST", headers });
    await one.stop();
    return one.logged.find(({ fields }) => fields.security)?.fields.ip;
  };

  test("is the connection's other end, whatever a header says", async () => {
    expect(await refused(0)).toBe("127.0.0.1");
  });

  test("is what the last trusted proxy saw", async () => {
    expect(await refused(1)).toBe("198.51.100.7");
  });
});
