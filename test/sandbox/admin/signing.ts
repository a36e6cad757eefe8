import { createHmac, randomUUID } from "node:crypto";
import type { AdminState, ShopState } from "./state.ts";

/** Shopify's session tokens live for a minute. */
const SESSION_TOKEN_LIFETIME_SECONDS = 60;

export interface SessionTokenOptions {
  /** Seconds from now to the token's end; negative for one that has expired. */
  lifetimeSeconds?: number;
  /** Overrides claims, to make tokens an attacker or another app would send. */
  claims?: Record<string, unknown>;
}

/** A session token (JWT, HS256 by the app's secret) for the store's owner, as App Bridge hands it out. */
export function sessionToken(state: AdminState, shop: ShopState, options: SessionTokenOptions = {}): string {
  const { apiKey, apiSecret } = state.credentials;
  const lifetime = options.lifetimeSeconds ?? SESSION_TOKEN_LIFETIME_SECONDS;
  const expiresAt = Math.floor(Date.now() / 1000) + lifetime;
  const issuedAt = expiresAt - SESSION_TOKEN_LIFETIME_SECONDS;
  const body = encode({
    iss: `https://${shop.domain}/admin`,
    dest: `https://${shop.domain}`,
    aud: apiKey,
    sub: String(shop.id + 7),
    exp: expiresAt,
    nbf: issuedAt,
    iat: issuedAt,
    jti: randomUUID(),
    sid: randomUUID(),
    ...options.claims,
  });
  const head = encode({ alg: "HS256", typ: "JWT" });
  return `${head}.${body}.${hmac(apiSecret, `${head}.${body}`, "base64url")}`;
}

export type TokenCheck = { ok: true; shop: string } | { ok: false; reason: string };

/** What Shopify itself checks of a session token that comes back to it in a token exchange: no tolerance, its own store. */
export function checkSessionToken(state: AdminState, shop: ShopState, token: string): TokenCheck {
  const [head, body, signature] = token.split(".");
  if (!head || !body || !signature) return { ok: false, reason: "malformed" };
  if (hmac(state.credentials.apiSecret, `${head}.${body}`, "base64url") !== signature)
    return { ok: false, reason: "signature" };
  const claims = JSON.parse(Buffer.from(body, "base64url").toString("utf8")) as Record<string, unknown>;
  const now = Date.now() / 1000;
  if (claims.aud !== state.credentials.apiKey) return { ok: false, reason: "audience" };
  if (claims.dest !== `https://${shop.domain}`) return { ok: false, reason: "destination" };
  if (typeof claims.exp !== "number" || claims.exp <= now) return { ok: false, reason: "expired" };
  if (typeof claims.nbf !== "number" || claims.nbf > now + 1) return { ok: false, reason: "not yet valid" };
  return { ok: true, shop: shop.domain };
}

/** The base64 `host` parameter: where in the admin the app is embedded. */
function hostParameter(shop: ShopState): string {
  return Buffer.from(`admin.shopify.com/store/${shop.handle}`).toString("base64");
}

/** The query of a document request into the frame, signed over all its other parameters. */
export function embeddedQuery(state: AdminState, shop: ShopState, locale: string): URLSearchParams {
  const query = new URLSearchParams({
    embedded: "1",
    host: hostParameter(shop),
    id_token: sessionToken(state, shop),
    locale,
    session: createHmac("sha256", "session").update(shop.domain).digest("hex"),
    shop: shop.domain,
    timestamp: String(Math.floor(Date.now() / 1000)),
  });
  query.sort();
  const signed = [...query].map(([key, value]) => `${key}=${value}`).join("&");
  query.set("hmac", hmac(state.credentials.apiSecret, signed, "hex"));
  return query;
}

export function webhookSignature(state: AdminState, rawBody: string): string {
  return hmac(state.credentials.apiSecret, rawBody, "base64");
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function hmac(secret: string, text: string, encoding: "hex" | "base64" | "base64url"): string {
  return createHmac("sha256", secret).update(text, "utf8").digest(encoding);
}
