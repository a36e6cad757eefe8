import type { Exchange, WireAnswer } from "../../app/adapters/shipping/network.ts";
import type { AddressTemplate } from "../../app/domain/records.ts";
import type { FakeAccount, Habits } from "./shipping-account.ts";
import { readerOf } from "./shipping-tokens.ts";
import type { FakeTokens } from "./shipping-tokens.ts";

/** What the service makes of a request that has arrived. */

export type Operation = "list" | "get" | "create" | "update" | "delete" | "verify" | "token" | "revoke" | "introspect";

export interface ServiceRequest {
  operation: Operation;
  requestId: string;
  environment: string;
  clientId: string;
  /** The shop on whose behalf it comes. */
  reader: string;
  /** The bearer token, or the one that a token operation is about. */
  token: string;
  secret: string;
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
    refreshToken: null,
    templateId: "",
    page: 1,
    perPage: PER_PAGE,
    body: {},
  };
  if (path.startsWith("oauth/")) {
    const form = new URLSearchParams(request.body ?? "");
    const secret = form.get("client_secret") ?? "";
    return {
      ...nothing,
      operation: path.slice("oauth/".length) as "token" | "revoke" | "introspect",
      clientId: form.get("client_id") ?? "",
      reader: readerOf(secret),
      token: form.get("token") ?? "",
      secret,
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
    perPage: Number(query.get("per_page") ?? PER_PAGE),
    body: request.body ? (JSON.parse(request.body) as Record<string, unknown>) : {},
  };
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
  /** Of when the reading is that preceded it. */
  readAtMs: number | null;
  /** How far a list is behind. */
  behindMs: number;
}

export function perform(parts: ServiceParts, arrived: Arrived): WireAnswer {
  const { habits, tokens, verdict, shown = asItIs } = parts;
  const { request, account, atMs, readAtMs } = arrived;
  const { operation, templateId, body, reader } = request;
  switch (operation) {
    case "token":
      return account ? tokens.grant(request, atMs) : said(401, NO_CLIENT);
    case "revoke":
      tokens.revoke(request.token);
      return said(200, {});
    case "introspect":
      return said(200, { active: tokens.holds(request.token, atMs) });
  }
  if (!account) return said(401, NO_CLIENT);
  if (!tokens.holds(request.token, atMs)) return said(401, {});
  const template = body["address_template"] as never;
  const data = (value: AddressTemplate | null, status = 200) =>
    value ? said(status, { data: shown(value, operation) }) : said(404, NOT_FOUND);
  switch (operation) {
    case "list":
      return said(200, pageOf(account, { ...arrived, show: (each) => shown(each, "list"), habits }));
    case "get":
      return data(account.get(templateId, { reader, atMs }));
    case "create":
      return data(account.create(template), 201);
    case "update":
      return data(account.update(templateId, template, { reader, atMs, readAtMs }));
    case "delete":
      return account.delete(templateId) ? { ...said(200, {}), body: "" } : said(404, NOT_FOUND);
    case "verify": {
      const carriers = body["carriers"] as string[];
      if (carriers.some((carrier) => habits.refuses.includes(carrier))) return refusalOf(habits);
      const asked = account.verify(templateId, carriers);
      if (asked) for (const carrier of carriers) verdict?.(account, templateId, carrier);
      return data(asked, 202);
    }
  }
}

const NO_CLIENT = { error: "invalid_client", error_description: "no such client" };
const NOT_FOUND = { message: "No encontrado" };

function refusalOf({ refusal }: Habits): WireAnswer {
  if (!refusal) return said(422, { error: "CARRIER_VERIFICATION_NOT_ENABLED" });
  return { ...said(refusal.status, {}), body: refusal.body };
}

interface Page extends Pick<Arrived, "request" | "atMs" | "behindMs"> {
  habits: Habits;
  show: (template: AddressTemplate) => unknown;
}

function pageOf(account: FakeAccount, { request, atMs, behindMs, habits, show }: Page) {
  const { reader, page, perPage } = request;
  const { templates, totalCount, totalPages } = account.list(page, perPage, { reader, atMs }, behindMs);
  const meta = { total_count: totalCount, per_page: perPage, current_page: page, total_pages: totalPages };
  const asText = Object.fromEntries(Object.entries(meta).map(([name, count]) => [name, String(count)]));
  return { data: templates.map(show), meta: habits.textNumbers ? asText : meta };
}

function asItIs(template: AddressTemplate): unknown {
  return template;
}

function said(status: number, body: object): WireAnswer {
  return { status, headers: {}, body: JSON.stringify(body), cutShort: null };
}
