import type { SessionParams } from "@shopify/shopify-api";
import type { Clock } from "../../app/ports.ts";

/** Expiring offline tokens, as Shopify gives them. A token ends with the installation that it was made for. */
export interface OfflineTokens {
  issue(shop: string): SessionParams;
  /** The answer to a refresh; null when the token is not valid. */
  renew(shop: string, refreshToken: string): object | null;
  admits(shop: string, accessToken: string): boolean;
  /** The installation ended. */
  end(shop: string): void;
}

interface Access {
  shop: string;
  expiresAtMs: number;
}

interface Refresh {
  shop: string;
  accessToken: string;
  /** The refresh token that this one replaced. It stays valid until this one is used, because the answer may have been lost. */
  replaces: string | null;
}

const REFRESH_LIFE_SECONDS = 90 * 24 * 3_600;

export function createOfflineTokens({
  clock,
  newId,
  livesSeconds,
}: {
  clock: Pick<Clock, "nowMs">;
  newId: () => string;
  livesSeconds: number;
}): OfflineTokens {
  const accesses = new Map<string, Access>();
  const refreshes = new Map<string, Refresh>();

  const make = (shop: string, replaces: string | null) => {
    const id = newId();
    const [accessToken, refreshToken] = [`shpat_${id}`, `shprt_${id}`];
    accesses.set(accessToken, { shop, expiresAtMs: clock.nowMs() + livesSeconds * 1_000 });
    refreshes.set(refreshToken, { shop, accessToken, replaces });
    return { accessToken, refreshToken };
  };

  return {
    issue(shop) {
      const { accessToken, refreshToken } = make(shop, null);
      const inSeconds = (seconds: number) => new Date(clock.nowMs() + seconds * 1_000);
      return {
        id: `offline_${shop}`,
        shop,
        state: "",
        isOnline: false,
        accessToken,
        expires: inSeconds(livesSeconds),
        refreshToken,
        refreshTokenExpires: inSeconds(REFRESH_LIFE_SECONDS),
        scope: "read_locations",
      };
    },
    renew(shop, presented) {
      const known = refreshes.get(presented);
      if (known?.shop !== shop) return null;
      if (known.replaces !== null) refreshes.delete(known.replaces);
      accesses.delete(known.accessToken);
      const { accessToken, refreshToken } = make(shop, presented);
      return {
        access_token: accessToken,
        scope: "read_locations",
        expires_in: livesSeconds,
        refresh_token: refreshToken,
        refresh_token_expires_in: REFRESH_LIFE_SECONDS,
      };
    },
    admits(shop, accessToken) {
      const known = accesses.get(accessToken);
      return known?.shop === shop && known.expiresAtMs > clock.nowMs();
    },
    end(shop) {
      for (const kept of [accesses, refreshes])
        for (const [token, owner] of kept as Map<string, { shop: string }>) if (owner.shop === shop) kept.delete(token);
    },
  };
}
