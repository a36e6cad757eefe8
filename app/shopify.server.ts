import { redirect } from "@remix-run/node";
import { services, shopifyApp } from "./services.server.ts";
import { openOnVisit } from "./shop/open-on-visit.ts";
import { ensureWelcomed } from "./shop/welcome-shop.ts";

/**
 * Shopify's package, as routes meet it. `authenticate.admin` first thing in every loader and action of the admin; the shop is
 * `session.shop`, never a parameter. Webhooks only through `authenticateWebhook`.
 */
export const { authenticateWebhook, addDocumentResponseHeaders } = shopifyApp;

const admin: typeof shopifyApp.authenticate.admin = async (request) => {
  const context = await shopifyApp.authenticate.admin(request).catch(leaveBadAddress);
  const { shop } = context.session;
  await openOnVisit(services, { shop, newSession: () => shopifyApp.newSession({ shop, request }) });
  await ensureWelcomed(services, { shop });
  return context;
};

/** Of an address that no admin makes (`host` is no host, the way out of the frame is not the admin) the package throws plain errors. */
function leaveBadAddress(thrown: unknown): never {
  const noUrl = thrown instanceof TypeError && "code" in thrown && thrown.code === "ERR_INVALID_URL";
  if (noUrl || (thrown instanceof Error && thrown.message.startsWith("Invalid exit-iframe")))
    throw redirect("/auth/login");
  throw thrown;
}

export const authenticate = { ...shopifyApp.authenticate, admin };
