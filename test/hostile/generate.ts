import { createHmac } from "node:crypto";
import type { SeededRandom } from "../fakes/random.ts";
import { attacksOn } from "./routes.ts";
import type { Attack } from "./routes.ts";
import type { Sent } from "./sender.ts";
import type { Stage } from "./stage.ts";
import { badTokens } from "./tokens.ts";

/** Requests from a seed: most of them are well formed and signed, with one thing in them that nobody would say. */

export interface Generated {
  sent: Sent;
  /** Whether it is meant to come as far as a use case. */
  whole: boolean;
}

const TEXTS = [
  "",
  "x".repeat(300),
  "\ud800",
  "a\u0000b",
  "__proto__",
  "constructor",
  "gid://shopify/Location/1",
  "../../etc/passwd",
  "' OR 1=1 --",
  "<script>alert(1)</script>",
  "{{7*7}}",
  "%00%0d%0a",
  "\r\nSet-Cookie: a=b",
  "\u202e\u2060",
  "9".repeat(40),
  "-1",
  "null",
  " ",
] as const;
const OTHERS = [
  null,
  -1,
  1e308,
  2 ** 31 - 1,
  2 ** 53 - 1,
  2 ** 53,
  true,
  [],
  {},
  { toString: "x" },
  { __proto__: null },
  [[[[]]]],
] as const;
const TOPICS = [
  "locations/update",
  "locations/delete",
  "LOCATIONS_ACTIVATE",
  "app/uninstalled",
  "app/scopes_update",
  "shop/redact",
  "customers/redact",
  "customers/data_request",
  "nobody/knows",
  "__proto__",
] as const;

export function createGenerator(stage: Stage, random: SeededRandom) {
  // What asks the shipping service waits for a slot there, two a second: a thousand of them would measure that.
  const attacks = attacksOn(stage.theirs).filter(
    ({ gets, method, route }) =>
      gets === "none" || method === "GET" || route === "app.review" || route === "app._index",
  );
  const forged = Object.values(badTokens(stage));
  const strange = () => (random.chance(0.8) ? random.pick(TEXTS) : random.pick(OTHERS));

  /** One value somewhere in it is another. */
  const bent = (value: unknown, depth = 0): unknown => {
    if (Array.isArray(value) && value.length > 0)
      return value.map((one, index) => (index === 0 ? bent(one, depth + 1) : (one as unknown)));
    if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return strange();
    const fields = Object.keys(value).filter((name) => name !== "intent" || depth > 0);
    if (fields.length === 0) return { ...value, [random.pick(["more", "__proto__", "constructor"])]: strange() };
    const name = random.pick(fields);
    return { ...value, [name]: bent((value as Record<string, unknown>)[name], depth + 1) };
  };

  const page = (attack: Attack & { route: string }, token: string, isBent: boolean): Sent => {
    const isApi = attack.path.startsWith("/api/");
    const mark = attack.path.includes("?") ? "&" : "?";
    let path = isApi ? attack.path : `${attack.path}${mark}_data=${encodeURIComponent(`routes/${attack.route}`)}`;
    if (isBent && attack.body === undefined)
      path += `&q=${encodeURIComponent(String(random.pick(TEXTS)).toWellFormed())}`;
    const body = attack.body === undefined ? undefined : JSON.stringify(isBent ? bent(attack.body) : attack.body);
    return {
      method: attack.method,
      path,
      headers: { Authorization: `Bearer ${token}` },
      ...(body !== undefined && { body }),
    };
  };

  const webhook = (): Sent => {
    const topic = random.pick(TOPICS);
    const strangers = ["nobody.myshopify.com", "evil.example", "x.myshopify.com; a", "__proto__"];
    const shop = topic.startsWith("locations/") ? "intruder.myshopify.com" : random.pick(strangers);
    const payload = random.pick([{ id: 1 }, { id: strange() }, { shop_domain: strange() }, strange()]);
    const body = JSON.stringify(payload);
    const secret = random.chance(0.8) ? stage.sandbox.apiSecret : "another";
    const headers: Record<string, string> = {
      "Content-Type": "application/json",
      "X-Shopify-Hmac-Sha256": createHmac("sha256", secret).update(body).digest("base64"),
      "X-Shopify-Topic": topic,
      "X-Shopify-Shop-Domain": shop,
      "X-Shopify-API-Version": "2026-10",
      "X-Shopify-Webhook-Id": `hostile-${random.id()}`,
      "X-Shopify-Triggered-At": random.pick(["2020-01-01T00:00:00Z", "never", new Date().toISOString()]),
    };
    return { method: "POST", path: "/webhooks", headers, body };
  };

  const malformed = (): Sent =>
    random.pick<Sent>([
      { method: random.pick(["TRACE", "PUT", "DELETE", "PATCH"]), path: "/app" },
      { method: "GET", path: random.pick(["/%zz", "/app/%00", "//evil.example/app", "/app/origins/%ED%A0%80"]) },
      { method: "GET", path: "/app", headers: { Host: random.pick(["[", "a b", "evil.example/x"]) } },
      { method: "POST", path: "/app/settings", headers: { Origin: "https://evil.example" }, body: "{}" },
      { method: "POST", path: "/app/settings", body: "x".repeat(1024 * 1024) },
      { method: "POST", path: "/webhooks", body: "x".repeat(3 * 1024 * 1024) },
      {
        method: "GET",
        path: `/auth/session-token?shop=${encodeURIComponent(String(random.pick(TEXTS)).toWellFormed())}`,
      },
      {
        method: "GET",
        path: `/auth/exit-iframe?exitIframe=${encodeURIComponent(String(random.pick(TEXTS)).toWellFormed())}`,
      },
      {
        method: "GET",
        path: `/app?shop=intruder.myshopify.com&embedded=1&host=${encodeURIComponent(String(random.pick(TEXTS)).toWellFormed())}`,
      },
    ]);

  return (): Generated => {
    const kind = random.next();
    if (kind < 0.04) return { sent: malformed(), whole: false };
    if (kind < 0.1) return { sent: webhook(), whole: false };
    const attack = random.pick(attacks);
    if (kind < 0.16) return { sent: page(attack, random.pick(forged), false), whole: false };
    return { sent: page(attack, stage.token(), random.chance(0.1)), whole: true };
  };
}
