import { asRecord, parseJson } from "./json.ts";

/**
 * Who refused a token request, and why. Only the service's own word closes a connection, so the answer of a proxy, a gateway or a login
 * page must not be taken for the service's. Pure.
 */
export type TokenRefusal =
  /** The service does not know this client id with this secret (docs/shipping-interface.md, 7), or one of them is missing. */
  | "invalid_client"
  /** The service refuses the request for another reason: a scope, a redirect URI, a refresh token. */
  | "refused"
  /** The answer does not have the form that the interface gives for the service's answers. */
  | "not_the_service";

/** Token errors that do not mean "invalid credentials", whatever their status (RFC 6749, RFC 6750). */
const ABOUT_SOMETHING_ELSE = new Set([
  "access_denied",
  "insufficient_scope",
  "invalid_grant",
  "invalid_request",
  "invalid_scope",
  "invalid_token",
  "server_error",
  "temporarily_unavailable",
  "unsupported_grant_type",
]);

/** Reads an answer to operation 4.7 that is no success. */
export function readTokenRefusal(
  { status, body }: { status: number; body: string },
  sent: { clientId: string; clientSecret: string },
): TokenRefusal {
  const answer = asRecord(parseJson(body));
  const code = tokenError(answer);
  if (code === null) {
    // Some other form of "this request is wrong"; it tells nothing about the credentials.
    return answer !== null && (status === 400 || status === 422) ? "refused" : "not_the_service";
  }
  if (code === "invalid_client") return "invalid_client";
  // docs/shipping-interface.md, 7: 401 means invalid credentials, 400 missing ones. The interface names no code for either, so a token
  // error's status decides.
  if (status === 401 && !ABOUT_SOMETHING_ELSE.has(code)) return "invalid_client";
  if (status === 400 && (sent.clientId === "" || sent.clientSecret === "")) return "invalid_client";
  return "refused";
}

/** True for the service's own "invalid credentials" to an operation whose errors the interface does not show (4.9). */
export function saysInvalidClient(answer: { status: number; body: string }): boolean {
  return readTokenRefusal(answer, { clientId: "-", clientSecret: "-" }) === "invalid_client";
}

/** The code of a token error (docs/shipping-interface.md, 2.6), which has both members; null for anything else. */
function tokenError(answer: Record<string, unknown> | null): string | null {
  const { error, error_description: description } = answer ?? {};
  if (typeof error !== "string" || error === "" || typeof description !== "string" || description === "") return null;
  return error.toLowerCase();
}
