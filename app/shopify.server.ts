import { shopifyApp } from "./services.server.ts";

/**
 * Shopify's package, as routes meet it. `authenticate.admin` first thing in every loader and action of the admin; the shop is
 * `session.shop`, never a parameter. Webhooks only through `authenticateWebhook`.
 */
export const { authenticate, authenticateWebhook, addDocumentResponseHeaders } = shopifyApp;
