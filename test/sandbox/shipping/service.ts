/** What the service makes of a request it has whole: who asks, whether they may, and what it would do. */
import type { WriteSource } from "./write-log.ts";
import type { Reply } from "./replies.ts";
import { html, json } from "./replies.ts";
import type { Operation, Route } from "./routing.ts";
import { TEMPLATE_OPERATIONS } from "./template-operations.ts";
import type { TemplateOperation, TemplatePerform } from "./template-operations.ts";
import { notFound, unauthorized } from "./template-replies.ts";
import type { TokenCall } from "./token-operations.ts";
import { introspectToken, obtainToken, readParameters, revokeToken } from "./token-operations.ts";
import type { Client, Token } from "./tokens.ts";
import { isActive } from "./tokens.ts";
import type { World } from "./world.ts";

export interface WholeRequest {
  route: Route;
  authorization: string;
  contentType: string;
  userAgent: string;
  body: string;
}

export interface PreparedCall {
  /** The client's id as it named itself, by its token or in the body; null when nothing did. */
  clientId: string | null;
  /** `grant_type` of a call for a token; null on others. */
  grant: string | null;
  /** The reply of a refusal, before any effect. */
  refused: Reply | null;
  /** Performs the operation. Called at most once. */
  perform(source: WriteSource): Reply;
}

const TOKEN_OPERATIONS: Partial<Record<Operation, (world: World, call: TokenCall) => Reply>> = {
  token: obtainToken,
  revoke: revokeToken,
  introspect: introspectToken,
};

export function prepare(world: World, request: WholeRequest): PreparedCall {
  const { operation, environment } = request.route;
  const { blockedUserAgents } = world.behaviour;
  const isBlocked = blockedUserAgents !== null && new RegExp(blockedUserAgents, "i").test(request.userAgent);
  const blocked = isBlocked ? html(403, "403 Forbidden") : null;
  const onTokens = operation === "unknown" ? undefined : TOKEN_OPERATIONS[operation];
  if (onTokens && environment) {
    const parameters = readParameters(request.contentType, request.body);
    const clientId = parameters?.client_id || null;
    const grant = operation === "token" ? (parameters?.grant_type ?? null) : null;
    return { clientId, grant, refused: blocked, perform: () => onTokens(world, { environment, parameters }) };
  }
  const holder = tokenHolder(world, request);
  const clientId = holder?.client.clientId ?? null;
  const refused = blocked ?? refusalOf(world, request, holder);
  // The reading that the client knew when the call came, because the effect may be late.
  const readAt = holder && world.log.readBy(readerOf(holder), request.route.templateId);
  return {
    clientId,
    grant: null,
    refused,
    perform: (source) => performOnTemplates(world, { request, holder, source, readAt }),
  };
}

interface Holder {
  client: Client;
  token: Token;
}

/** Two shops with the same credentials are told apart, as readers, by the scope that each asked for. */
function readerOf({ client, token }: Holder): string {
  return `${client.key} ${token.scope}`;
}

/** The client a bearer token belongs to, be the token good or not. */
function tokenHolder(world: World, { authorization, route }: WholeRequest): Holder | null {
  const value = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  const token = value && route.environment ? world.tokens.find(route.environment, value) : undefined;
  const client = token && world.tokens.holder(token);
  return token && client ? { token, client } : null;
}

function refusalOf(world: World, request: WholeRequest, holder: Holder | null): Reply | null {
  const { operation } = request.route;
  if (operation === "unknown") return notFound(world);
  if (!holder || holder.token.kind !== "access_token" || !isActive(holder.token, world.nowMs()))
    return unauthorized(world);
  const words = holder.token.scope.split(" ");
  const reads = operation === "list" || operation === "get";
  const allowed = words.includes("default") || words.includes(reads ? "read" : "write");
  if (world.behaviour.enforceScopes && !allowed) return json(403, { error: "insufficient_scope" });
  const writesBody = operation === "create" || operation === "update" || operation === "verify";
  if (writesBody && !/^application\/json\b/i.test(request.contentType))
    return json(415, { error: "Unsupported Media Type" });
  return writesBody && parsed(request.body) === undefined
    ? json(400, { message: "El cuerpo no es JSON válido." })
    : null;
}

interface Performed {
  request: WholeRequest;
  holder: Holder | null;
  source: WriteSource;
  readAt: number | null;
}

function performOnTemplates(world: World, { request: { route, body }, holder, source, readAt }: Performed): Reply {
  const perform = TEMPLATE_OPERATIONS[route.operation as TemplateOperation] as TemplatePerform | undefined;
  if (!perform || !holder) throw new Error("a refused call is never performed");
  const { client } = holder;
  return perform(world, {
    client,
    reader: readerOf(holder),
    writer: { source, account: client.account, client: client.key, readAt },
    templateId: route.templateId,
    query: route.query,
    body: body ? parsed(body) : undefined,
  });
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
