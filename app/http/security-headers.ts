import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { NextFunction, Request, Response } from "express";
import helmet from "helmet";
import { isStoreDomain } from "../domain/store-domain.ts";

const SHOPIFY_CDN = "https://cdn.shopify.com";
/** Where App Bridge reports to. */
const SHOPIFY_REPORTS = "https://*.shopifysvc.com";
const YEAR_SECONDS = 31_536_000;

export interface SecurityHeaderOptions {
  appBridgeUrl: string;
  /** Whether the domains below the app's own are reached over HTTPS only, too. */
  hstsSubdomains: boolean;
}

/**
 * Headers of every answer. The policy is set here alone, also for what Shopify's package answers, because two policies would both apply.
 *
 * Scripts run from us, from where App Bridge is served, and with the answer's nonce. Styles may stand inline: Polaris and App Bridge write
 * style attributes. The shop that the address names and the admin may frame a page; of an address without a shop, nobody.
 */
export function securityHeaders({ appBridgeUrl, hstsSubdomains }: SecurityHeaderOptions) {
  const appBridge = new URL(appBridgeUrl).origin;
  const fromShopify = appBridge === SHOPIFY_CDN ? [SHOPIFY_CDN] : [];
  const headers = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        "default-src": ["'self'"],
        "script-src": ["'self'", appBridge, (_request, response) => `'nonce-${nonceOf(response)}'`],
        "style-src": ["'self'", "'unsafe-inline'", ...fromShopify],
        "font-src": ["'self'", ...fromShopify],
        "img-src": ["'self'", "data:", ...fromShopify],
        "connect-src": ["'self'", ...fromShopify, ...(fromShopify.length > 0 ? [SHOPIFY_REPORTS] : [])],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "object-src": ["'none'"],
        "frame-ancestors": [(request) => framersOf(request)],
      },
    },
    // `no-referrer` would make the browser send `Origin: null` with a form.
    referrerPolicy: { policy: "same-origin" },
    strictTransportSecurity: { maxAge: YEAR_SECONDS, includeSubDomains: hstsSubdomains },
    // It knows no single framer, as the policy does, and would forbid the admin.
    xFrameOptions: false,
  });
  return (request: Request, response: Response, next: NextFunction): void => {
    response.locals.nonce = randomBytes(16).toString("base64");
    headers(request, response, next as (error?: unknown) => void);
  };
}

/** What the inline scripts of this answer carry, so that no other runs. */
export function nonceOf(response: ServerResponse): string {
  return (response as Response).locals.nonce as string;
}

function framersOf({ url = "/" }: IncomingMessage): string {
  const asked = url.includes("?") ? new URLSearchParams(url.slice(url.indexOf("?"))).getAll("shop") : [];
  const [shop] = asked;
  return asked.length === 1 && isStoreDomain(shop)
    ? `https://${shop.toLowerCase()} https://admin.shopify.com`
    : "'none'";
}
