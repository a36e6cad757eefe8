// Shopify Flow, as far as an app's triggers meet it: what the app sends is checked against what its extensions declare, and the app is told
// which stores use them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import * as z from "zod";
import { EXTENSIONS } from "../../../scripts/builds/extension-bundles.ts";
import { webhookSignature } from "./signing.ts";
import type { AdminState, ShopState } from "./state.ts";

/** Shopify documents 50 KB for a payload. */
const LARGEST_PAYLOAD = 50_000;
/** Flow lets nobody turn a workflow on whose callback takes longer. */
const ANSWER_WITHIN_MS = 10_000;

const trigger = z.object({
  extensions: z
    .array(z.object({ name: z.string(), handle: z.string().max(30), type: z.literal("flow_trigger") }))
    .length(1),
  settings: z.object({ fields: z.array(z.object({ key: z.string(), type: z.literal("single_line_text_field") })) }),
});

const lifecycle = z.object({
  extensions: z.array(z.object({ type: z.literal("flow_trigger_lifecycle_callback"), url: z.string() })).length(1),
});

export interface Trigger {
  name: string;
  handle: string;
  keys: string[];
}

/** What began the workflows of a store, or would have, had it one. */
export interface FlowArrival {
  shop: string;
  handle: string;
  payload: Record<string, string>;
  atMs: number;
  /** Whether a workflow of the store was turned on that begins with it. */
  isUsed: boolean;
}

const tomlsOf = (folder: string, type: string): unknown[] =>
  readdirSync(folder)
    .map((name) => join(folder, name, "shopify.extension.toml"))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, "utf8"))
    .filter((text) => text.includes(`type = "${type}"`))
    .map((text) => parse(text));

/** @throws when a toml is not what Flow takes. */
function triggersOf(folder: string): Trigger[] {
  return tomlsOf(folder, "flow_trigger").map((toml) => {
    const { extensions, settings } = trigger.parse(toml);
    const [{ name, handle }] = extensions as [z.infer<typeof trigger>["extensions"][number]];
    return { name, handle, keys: settings.fields.map(({ key }) => key) };
  });
}

export class FlowTriggers {
  readonly triggers: Trigger[];
  readonly arrived: FlowArrival[] = [];
  private readonly callback: string;
  private readonly used = new Set<string>();
  private readonly state: AdminState;
  private readonly appUrl: () => string;

  constructor(state: AdminState, appUrl: () => string, folder = EXTENSIONS) {
    this.state = state;
    this.appUrl = appUrl;
    this.triggers = triggersOf(folder);
    const [toml] = tomlsOf(folder, "flow_trigger_lifecycle_callback");
    this.callback = lifecycle.parse(toml).extensions[0]!.url;
  }

  isUsed(shop: ShopState, handle: string): boolean {
    return this.used.has(`${shop.domain} ${handle}`);
  }

  /** Turns a store's workflow on or off, as far as the app agrees. @throws where the app does not answer 2xx, and for an unknown trigger. */
  async turn(shop: ShopState, handle: string, isUsed: boolean): Promise<void> {
    this.known(handle);
    const body = JSON.stringify({
      flow_trigger_definition_id: handle,
      has_enabled_flow: isUsed,
      shop_id: shop.id,
      shopify_domain: shop.domain,
      timestamp: new Date().toISOString(),
    });
    const response = await fetch(new URL(this.callback, this.appUrl()), {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      headers: {
        "Content-Type": "application/json",
        "X-Shopify-Hmac-Sha256": webhookSignature(this.state, body),
      },
      body,
    });
    if (!response.ok) throw new Error(`The app answers the callback with ${response.status}: ${await response.text()}`);
    if (isUsed) this.used.add(`${shop.domain} ${handle}`);
    else this.used.delete(`${shop.domain} ${handle}`);
  }

  /** What `flowTriggerReceive` answers; null where Flow takes it. */
  take(shop: ShopState, handle: string | undefined, payload: unknown): string | null {
    const known = this.triggers.find((one) => one.handle === handle);
    if (!known) return `No trigger has the handle "${handle}".`;
    const size = Buffer.byteLength(JSON.stringify(payload ?? null));
    if (size > LARGEST_PAYLOAD) return `The payload has ${size} bytes, and at most ${LARGEST_PAYLOAD} are taken.`;
    const fields = z.record(z.string(), z.string()).safeParse(payload);
    if (!fields.success) return "The payload is not an object of texts.";
    const missing = known.keys.filter((key) => !(key in fields.data));
    const unknown = Object.keys(fields.data).filter((key) => !known.keys.includes(key));
    if (missing.length > 0) return `The payload lacks ${missing.join(", ")}.`;
    if (unknown.length > 0) return `The trigger has no field ${unknown.join(", ")}.`;
    const isUsed = this.isUsed(shop, known.handle);
    this.arrived.push({ shop: shop.domain, handle: known.handle, payload: fields.data, atMs: Date.now(), isUsed });
    return null;
  }

  private known(handle: string): void {
    if (!this.triggers.some((one) => one.handle === handle)) throw new Error(`No extension declares "${handle}"`);
  }
}
