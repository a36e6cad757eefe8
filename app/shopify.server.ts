import { redirect } from "@remix-run/node";
import { createFairShare, shareOf } from "./http/fair-share.ts";
import { isAdminAddress } from "./http/admin-address.ts";
import { config, log, services, shopifyApp } from "./services.server.ts";
import { openOnVisit } from "./shop/open-on-visit.ts";
import { ensureWelcomed } from "./shop/welcome-shop.ts";

/**
 * Shopify's package, as routes meet it. `authenticate.admin` first thing in every loader and action of the admin; the shop is
 * `session.shop`, never a parameter. Webhooks only through `authenticateWebhook`.
 */
export const { authenticateWebhook, addDocumentResponseHeaders } = shopifyApp;

const share = createFairShare(services.clock, shareOf(config.FORMS_A_SECOND));

const admin: typeof shopifyApp.authenticate.admin = async (request) => {
  refuseForeign(request);
  const context = await shopifyApp.authenticate.admin(request);
  const { shop } = context.session;
  if (request.method === "POST") refuseTooMany(request, { shop, cors: context.cors });
  await openOnVisit(services, { shop, newSession: () => shopifyApp.newSession({ shop, request }) });
  await ensureWelcomed(services, { shop });
  return context;
};

/** @throws a 429 for more forms than a shop's share. The extensions' code may read it, too. */
function refuseTooMany(request: Request, { shop, cors }: { shop: string; cors: (answer: Response) => Response }): void {
  const waitS = share.take(shop, request.signal);
  if (waitS === null) return;
  log.warn({ shop, path: new URL(request.url).pathname, limit: "forms" }, "refused");
  throw cors(new Response(null, { status: 429, headers: { "Retry-After": String(waitS) } }));
}

/**
 * Refuses, before the package sees it, an address that no admin makes, and a session token of another issuer or for another shop than the
 * address names. Whatever else is wrong with a token the package refuses itself; here it is only told.
 */
function refuseForeign(request: Request): void {
  const address = new URL(request.url);
  const leave = (status: number) => {
    const isDocument = request.headers.get("Authorization") === null;
    return isDocument ? redirect("/auth/login") : new Response(null, { status });
  };
  if (!isAdminAddress(address, { appUrl: config.SHOPIFY_APP_URL })) throw leave(400);
  const why = shopifyApp.tokenFault(request);
  if (why === null) return;
  // A tab that is opened again brings the token that it was opened with.
  if (why === "expired") log.info({ security: "session_token", why, path: address.pathname }, "refused");
  else log.warn({ security: "session_token", why, path: address.pathname }, "refused");
  if (why === "issuer" || why === "another_shop") throw leave(401);
}

export const authenticate = { ...shopifyApp.authenticate, admin };
