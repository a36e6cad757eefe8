import type { Exchange, WireAnswer } from "../../../app/adapters/shipping/network.ts";
import type { AddressTemplate } from "../../../app/domain/records.ts";
import type { Look } from "../readings.ts";
import type { FakeAccount } from "./account.ts";
import type { Habits } from "./habits.ts";
import { problemsOfCreate, problemsOfUpdate } from "./refusals.ts";
import type { Problems } from "./refusals.ts";
import { readerOf } from "./tokens.ts";
import type { FakeTokens } from "./tokens.ts";

/** What the service does with a request that has arrived. */

export type Operation = "list" | "get" | "create" | "update" | "delete" | "verify" | "token" | "revoke" | "introspect";

export interface ServiceRequest {
  operation: Operation;
  requestId: string;
  environment: string;
  clientId: string;
  /** The shop on whose behalf the request is made. */
  reader: string;
  /** The bearer token, or the token that a token operation is about. */
  token: string;
  secret: string;
  /** Empty except for a token operation. */
  grantType: string;
  refreshToken: string | null;
  templateId: string;
  page: number;
  perPage: number;
  body: Record<string, unknown>;
}

export interface ServiceParts {
  habits: Habits;
  tokens: FakeTokens;
  shown?: ((template: AddressTemplate, operation: Operation) => unknown) | undefined;
  verdict?: ((account: FakeAccount, templateId: string, carrier: string) => void) | undefined;
}

const PER_PAGE = 20;

export function parseRequest({ environment, request, headers }: Exchange): ServiceRequest {
  const path = request.path.replace("/api/v1/", "");
  const requestId = headers["x-request-id"] ?? "";
  const nothing = {
    requestId,
    environment,
    secret: "",
    grantType: "",
    refreshToken: null,
    templateId: "",
    page: 1,
    perPage: PER_PAGE,
    body: {},
  };
  if (path.startsWith("oauth/")) {
    const form = parametersOf(request);
    const secret = form.get("client_secret") ?? "";
    return {
      ...nothing,
      operation: path.slice("oauth/".length) as "token" | "revoke" | "introspect",
      clientId: form.get("client_id") ?? "",
      reader: readerOf(secret),
      token: form.get("token") ?? "",
      secret,
      grantType: form.get("grant_type") ?? "",
      refreshToken: form.get("refresh_token"),
    };
  }
  const [, id = "", verb] = path.split("?")[0]!.split("/");
  const query = new URLSearchParams(path.split("?")[1] ?? "");
  const token = (headers.authorization ?? "").replace("Bearer ", "");
  const [clientId, reader = ""] = token.replace("token-of-", "").split("#");
  return {
    ...nothing,
    operation: operationOf(request.method, id, verb),
    clientId: clientId!,
    reader,
    token,
    templateId: id,
    page: Number(query.get("page") ?? 1),
    perPage: Math.min(Number(query.get("per_page") ?? PER_PAGE), PER_PAGE),
    body: request.body ? (JSON.parse(request.body) as Record<string, unknown>) : {},
  };
}

/** docs/shipping-interface.md, 4.7: form-encoded or JSON. */
function parametersOf({ contentType, body }: Exchange["request"]): URLSearchParams {
  if (contentType !== "application/json") return new URLSearchParams(body ?? "");
  return new URLSearchParams(JSON.parse(body ?? "{}") as Record<string, string>);
}

function operationOf(method: string, id: string, verb: string | undefined): Operation {
  if (verb) return "verify";
  if (method === "GET") return id ? "get" : "list";
  return method === "POST" ? "create" : method === "PATCH" ? "update" : "delete";
}

export interface Arrived {
  request: ServiceRequest;
  account: FakeAccount | null;
  atMs: number;
  /** When the reading was taken on which the request is based. */
  readAtMs: number | null;
  /** How far a list or a GET lags. */
  behindMs: number;
  /**
   * When the request's answer is told. Null where the service still handles a GET that was answered otherwise: nobody is shown its result.
   */
  toldAtMs: number | null;
}

/** The reader of a result that no answer shows. */
const NOBODY = "nobody";

