/** Calls the stand-in over true HTTP, as a client would. */
import { ADDRESS, draft, parsed } from "../../contracts/shipping/ask.ts";
import { STEP_MS } from "../../patience.ts";
import type { ShippingService } from "../shipping/server.ts";
import { startShippingService } from "../shipping/server.ts";
import type { ShippingServiceOptions } from "../shipping/options.ts";

/** Parsed JSON of which nothing is known. */
export type Parsed = ReturnType<typeof JSON.parse>;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** Undefined when the body is not JSON. */
  json: Parsed;
}

export interface CallOptions {
  token?: string;
  body?: unknown;
  form?: Record<string, string>;
  headers?: Record<string, string>;
  /** Gives the call up. */
  signal?: AbortSignal;
}

const running = new Set<ShippingService>();

/** A stand-in that does not refuse for the rate, unless the options say so. `stopAll` ends it. */
export async function start(options: ShippingServiceOptions = {}): Promise<ShippingService> {
  const service = await startShippingService({ enforceRate: false, ...options });
  running.add(service);
  return service;
}

export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((service) => service.stop()));
  running.clear();
}

/** `call("POST /test/api/v1/…")`. Rejects when no whole answer comes. */
export async function call(service: { url: string }, line: string, options: CallOptions = {}): Promise<Answer> {
  const [method, path] = line.split(" ") as [string, string];
  const headers = new Headers({ "user-agent": "Origen-tests/1", ...options.headers });
  if (options.token) headers.set("authorization", `Bearer ${options.token}`);
  let body: string | undefined;
  if (options.form) body = new URLSearchParams(options.form).toString();
  if (options.body !== undefined) body = typeof options.body === "string" ? options.body : JSON.stringify(options.body);
  if (body !== undefined && !headers.has("content-type")) {
    headers.set("content-type", options.form ? "application/x-www-form-urlencoded" : "application/json");
  }
  const signal = options.signal ?? AbortSignal.timeout(STEP_MS);
  const response = await fetch(service.url + path, { method, headers, body, signal, redirect: "manual" });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

export function credentials(n = 1, environment = "test"): Record<string, string> {
  return { client_id: `${environment}-client-${n}`, client_secret: `${environment}-secret-${n}` };
}

export const TOKEN = "POST /test/api/v1/oauth/token";
export const BOOK = "/test/api/v1/address_templates";

export async function token(service: { url: string }, n = 1, extra: Record<string, string> = {}): Promise<string> {
  const answer = await call(service, TOKEN, {
    form: { grant_type: "client_credentials", ...credentials(n), ...extra },
  });
  if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${answer.text}`);
  return answer.json.access_token;
}

export function template(alias: string, address: Record<string, unknown> = {}): ReturnType<typeof draft> {
  return draft(alias, { ...ADDRESS, ...address });
}

export async function created(service: { url: string }, bearer: string, alias: string): Promise<string> {
  const answer = await call(service, `POST ${BOOK}`, { token: bearer, body: template(alias) });
  if (answer.status !== 201) throw new Error(`not created: ${answer.status} ${answer.text}`);
  return answer.json.data.id;
}

/** Resolves once the condition holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + STEP_MS;
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error("the condition never held");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
