import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import type { Sent } from "./sender.ts";
import type { Stage } from "./stage.ts";

/** Webhooks to one shop whose signed body is another's: every topic that the app takes, at every age. */

interface Subscription {
  topics?: string[];
  compliance_topics?: string[];
}

/** As shopify.app.toml lists them, so that a new one cannot be forgotten. */
function topicsTaken(): string[] {
  const toml = parse(readFileSync(join(import.meta.dirname, "../../shopify.app.toml"), "utf8")) as unknown as {
    webhooks: { subscriptions: Subscription[] };
  };
  return toml.webhooks.subscriptions.flatMap(({ topics = [], compliance_topics = [] }) => [
    ...topics,
    ...compliance_topics,
  ]);
}

const AGES = ["2020-01-01T00:00:00Z", "2040-01-01T00:00:00Z", "never", null];

/** A step of a workflow of the intruder's, which the same secret signs. */
const STEP = {
  shopify_domain: "intruder.myshopify.com",
  action_run_id: "run of the intruder",
  handle: "verify-origin",
  properties: { origin: "1" },
};

/** Of `INTRUDER`'s body, for the victim. `honest`: signed by Shopify's secret. */
export function replayed({ sandbox, theirs }: Stage, { honest }: { honest: boolean }): (Sent & { topic: string })[] {
  const named = { shop_domain: "intruder.myshopify.com", myshopify_domain: "intruder.myshopify.com" };
  const bodies = [
    { ...named, id: 1 },
    { ...named, customer: { id: 1 }, orders_to_redact: [] },
    { ...named, domain: theirs.shop },
    STEP,
  ];
  let number = 0;
  return topicsTaken().flatMap((topic) =>
    AGES.flatMap((age) =>
      bodies.map((payload) => {
        const body = JSON.stringify(payload);
        const secret = honest ? sandbox.apiSecret : "another secret";
        const headers: Record<string, string> = {
          "Content-Type": "application/json",
          "X-Shopify-Hmac-Sha256": createHmac("sha256", secret).update(body).digest("base64"),
          "X-Shopify-Topic": topic,
          "X-Shopify-Shop-Domain": theirs.shop,
          "X-Shopify-API-Version": "2026-10",
          "X-Shopify-Webhook-Id": `replayed-${(number += 1)}`,
          ...(age !== null && { "X-Shopify-Triggered-At": age }),
        };
        return { method: "POST", path: "/webhooks", headers, body, topic };
      }),
    ),
  );
}

/**
 * To the address of Shopify Flow's steps, for the victim: the intruder's own step, which names an origin of the victim's, and bodies of webhooks
 * and of another action, with the status that each is to get.
 */
export function steps({ sandbox, theirs }: Stage): (Sent & { gets: number })[] {
  const bodies: [object, number][] = [
    [{ ...STEP, properties: { origin: theirs.locationId } }, 404],
    [{ ...STEP, handle: "another" }, 404],
    [{ ...STEP, shopify_domain: `${theirs.shop}.evil.example` }, 400],
    [{ id: 1, shop_domain: theirs.shop, myshopify_domain: theirs.shop }, 400],
  ];
  return bodies.flatMap(([payload, gets]) =>
    [sandbox.apiSecret, "another secret"].map((secret) => {
      const body = JSON.stringify(payload);
      const headers: Record<string, string> = {
        "Content-Type": "application/json",
        "X-Shopify-Hmac-Sha256": createHmac("sha256", secret).update(body).digest("base64"),
        "X-Shopify-Shop-Domain": theirs.shop,
      };
      const isSigned = secret === sandbox.apiSecret;
      return { method: "POST", path: "/flow/verify-origin", headers, body, gets: isSigned ? gets : 401 };
    }),
  );
}
