import type { FieldProblem } from "../../../app/domain/address/address.ts";
import type { OrderListAnswer, OrderOriginsAnswer, OrderOriginsView } from "../../../app/views/order-origins.ts";
import { host, nameService } from "./host.ts";

/** The app's API: requests and answers. Shopify resolves these paths against the app's own URL and adds the session token. */

/** The failure codes; keys of `failure.*` in the locales. */
export type Failure = "unreachable" | "session" | "notFound" | "stale" | "moved" | "invalid" | "busy" | "failed";

export type Reply<T> = { value: T } | { failure: Failure; problems?: FieldProblem[] };

export async function readOrigins(locationIds: string[]): Promise<Reply<OrderOriginsView>> {
  const reply = await ask<OrderOriginsAnswer>(`/api/origins?locations=${locationIds.join(",")}`);
  if ("value" in reply) nameService(reply.value.service ?? null);
  return reply;
}

/** The origins of many orders, in one question; a running bulk action is told, too. */
export async function readManyOrigins(locationIds: string[]): Promise<Reply<OrderListAnswer>> {
  const reply = await askMany<OrderListAnswer>("read", locationIds);
  if ("value" in reply) nameService(reply.value.service);
  return reply;
}

/** Starts one bulk action for all of them. @returns for how many. */
export function actForMany(action: "verify" | "sync", locationIds: string[]): Promise<Reply<{ count: number }>> {
  return askMany(action, locationIds);
}

function askMany<T>(intent: "read" | "verify" | "sync", locationIds: string[]): Promise<Reply<T>> {
  return send("/api/origins/many", { intent, locations: locationIds.map((id) => id.replace(/^.*\//, "")) });
}

export type Action = "sync" | "verify" | "details";

export function act(legacyId: string, action: Action, body: object = {}): Promise<Reply<unknown>> {
  return send(`/api/origins/${legacyId}/${action}`, body);
}

function send<T>(path: string, body: object): Promise<Reply<T>> {
  return ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function ask<T>(path: string, init?: RequestInit): Promise<Reply<T>> {
  try {
    const response = await host.fetch(path, init);
    const body = (await response.json().catch(() => null)) as (T & { error?: Refusal }) | null;
    if (response.ok && body) return { value: body };
    return { failure: failureOf(response.status, body?.error?.code), problems: body?.error?.problems };
  } catch {
    return { failure: "unreachable" };
  }
}

interface Refusal {
  code?: string;
  problems?: FieldProblem[];
}

function failureOf(status: number, code: string | undefined): Failure {
  if (code === "stale" || code === "moved" || code === "invalid" || code === "busy") return code;
  if (code === "not_found") return "notFound";
  if (status === 401 || status === 403) return "session";
  return status >= 500 && !code ? "unreachable" : "failed";
}
