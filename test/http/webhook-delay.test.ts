import { expect, test } from "vitest";
import { startEdge } from "./edge-stage.ts";

/** What metrics are told of when webhooks come. */

const TRIGGERED = "2026-11-24T12:00:00.000Z";

test("a webhook's delay is told once it was found to be Shopify's, and not of a stranger's", async () => {
  const told: number[] = [];
  const edge = await startEdge({ webhookFrom: (triggeredAtMs) => void told.push(triggeredAtMs) });
  const send = (signature: string, triggeredAt: string, topic = "locations/update") =>
    edge.fetch("/webhooks", {
      method: "POST",
      body: "{}",
      headers: {
        "X-Shopify-Hmac-Sha256": signature,
        "X-Shopify-Triggered-At": triggeredAt,
        "X-Shopify-Topic": topic,
      },
    });
  expect((await send("wrong", "2001-01-01T00:00:00Z")).status).toBe(401);
  expect((await send("right", "never")).status).toBe(200);
  expect((await send("right", TRIGGERED)).status).toBe(200);
  // Shopify's too, and it comes again.
  expect((await send("right", TRIGGERED, "down")).status).toBe(500);
  await edge.stop();
  expect(told).toEqual([Date.parse(TRIGGERED), Date.parse(TRIGGERED)]);
});
