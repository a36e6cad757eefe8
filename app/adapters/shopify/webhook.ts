import type { Shopify } from "@shopify/shopify-api";

/** A webhook whose signature fits its body. */
export interface SignedWebhook {
  shop: string;
  topic: string;
  webhookId: string;
  payload: unknown;
}

/**
 * Checks the signature with Shopify's library. Its package for Remix would look for the shop's session besides, and refresh it: a webhook
 * needs none, and a shop that uninstalled the app has none that can be refreshed.
 * @throws a 401 for a signature that does not fit, a 400 for a header that is missing, a SyntaxError for a signed body that is no JSON.
 */
export async function authenticateWebhook(
  request: Request,
  { webhooks }: Pick<Shopify, "webhooks">,
): Promise<SignedWebhook> {
  const rawBody = await request.text();
  const check = await webhooks.validate({ rawBody, rawRequest: request });
  if (!check.valid) throw new Response(null, { status: check.reason === "invalid_hmac" ? 401 : 400 });
  const { domain: shop, topic, webhookId } = check;
  return { shop, topic, webhookId, payload: JSON.parse(rawBody) as unknown };
}
