import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setUpExtension } from "@shopify/ui-extensions-tester";
import type { createStorage } from "@shopify/ui-extensions-tester/admin";
import { render } from "preact";
import { onTestFinished, vi } from "vitest";
import type { OrderCarrierView, OrderOriginsView, OrderOriginView } from "../../../app/views/order-origins.ts";

/** The extension on Shopify's own tester, with an order behind the direct API and an app behind fetch. */

const EXTENSIONS = join(import.meta.dirname, "../../../extensions");
export const EXTENSION = join(EXTENSIONS, "order-origin");
export const ORDER_ID = "gid://shopify/Order/1001";

export const gid = (number: number) => `gid://shopify/Location/${number}`;

const address = (street: string) => ({ address1: street, address2: "Roma Norte", city: "Cuauhtémoc", zip: "06700" });

/** A part of an order, as the direct API tells it. */
export function part(number: number, over: { status?: string; deleted?: boolean; kept?: string } = {}) {
  const name = `Bodega ${number}`;
  const street = `Tonalá ${number}`;
  return {
    status: over.status ?? "OPEN",
    assignedLocation: {
      name,
      ...address(over.kept ?? street),
      location: over.deleted ? null : { id: gid(number), name, address: address(street) },
    },
  };
}

export function orderReply(parts: ReturnType<typeof part>[]) {
  return {
    data: { order: { fulfillmentOrders: { nodes: parts, pageInfo: { hasNextPage: false, endCursor: null } } } },
  };
}

export function carrierView(over: Partial<OrderCarrierView> = {}): OrderCarrierView {
  return {
    carrier: "fedex",
    name: "FedEx",
    outcome: "accepted",
    stale: false,
    question: null,
    meaning: "accepted",
    chosen: true,
    ...over,
  };
}

export function originView(number: number, over: Partial<OrderOriginView> = {}): OrderOriginView {
  return {
    locationId: gid(number),
    legacyId: String(number),
    name: `Bodega ${number}`,
    address: [`Tonalá ${number}`, "Roma Norte", "06700 Cuauhtémoc"],
    state: "ready",
    attention: "none",
    exclusion: null,
    reason: null,
    carriers: [carrierView()],
    form: null,
    inShopify: [],
    canSync: true,
    canVerify: true,
    moving: false,
    checkedAtMs: Date.UTC(2026, 10, 20, 12),
    ...over,
  };
}

export function originsView(origins: OrderOriginView[], over: Partial<OrderOriginsView> = {}): OrderOriginsView {
  return {
    connection: "ready",
    origins,
    unknown: [],
    carriers: [
      { carrier: "fedex", name: "FedEx" },
      { carrier: "dhl", name: "DHL" },
    ],
    nowMs: 0,
    timeZone: "America/Mexico_City",
    ...over,
  };
}

export interface Call {
  path: string;
  method: string;
  body: Record<string, unknown>;
}

export interface Reply {
  status?: number;
  body: unknown;
}

/** What the direct API is asked. */
export interface Question {
  query: string;
  variables: Record<string, unknown>;
}

export interface Scene {
  /** The orders that are selected in the list; the page's own where none are said. */
  selected?: string[];
  order: (question: Question) => unknown;
  origins: (call: Call) => OrderOriginsView | Reply;
  storage?: ReturnType<typeof createStorage>;
  act?: (call: Call) => Reply | Promise<Reply>;
}

const TARGETS = {
  block: "admin.order-details.block.render",
  action: "admin.order-details.action.render",
  list: "admin.order-index.selection-action.render",
} as const;

const handleOf = (target: keyof typeof TARGETS) => (target === "list" ? "order-list" : "order-origin");

export function words(language: "en.default" | "es", handle = "order-origin"): Record<string, never> {
  return JSON.parse(readFileSync(join(EXTENSIONS, handle, `locales/${language}.json`), "utf8")) as Record<
    string,
    never
  >;
}

/** Renders a work item; what it asks of the app is kept in `calls`, the direct API's questions are not. */
export async function play(target: keyof typeof TARGETS, scene: Scene) {
  const extension = setUpExtension(TARGETS[target], { configSearchDir: join(EXTENSIONS, handleOf(target)) });
  onTestFinished(() => {
    render(null, document.body);
    extension[Symbol.dispose]();
  });
  defineElements();
  const calls: Call[] = [];
  extension.shopify.data.selected = (scene.selected ?? [ORDER_ID]).map((id) => ({ id }));
  if (scene.storage) extension.shopify.storage = scene.storage as never;
  extension.shopify.i18n.translate = translator("en.default", handleOf(target)) as never;
  extension.fetch = async (input, init) => {
    const path = String(input);
    if (path.startsWith("shopify:admin/api/"))
      return Response.json(await scene.order(JSON.parse(String(init?.body)) as Question));
    const call = { path, method: init?.method ?? "GET", body: JSON.parse(String(init?.body ?? "{}")) as Call["body"] };
    calls.push(call);
    const reads = call.method === "GET" || call.body.intent === "read";
    const told = reads ? scene.origins(call) : await (scene.act?.(call) ?? { body: { progress: "done" } });
    const { status = 200, body } = "body" in told ? told : { body: told };
    return Response.json(body, { status });
  };
  await extension.render();
  return { extension, calls, page: document.body };
}

/** The tester has no elements: those whose properties a test reads or sets are given them, as Shopify's have. */
function defineElements(): void {
  class Button extends HTMLElement {
    loading = false;
    disabled = false;
  }
  class TextField extends HTMLElement {
    value = "";
    error = "";
  }
  class Select extends HTMLElement {
    value = "";
  }
  class ChoiceList extends HTMLElement {
    values: string[] = [];
  }
  for (const [name, element] of Object.entries({
    button: Button,
    "text-field": TextField,
    select: Select,
    "choice-list": ChoiceList,
  })) {
    if (!customElements.get(`s-${name}`)) customElements.define(`s-${name}`, element);
  }
}

/** As Shopify's: nested keys, plural forms by `count`, values in double braces. */
function translator(language: "en.default" | "es", handle: string) {
  const messages = words(language, handle);
  return (key: string, values: Record<string, string | number> = {}): string => {
    const found = key
      .split(".")
      .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], messages);
    const form = values.count === 1 ? "one" : "other";
    const message = typeof found === "object" ? (found as Record<string, unknown> | null)?.[form] : found;
    if (typeof message !== "string") throw new Error(`No text for ${key}`);
    return message.replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => String(values[name]));
  };
}

export function shows(text: string, withinMs = 2_000): Promise<void> {
  return vi.waitFor(() => {
    if (!document.body.textContent?.includes(text))
      throw new Error(`"${text}" is not in: ${document.body.textContent}`);
  }, withinMs);
}

export function button(label: string): HTMLElement & { disabled: boolean; loading: boolean } {
  const found = [...document.body.querySelectorAll("s-button")].find((one) => one.textContent === label);
  if (!found) throw new Error(`No button "${label}" in: ${document.body.textContent}`);
  return found as never;
}

export const buttons = () => [...document.body.querySelectorAll("s-button")].map((one) => one.textContent);
