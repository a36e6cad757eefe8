import type { OrderOriginsView } from "../../../app/views/order-origins.ts";
import { BROWSER } from "../../sandbox/play/visitor.ts";
import { until } from "../../sandbox/play/until.ts";
import { STORE } from "./order-stage.ts";
import type { OrderStage } from "./order-stage.ts";

/** The app's API of the order page, as a worker of no origin asks it: over HTTP, with a session token. */

export interface Asked {
  store?: string;
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** From the question until the answer's last byte. */
  tookMs: number;
  json: () => Record<string, never>;
}

export const gid = (id: string): string => `gid://shopify/Location/${id}`;

/** It lives for a minute. */
export async function sessionToken(stage: OrderStage, store = STORE, options: object = {}): Promise<string> {
  return String((await stage.control("POST", `shops/${store}/session-token`, options)).token);
}

export async function askApp(stage: OrderStage, path: string, asked: Asked = {}): Promise<Answer> {
  const { store = STORE, method = "GET", body, headers } = asked;
  const authorization = headers?.Authorization ?? `Bearer ${await sessionToken(stage, store)}`;
  const startedAtMs = performance.now();
  const response = await fetch(stage.sandbox.appUrl + path, {
    method,
    headers: {
      "User-Agent": BROWSER,
      Origin: "null",
      "Content-Type": "application/json",
      ...headers,
      Authorization: authorization,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    tookMs: performance.now() - startedAtMs,
    json: () => JSON.parse(text) as Record<string, never>,
  };
}

export async function originsOf(stage: OrderStage, ...ids: string[]): Promise<OrderOriginsView> {
  return (
    await askApp(stage, `/api/origins?locations=${ids.map(gid).join(",")}`)
  ).json() as unknown as OrderOriginsView;
}

/** Gives the origin what it lacks and waits until it has a template. @returns its location's id. */
export async function finishOrigin(stage: OrderStage, name: string): Promise<string> {
  const id = stage.locationId(name);
  const { form } = (await originsOf(stage, id)).origins[0]!;
  if (form) {
    const values = Object.fromEntries(form.fields.map(({ field, value }) => [field, value || "Del Carmen"]));
    const body = { revision: form.revision, readFrom: form.readFrom, values };
    const { status, text } = await askApp(stage, `/api/origins/${id}/details`, { method: "POST", body });
    if (status !== 200) throw new Error(`The details of ${name} were not taken: ${status} ${text}`);
  }
  await until({
    what: "The origin's template",
    read: async () => (await originsOf(stage, id)).origins[0],
    holds: (origin) => origin?.canVerify === true && !origin.moving,
  });
  return id;
}