export function perform(parts: ServiceParts, arrived: Arrived): WireAnswer {
  const { habits, tokens, verdict } = parts;
  const shown = spelled(habits, parts.shown ?? asItIs);
  const { request, account, atMs, readAtMs, toldAtMs } = arrived;
  const { operation, templateId, body, reader } = request;
  const look = toldAtMs === null ? { reader: NOBODY, atMs } : { reader, atMs, toldAtMs };
  switch (operation) {
    case "token":
      if (!account && request.clientId && request.secret) return said(401, NO_CLIENT);
      return tokens.grant(request, atMs);
    case "revoke":
      return account ? tokens.revoke(request.token, request) : said(403, NO_CLIENT);
    case "introspect":
      return account ? tokens.introspect(request.token, request, atMs) : said(401, NO_CLIENT);
  }
  if (!account) return said(401, NO_CLIENT);
  if (!tokens.holds(request.token, atMs)) return said(401, {});
  const template = body["address_template"] as never;
  const data = (value: AddressTemplate | null, status = 200) =>
    value ? said(status, { data: shown(value, operation) }) : said(404, NOT_FOUND);
  switch (operation) {
    case "list":
      return said(200, pageOf(account, { ...arrived, look, show: (each) => shown(each, "list"), habits }));
    case "get":
      return data(account.get(templateId, look, arrived.behindMs));
    case "create":
      return refusedFor(problemsOfCreate(template)) ?? data(account.create(template), 201);
    case "update":
      if (!account.has(templateId)) return said(404, NOT_FOUND);
      return (
        refusedFor(problemsOfUpdate(template)) ?? data(account.update(templateId, template, { reader, atMs, readAtMs }))
      );
    case "delete":
      return account.delete(templateId) ? { ...said(200, {}), body: "" } : said(404, NOT_FOUND);
    case "verify": {
      const carriers = (body["carriers"] ?? []) as string[];
      if (carriers.length === 0) return refusedFor({ carriers: ["no puede estar en blanco"] })!;
      if (carriers.some((carrier) => habits.refuses.includes(carrier))) return refusalOf(habits);
      const asked = account.verify(templateId, carriers, toldAtMs !== null);
      if (asked) for (const carrier of carriers) verdict?.(account, templateId, carrier);
      return data(asked, 202);
    }
  }
}

const NO_CLIENT = { error: "invalid_client", error_description: "no such client" };
const NOT_FOUND = { message: "No encontrado" };

/** Null where there is no problem. */
function refusedFor(problems: Problems): WireAnswer | null {
  if (Object.keys(problems).length === 0) return null;
  return said(422, { errors: { address_template: problems } });
}

function refusalOf({ refusal }: Habits): WireAnswer {
  if (!refusal) return said(422, { error: "CARRIER_VERIFICATION_NOT_ENABLED" });
  return { ...said(refusal.status, {}), body: refusal.body };
}

interface Page extends Pick<Arrived, "request" | "behindMs"> {
  look: Look;
  habits: Habits;
  show: (template: AddressTemplate) => unknown;
}

function pageOf(account: FakeAccount, { request, look, behindMs, habits, show }: Page) {
  const { page, perPage } = request;
  const { templates, totalCount, totalPages } = account.list(page, perPage, look, behindMs);
  const meta = {
    total_count: totalCount,
    per_page: perPage,
    current_page: page,
    total_pages: totalPages,
    next_page: page < totalPages ? page + 1 : null,
    prev_page: page > 1 ? page - 1 : null,
  };
  const asText = Object.fromEntries(
    Object.entries(meta).map(([name, count]) => [name, count === null ? null : String(count)]),
  );
  return { data: templates.map(show), meta: habits.textNumbers ? asText : meta };
}

function spelled({ capitalIds = [] }: Habits, shown: NonNullable<ServiceParts["shown"]>) {
  return (template: AddressTemplate, operation: Operation): unknown => {
    const data = shown(template, operation) as { id?: string } | null;
    return data?.id && capitalIds.includes(operation) ? { ...data, id: data.id.toUpperCase() } : data;
  };
}

function asItIs(template: AddressTemplate): unknown {
  return template;
}

function said(status: number, body: object): WireAnswer {
  return { status, headers: {}, body: JSON.stringify(body), cutShort: null };
}
