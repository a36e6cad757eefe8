import type { WireAnswer } from "../../../app/adapters/shipping/network.ts";

/** The service's tokens. Without settings they live for two hours and are never refused, and every secret is right. */
export interface FakeTokens {
  /** docs/shipping-interface.md, 4.7 and 7. */
  grant(asked: TokenQuestion, nowMs: number): WireAnswer;
  /** Whether the token opens resources now. */
  holds(accessToken: string, nowMs: number): boolean;
  /** docs/shipping-interface.md, 4.8. */
  revoke(token: string, asked: Asking): WireAnswer;
  /** docs/shipping-interface.md, 4.9: another client's token is reported as inactive, like an expired one. */
  introspect(token: string, asked: Asking, nowMs: number): WireAnswer;
  /** Expires every access token that was given; refresh tokens stay valid. */
  expireAll(): void;
}

/** The client that asks. */
export interface Asking {
  environment: string;
  clientId: string;
  secret: string;
}

export interface TokenQuestion extends Asking {
  grantType: string;
  /** Null: the request has the client's credentials only. */
  refreshToken: string | null;
}

export interface FakeTokenOptions {
  livesSeconds?: () => number;
  /** Whether a refresh token is given, too. */
  refreshes?: boolean;
  knows?: (asked: Asking) => boolean;
  /** Whether expired tokens are refused; otherwise a token ends only by its client's own clock. */
  enforced?: boolean;
  /** `expires_in` comes as text. */
  textNumbers?: boolean;
}

const INVALID_CLIENT = { error: "invalid_client", error_description: "Las credenciales del cliente no son válidas." };
const INVALID_REQUEST = { error: "invalid_request", error_description: "Faltan credenciales en la solicitud." };
const UNSUPPORTED_GRANT = {
  error: "unsupported_grant_type",
  error_description: "No se admite este tipo de concesión.",
};
const UNAUTHORIZED_CLIENT = { error: "unauthorized_client", error_description: "El cliente no está autorizado." };
const INVALID_GRANT = { error: "invalid_grant", error_description: "El token de actualización no es válido." };

export function createFakeTokens(options: FakeTokenOptions = {}): FakeTokens {
  const { livesSeconds = () => 7_200, refreshes = false, knows = () => true, enforced = false, textNumbers } = options;
  const ends = new Map<string, number>();
  const refreshTokens = new Set<string>();
  /** The environment and the client of every token that was ever given. */
  const owners = new Map<string, string>();
  let issued = 0;

  const isOwn = (token: string, asked: Asking) => owners.get(token) === ownerOf(asked);

  const issue = (asked: TokenQuestion, nowMs: number): WireAnswer => {
    const { clientId, secret } = asked;
    issued += 1;
    const seconds = livesSeconds();
    const name = `${clientId}#${readerOf(secret)}#${issued}`;
    const accessToken = `token-of-${name}`;
    ends.set(accessToken, nowMs + seconds * 1_000);
    const refresh = refreshes ? { refresh_token: `refresh-of-${name}` } : {};
    for (const token of [accessToken, `refresh-of-${name}`]) owners.set(token, ownerOf(asked));
    if (refreshes) refreshTokens.add(`refresh-of-${name}`);
    return said(200, {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: textNumbers ? String(seconds) : seconds,
      scope: "default",
      created_at: Math.floor(nowMs / 1_000),
      ...refresh,
    });
  };

  return {
    grant(asked, nowMs) {
      const { clientId, secret, grantType, refreshToken } = asked;
      if (!clientId || !secret) return said(400, INVALID_REQUEST);
      if (!knows(asked)) return said(401, INVALID_CLIENT);
      if (grantType === "client_credentials") return issue(asked, nowMs);
      if (grantType !== "refresh_token") return said(400, UNSUPPORTED_GRANT);
      const isGood = refreshToken !== null && isOwn(refreshToken, asked) && refreshTokens.delete(refreshToken);
      return isGood ? issue(asked, nowMs) : said(401, INVALID_GRANT);
    },
    holds: (accessToken, nowMs) => !enforced || (ends.get(accessToken) ?? 0) > nowMs,
    revoke(token, asked) {
      if (!knows(asked) || (owners.has(token) && !isOwn(token, asked))) return said(403, UNAUTHORIZED_CLIENT);
      ends.delete(token);
      refreshTokens.delete(token);
      return said(200, {});
    },
    introspect(token, asked, nowMs) {
      if (!knows(asked)) return said(401, INVALID_CLIENT);
      const endsAtMs = isOwn(token, asked) ? (ends.get(token) ?? 0) : 0;
      if (endsAtMs <= nowMs) return said(200, { active: false });
      const exp = Math.floor(endsAtMs / 1_000);
      return said(200, { active: true, scope: "default", client_id: asked.clientId, token_type: "Bearer", exp });
    },
    expireAll: () => ends.clear(),
  };
}

function said(status: number, body: object): WireAnswer {
  return { status, headers: {}, body: JSON.stringify(body), cutShort: null };
}

function ownerOf({ environment, clientId }: Asking): string {
  return `${environment} ${clientId}`;
}

/**
 * The secret of a shop. Two shops may share a client id, so the secret's first word tells which of them asks; a new secret keeps that word.
 */
export function secretOf(reader: string, nth: number): string {
  return `${reader} ${nth}`;
}

export function readerOf(secret: string): string {
  return secret.split(" ")[0]!;
}
