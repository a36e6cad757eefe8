import type { TemplateDraft, TemplatePatch } from "../../../domain/records.ts";
import type { Credentials } from "../../../ports.ts";

/** What each operation puts on the wire: method, path and body, without the headers that every request has. Pure. */

export interface WireRequest {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Relative to the base URL, with the interface's version (docs/shipping-interface.md, 9). */
  path: string;
  contentType: "application/json" | "application/x-www-form-urlencoded" | null;
  body: string | null;
}

/** docs/shipping-interface.md, 8: the document neither promises nor refuses more, so we never ask for more. */
const PER_PAGE = 20;

const TEMPLATES = "/api/v1/address_templates";
const OAUTH = "/api/v1/oauth";

/** docs/shipping-interface.md, 4.1. */
export function listRequest(page: number, perPage = PER_PAGE): WireRequest {
  return bare("GET", `${TEMPLATES}?page=${page}&per_page=${perPage}`);
}

/** docs/shipping-interface.md, 4.2. */
export function getRequest(templateId: string): WireRequest {
  return bare("GET", templatePath(templateId));
}

/** docs/shipping-interface.md, 4.3. Absent fields stay absent, null stays null, "" stays "". */
export function createRequest(draft: TemplateDraft): WireRequest {
  return json("POST", TEMPLATES, { address_template: draft });
}

/** docs/shipping-interface.md, 4.4. */
export function updateRequest(templateId: string, patch: TemplatePatch): WireRequest {
  return json("PATCH", templatePath(templateId), { address_template: patch });
}

/** docs/shipping-interface.md, 4.5. */
export function deleteRequest(templateId: string): WireRequest {
  return bare("DELETE", templatePath(templateId));
}

/** docs/shipping-interface.md, 4.6. */
export function verifyRequest(templateId: string, carriers: string[]): WireRequest {
  return json("POST", `${templatePath(templateId)}/verify_by_carriers`, { carriers });
}

/** docs/shipping-interface.md, 4.7: with a refresh token the grant is `refresh_token`, else `client_credentials`. */
export function tokenRequest(credentials: Credentials, refreshToken: string | null): WireRequest {
  const { clientId, clientSecret, scope, redirectUri } = credentials;
  return form(`${OAUTH}/token`, {
    grant_type: refreshToken === null ? "client_credentials" : "refresh_token",
    client_id: clientId,
    client_secret: clientSecret,
    refresh_token: refreshToken,
    redirect_uri: redirectUri,
    scope,
  });
}

export interface TokenInHand {
  clientId: string;
  clientSecret: string;
  token: string;
  hint: "access_token" | "refresh_token";
}

/** docs/shipping-interface.md, 4.8. */
export function revokeRequest(input: TokenInHand): WireRequest {
  return form(`${OAUTH}/revoke`, tokenParameters(input));
}

/** docs/shipping-interface.md, 4.9. */
export function introspectRequest(input: TokenInHand): WireRequest {
  return form(`${OAUTH}/introspect`, tokenParameters(input));
}

function tokenParameters({ clientId, clientSecret, token, hint }: TokenInHand): Record<string, string> {
  return { client_id: clientId, client_secret: clientSecret, token, token_type_hint: hint };
}

function templatePath(templateId: string): string {
  return `${TEMPLATES}/${encodeURIComponent(templateId)}`;
}

function bare(method: "GET" | "DELETE", path: string): WireRequest {
  return { method, path, contentType: null, body: null };
}

function json(method: "POST" | "PATCH", path: string, body: object): WireRequest {
  return { method, path, contentType: "application/json", body: JSON.stringify(body) };
}

/** A parameter that is null is not sent. */
function form(path: string, parameters: Record<string, string | null>): WireRequest {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null) body.append(name, value);
  return { method: "POST", path, contentType: "application/x-www-form-urlencoded", body: body.toString() };
}
