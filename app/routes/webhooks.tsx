import type { ActionFunctionArgs } from "@remix-run/node";
import { isStoreDomain } from "../domain/store-domain.ts";
import { log, services } from "../services.server.ts";
import { authenticateWebhook } from "../shopify.server.ts";
import { receiveWebhook } from "../shop/receive-webhook.ts";

/**
 * One URL for all topics. It answers 200 once the receipt and the requested work are one commit, and also for a duplicate and for an
 * unknown shop. A fault of ours is a 5xx, so that Shopify sends the webhook again. A request that is no webhook of Shopify's gets a 4xx
 * that says why.
 */
export async function action({ request }: ActionFunctionArgs): Promise<Response> {
  if (request.method !== "POST") return plain(POST_ONLY, 405);
  const webhook = await authenticated(request);
  if (webhook instanceof Response) return webhook;
  const { shop, topic, webhookId, payload } = webhook;
  const outcome = await receiveWebhook(services, { shop, topic, webhookId, payload });
  log.info({ shop, topic, webhookId, outcome }, "webhook");
  return new Response(null, { status: 200 });
}

export const loader = () => plain(POST_ONLY, 405);

const POST_ONLY = "Webhooks are sent here with POST";

async function authenticated(request: Request) {
  const shop = request.headers.get("X-Shopify-Shop-Domain");
  if (shop !== null && !isStoreDomain(shop)) return plain("X-Shopify-Shop-Domain names no store", 400);
  try {
    return await authenticateWebhook(request);
  } catch (error) {
    // The body is signed but is no JSON.
    if (error instanceof SyntaxError) return plain("The body is not JSON", 400);
    if (error instanceof Response && error.status === 401) {
      log.warn({ security: "webhook_signature", path: new URL(request.url).pathname }, "refused");
      return plain("The signature does not fit the body", 401);
    }
    if (error instanceof Response && error.status < 500) return plain("A header of Shopify's is missing", error.status);
    throw error;
  }
}

function plain(text: string, status: number): Response {
  return new Response(text, { status, headers: { "Content-Type": "text/plain" } });
}
