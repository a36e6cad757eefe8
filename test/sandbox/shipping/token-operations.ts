/** The three token operations (docs/shipping-interface.md, 4.7 to 4.9). */
import type { Environment } from "./routing.ts";
import type { Reply } from "./replies.ts";
import { json, tokenError } from "./replies.ts";
import { notFound } from "./template-replies.ts";
import type { Client, Token } from "./tokens.ts";
import { isActive } from "./tokens.ts";
import type { World } from "./world.ts";

export type Parameters = Record<string, string>;

/** Parameters of a form-urlencoded or JSON body; null when it is neither. */
export function readParameters(contentType: string, body: string): Parameters | null {
  const type = contentType.split(";")[0]!.trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded") return Object.fromEntries(new URLSearchParams(body));
  if (type !== "application/json") return null;
  try {
    const parsed: unknown = JSON.parse(body);
    if (!parsed || typeof parsed !== "object" || Array.isArray(parsed)) return null;
    return Object.fromEntries(
      Object.entries(parsed).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    );
  } catch {
    return null;
  }
}

export interface TokenCall {
  environment: Environment;
  parameters: Parameters | null;
}

/** 4.7 */
export function obtainToken(world: World, { environment, parameters }: TokenCall): Reply {
  if (!parameters?.client_id || !parameters.client_secret) return tokenError(400, "invalid_request");
  const client = authenticated(world, environment, parameters);
  if (!client) return tokenError(401, "invalid_client");
  const { grant_type: grant, redirect_uri: redirectUri, scope, refresh_token: refreshValue } = parameters;
  if (!grant) return tokenError(400, "invalid_request");
  if (redirectUri && redirectUri !== client.redirectUri) return tokenError(400, "invalid_redirect_uri");
  const words = scope?.split(/\s+/).filter(Boolean) ?? [];
  if (words.some((word) => !client.scopes.includes(word))) return tokenError(400, "invalid_scope");
  if (grant === "client_credentials") return issue(world, client, words.join(" ") || "default");
  if (grant !== "refresh_token") return tokenError(400, "unsupported_grant_type");
  const refresh = refreshValue ? world.tokens.find(environment, refreshValue) : undefined;
  if (
    !refresh ||
    refresh.kind !== "refresh_token" ||
    refresh.clientKey !== client.key ||
    !isActive(refresh, world.nowMs())
  ) {
    return tokenError(400, "invalid_grant");
  }
  if (world.behaviour.refreshWorks === "once") refresh.revoked = true;
  return issue(world, client, words.join(" ") || refresh.scope);
}

function issue(world: World, client: Client, scope: string): Reply {
  const { access, refresh } = world.tokens.issue(client, { scope, nowMs: world.nowMs() });
  world.changed();
  const body: Record<string, unknown> = {
    access_token: access.value,
    token_type: "Bearer",
    expires_in: world.behaviour.tokenLifetimeSeconds,
    scope,
    created_at: Math.floor(access.issuedAtMs / 1000) + world.behaviour.createdAtSkewSeconds,
  };
  if (refresh) body.refresh_token = refresh.value;
  return {
    ...json(200, body),
    headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
  };
}

/** 4.8: a token nobody knows is revoked already. */
export function revokeToken(world: World, { environment, parameters }: TokenCall): Reply {
  const client = parameters && authenticated(world, environment, parameters);
  if (!client) return tokenError(403, "unauthorized_client");
  const token = parameters.token ? world.tokens.find(environment, parameters.token) : undefined;
  if (token && token.clientKey !== client.key) return tokenError(403, "unauthorized_client");
  if (world.behaviour.revoke === "forbidden") return tokenError(403, "unauthorized_client");
  if (token && world.behaviour.revoke === "ends") token.revoked = true;
  world.changed();
  return json(200, {});
}

/** 4.9, answered as seen in the field: an inactive or foreign token is `{active: false}` and nothing more. */
export function introspectToken(world: World, { environment, parameters }: TokenCall): Reply {
  if (!parameters?.client_id || !parameters.client_secret) return tokenError(400, "invalid_request");
  const client = authenticated(world, environment, parameters);
  if (!client) return tokenError(401, "invalid_client");
  if (world.behaviour.introspect === "absent") return notFound(world);
  const token = parameters.token ? world.tokens.find(environment, parameters.token) : undefined;
  if (!token || token.clientKey !== client.key || !isActive(token, world.nowMs())) return json(200, { active: false });
  return json(200, world.behaviour.introspect === "bare" ? { active: true } : describe(token, client));
}

function describe(token: Token, client: Client): Record<string, unknown> {
  return {
    active: true,
    scope: token.scope,
    client_id: client.clientId,
    token_type: "Bearer",
    exp: token.expiresAtMs === null ? null : Math.floor(token.expiresAtMs / 1000),
    iat: Math.floor(token.issuedAtMs / 1000),
  };
}

function authenticated(world: World, environment: Environment, parameters: Parameters): Client | null {
  const client = world.tokens.client(environment, parameters.client_id ?? "");
  return client && client.clientSecret === parameters.client_secret ? client : null;
}
