import type { Introspection, IssuedToken } from "../../../ports.ts";
import { asBoolean, asNumber, asRecord, asText, parseJson } from "./json.ts";

/** Answers of the token operations (docs/shipping-interface.md, 2.5 and 4.9). Null means unreadable. Pure. */

/** The longest that a token is kept, whatever expiry it has. Renewing early costs one request. */
const LONGEST_LIFE_S = 30 * 24 * 3_600;

/** Ignores `created_at`, because the service's clock may be wrong. Our time at the request's start errs on the safe side. */
export function readToken(body: string, startedAtMs: number): IssuedToken | null {
  const answer = asRecord(parseJson(body));
  const accessToken = answer?.["access_token"];
  const expiresIn = asNumber(answer?.["expires_in"]);
  if (!answer || typeof accessToken !== "string" || !isHeaderSafe(accessToken)) return null;
  if (expiresIn === null || expiresIn <= 0) return null;
  const refreshToken = answer["refresh_token"];
  return {
    accessToken,
    refreshToken: typeof refreshToken === "string" && refreshToken !== "" ? refreshToken : null,
    scope: asText(answer["scope"]),
    obtainedAtMs: startedAtMs,
    expiresAtMs: startedAtMs + Math.floor(Math.min(expiresIn, LONGEST_LIFE_S) * 1_000),
  };
}

/** Every field but `active` is optional. `exp` is in seconds since the epoch. */
export function readIntrospection(body: string): Omit<Introspection, "requestId"> | null {
  const answer = asRecord(parseJson(body));
  const active = asBoolean(answer?.["active"]);
  if (!answer || active === null) return null;
  const expires = asNumber(answer["exp"]);
  return {
    active,
    scope: asText(answer["scope"]),
    expiresAtMs: expires === null ? null : Math.round(expires * 1_000),
  };
}

/** A token goes into a header, where anything but visible ASCII would fail every later request. */
function isHeaderSafe(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}
