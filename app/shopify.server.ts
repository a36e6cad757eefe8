import { redirect } from "@remix-run/node";
import { createShopShares } from "./http/shop-shares.ts";
import type { Refused } from "./http/shop-shares.ts";
import { LIMIT_HEADER } from "./http/too-many.ts";
import { isAdminAddress } from "./http/admin-address.ts";
import { config, log, services, shopifyApp } from "./services.server.ts";
import type { Services } from "./ports.ts";
import { openOnVisit } from "./shop/open-on-visit.ts";
import { ensureWelcomed } from "./shop/welcome-shop.ts";

/**
 * Shopify's package, as routes meet it. `authenticate.admin` first thing in every loader and action of the admin; the shop is
 * `session.shop`, never a parameter. Webhooks do not come here (`http/webhook-route.ts`).
 */
export const { addDocumentResponseHeaders } = shopifyApp;

const shares = createShopShares(services.clock, {
  formsASecond: config.FORMS_A_SECOND,
  pagesASecond: config.PAGES_A_SECOND,
  storedADay: config.STORED_MB_A_DAY * 1_000_000,
});

/** The admin's context, with the services of whoever asks: what they have noted is noted as theirs. */
const admin = async (request: Request) => {
  await refuseForeign(request);
  const context = await shopifyApp.authenticate.admin(request);
  const { shop } = context.session;
  const asking: Asking = { request, shop, cors: context.cors };
  refuse(asking, shares.take(shop, request));
  await openOnVisit(services, { shop, newSession: () => shopifyApp.newSession({ shop, request }) });
  await ensureWelcomed(services, { shop });
  return {
    session: context.session,
    cors: context.cors,
    /** To another page of the app, within the admin. */
    redirect: context.redirect,
    services: asked(context.sessionToken?.sub ?? null),
    /** Before rows are stored that the form's own length does not tell. @throws a 429 where the shop has stored its share. */
    spend: (bytes: number) => refuse(asking, shares.store(shop, bytes)),
  };
};

/** What an answer runs of the shop's work by itself may be another person's, so it is noted without a name. */
function asked(staffId: string | null): Services {
  return { ...services, staffId, runWorkItem: (_theirs, claimed) => services.runWorkItem(services, claimed) };
}

interface Asking {
  request: Request;
  shop: string;
  cors: (answer: Response) => Response;
}

/** @throws a 429 for what is more than a shop's share. The extensions' code may read it, too. */
function refuse({ request, shop, cors }: Asking, refused: Refused | null): void {
  if (refused === null) return;
  const { limit, waitS } = refused;
  log.warn({ shop, path: new URL(request.url).pathname, limit }, "refused");
  throw cors(new Response(null, { status: 429, headers: { "Retry-After": String(waitS), [LIMIT_HEADER]: limit } }));
}

/**
 * Refuses, before the package sees it, an address that no admin makes, and a session token of another issuer or for another shop than the
 * address names. Whatever else is wrong with a token the package refuses itself; here it is only told.
 */
async function refuseForeign(request: Request): Promise<void> {
  const address = new URL(request.url);
  const leave = (status: number) => {
    const isDocument = request.headers.get("Authorization") === null;
    return isDocument ? redirect("/auth/login") : new Response(null, { status });
  };
  if (!isAdminAddress(address, { appUrl: config.SHOPIFY_APP_URL })) throw leave(400);
  const why = await shopifyApp.tokenFault(request);
  if (why === null) return;
  // A tab that is opened again brings the token that it was opened with.
  if (why === "expired") log.info({ security: "session_token", why, path: address.pathname }, "refused");
  else log.warn({ security: "session_token", why, path: address.pathname }, "refused");
  if (why === "issuer" || why === "another_shop") throw leave(401);
}

export const authenticate = { ...shopifyApp.authenticate, admin };
