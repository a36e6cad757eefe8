import type { Shopify } from "@shopify/shopify-api";
import type { RawWebhook, RefusedWebhook, SignedWebhook } from "../../ports.ts";

/** The library asks for an address and does not look at it. */
const ANY_URL = "https://app/webhooks";

/**
 * Checks the signature with Shopify's library. Its package for Remix would look for the shop's session besides, and refresh it: a webhook
 * needs none, and a shop that uninstalled the app has none that can be refreshed. The library reads only Shopify's own headers.
 */
export async function checkWebhook(
  { rawBody, headers }: RawWebhook,
  { webhooks }: Pick<Shopify, "webhooks">,
): Promise<SignedWebhook | RefusedWebhook> {
  const named = Object.entries(headers).filter(([name]) => name.startsWith("x-shopify-"));
  const rawRequest = { method: "POST", url: ANY_URL, headers: new Headers(named as [string, string][]) };
  const check = await webhooks.validate({ rawBody, rawRequest });
  if (!check.valid) return check.reason === "invalid_hmac" ? "signature" : "header";
  const { domain: shop, topic, webhookId } = check;
  try {
    return { shop, topic, webhookId, payload: JSON.parse(rawBody) as unknown };
  } catch {
    return "json";
  }
}
