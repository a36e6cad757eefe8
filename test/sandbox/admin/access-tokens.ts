// POST /admin/oauth/access_token: token exchange and refresh, as expiring offline tokens work at Shopify.
import { randomBytes } from "node:crypto";
import { checkSessionToken } from "./signing.ts";
import { grantedScopes } from "./state.ts";
import type { AdminState, ShopState } from "./state.ts";

const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const OFFLINE = "urn:shopify:params:oauth:token-type:offline-access-token";
const REFRESH_LIFETIME_SECONDS = 90 * 24 * 3600;

interface AccessToken {
  shop: string;
  installationId: string;
  expiresAtMs: number;
}

interface RefreshToken extends AccessToken {
  accessToken: string;
  /** The token that this one replaced. It stays valid until this one is used. */
  replaces: string | null;
}

export interface TokenAnswer {
  status: number;
  body: Record<string, unknown>;
}

export class AccessTokens {
  private readonly access = new Map<string, AccessToken>();
  private readonly refresh = new Map<string, RefreshToken>();
  private readonly state: AdminState;
  /** Seconds an access token lives; Shopify's hour unless a test needs it shorter. */
  lifetimeSeconds = 3600;
  issued = 0;

  constructor(state: AdminState) {
    this.state = state;
  }

  /** Answers one request to the token endpoint of a store. */
  answer(shop: ShopState, request: Record<string, unknown>): TokenAnswer {
    const { apiKey, apiSecret } = this.state.credentials;
    if (request.client_id !== apiKey || request.client_secret !== apiSecret) {
      return refusal(401, "invalid_client", "The client credentials are not those of the app.");
    }
    if (request.grant_type === "refresh_token") return this.renew(shop, String(request.refresh_token ?? ""));
    if (!shop.installation)
      return refusal(400, "application_cannot_be_found", "The app is not installed on this shop.");
    if (request.grant_type === TOKEN_EXCHANGE) return this.exchange(shop, request);
    return refusal(400, "unsupported_grant_type", "This grant type is not offered.");
  }

  /** Whether the token may call the Admin API of this store now. */
  isValid(shop: ShopState, token: string | undefined): boolean {
    const known = token === undefined ? undefined : this.access.get(token);
    return known !== undefined && this.belongs(shop, known) && known.expiresAtMs > Date.now();
  }

  /** Makes every access token of a store expire at once; refresh tokens stay good. */
  expireAll(shop: ShopState): void {
    for (const token of this.access.values()) if (token.shop === shop.domain) token.expiresAtMs = 0;
  }

  private exchange(shop: ShopState, request: Record<string, unknown>): TokenAnswer {
    if (request.subject_token_type !== "urn:ietf:params:oauth:token-type:id_token") {
      return refusal(400, "invalid_request", "subject_token_type must be an id token.");
    }
    if (request.requested_token_type !== OFFLINE) {
      return refusal(400, "invalid_request", "The sandbox issues offline tokens only.");
    }
    if (request.expiring !== "1")
      return refusal(400, "invalid_request", "A public app must ask for expiring offline tokens.");
    const check = checkSessionToken(this.state, shop, String(request.subject_token ?? ""));
    if (!check.ok) return refusal(400, "invalid_subject_token", `The session token was refused: ${check.reason}.`);
    return this.issue(shop, null);
  }

  private renew(shop: ShopState, presented: string): TokenAnswer {
    const token = this.refresh.get(presented);
    if (!token || !this.belongs(shop, token) || token.expiresAtMs <= Date.now()) {
      return refusal(400, "invalid_grant", "The refresh token is unknown, expired or was replaced.");
    }
    if (token.replaces) this.refresh.delete(token.replaces);
    token.replaces = null;
    this.access.delete(token.accessToken);
    return this.issue(shop, presented);
  }

  private issue(shop: ShopState, replaces: string | null): TokenAnswer {
    const accessToken = `shpat_${randomBytes(16).toString("hex")}`;
    const refreshToken = `shprt_${randomBytes(16).toString("hex")}`;
    const owner = { shop: shop.domain, installationId: shop.installation?.id ?? "" };
    this.access.set(accessToken, { ...owner, expiresAtMs: Date.now() + this.lifetimeSeconds * 1000 });
    const refreshUntilMs = Date.now() + REFRESH_LIFETIME_SECONDS * 1000;
    this.refresh.set(refreshToken, { ...owner, accessToken, replaces, expiresAtMs: refreshUntilMs });
    this.issued += 1;
    return {
      status: 200,
      body: {
        access_token: accessToken,
        scope: grantedScopes(this.state, shop).join(","),
        expires_in: this.lifetimeSeconds,
        refresh_token: refreshToken,
        refresh_token_expires_in: REFRESH_LIFETIME_SECONDS,
      },
    };
  }

  /** A token ends with its installation; a reinstall does not revive it. */
  private belongs(shop: ShopState, token: AccessToken): boolean {
    return token.shop === shop.domain && token.installationId === shop.installation?.id;
  }
}

function refusal(status: number, error: string, description: string): TokenAnswer {
  return { status, body: { error, error_description: description } };
}
