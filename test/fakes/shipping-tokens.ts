import type { WireAnswer } from "../../app/adapters/shipping/network.ts";

/** The service's tokens: without settings they live for two hours, are never refused, and no secret is wrong. */
export interface FakeTokens {
  /** docs/shipping-interface.md, 4.7 and 7. */
  grant(asked: TokenQuestion, nowMs: number): WireAnswer;
  /** Whether a resource may be read with it. */
  holds(accessToken: string, nowMs: number): boolean;
  revoke(token: string): void;
  /** Ends every access token that is out; refresh tokens stay good. */
  expireAll(): void;
}

export interface TokenQuestion {
  environment: string;
  clientId: string;
  secret: string;
  /** Null asks with the client's credentials. */
  refreshToken: string | null;
}

export interface FakeTokenOptions {
  livesSeconds?: () => number;
  /** Whether a refresh token comes along. */
  refreshes?: boolean;
  knows?: (asked: TokenQuestion) => boolean;
  /** Tokens that have ended are refused; otherwise the client's own clock is all that ends them. */
  enforced?: boolean;
  /** `expires_in` comes as text. */
  textNumbers?: boolean;
}

const INVALID_CLIENT = { error: "invalid_client", error_description: "Las credenciales del cliente no son válidas." };
const INVALID_GRANT = { error: "invalid_grant", error_description: "El token de actualización no es válido." };

export function createFakeTokens(options: FakeTokenOptions = {}): FakeTokens {
  const { livesSeconds = () => 7_200, refreshes = false, knows = () => true, enforced = false, textNumbers } = options;
  const ends = new Map<string, number>();
  const refreshTokens = new Set<string>();
  let issued = 0;

  const issue = ({ clientId, secret }: TokenQuestion, nowMs: number): WireAnswer => {
    issued += 1;
    const seconds = livesSeconds();
    const name = `${clientId}#${readerOf(secret)}#${issued}`;
    const accessToken = `token-of-${name}`;
    ends.set(accessToken, nowMs + seconds * 1_000);
    const refresh = refreshes ? { refresh_token: `refresh-of-${name}` } : {};
    if (refreshes) refreshTokens.add(`refresh-of-${name}`);
    return said(200, {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: textNumbers ? String(seconds) : seconds,
      scope: "default",
      ...refresh,
    });
  };

  return {
    grant(asked, nowMs) {
      if (!knows(asked)) return said(401, INVALID_CLIENT);
      if (asked.refreshToken === null) return issue(asked, nowMs);
      return refreshTokens.delete(asked.refreshToken) ? issue(asked, nowMs) : said(401, INVALID_GRANT);
    },
    holds: (accessToken, nowMs) => !enforced || (ends.get(accessToken) ?? 0) > nowMs,
    revoke(token) {
      ends.delete(token);
      refreshTokens.delete(token);
    },
    expireAll: () => ends.clear(),
  };
}

function said(status: number, body: object): WireAnswer {
  return { status, headers: {}, body: JSON.stringify(body), cutShort: null };
}

/** Two shops may share a client id; who of them asks is told by the first word of the secret, which a new secret keeps. */
export function secretOf(reader: string, nth: number): string {
  return `${reader} ${nth}`;
}

export function readerOf(secret: string): string {
  return secret.split(" ")[0]!;
}
