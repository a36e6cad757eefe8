// Delivers webhooks as Shopify does: only subscribed topics, signed, to their declared uri, again when refused.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { webhookSignature } from "./signing.ts";
import { grantedScopes } from "./state.ts";
import type { AdminState, ShopState } from "./state.ts";

/** Shopify's eight retries in four hours, compressed to seconds. */
const RETRY_DELAYS_MS = [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
const ANSWER_WITHIN_MS = 5_000;

export interface Delivery {
  webhookId: string;
  shop: string;
  topic: string;
  triggeredAt: string;
  payload: unknown;
  attempts: { atMs: number; status: number | null; tookMs: number }[];
  outcome: "delivered" | "under way" | "given up" | "not subscribed" | "not permitted";
}

export interface DeliveryOptions {
  /** How many times the same delivery is sent, with one webhook id. */
  times?: number;
  delayMs?: number;
  webhookId?: string;
  triggeredAt?: string;
  /** Sends a wrong signature, as a stranger would. */
  forged?: boolean;
}

const SCOPE_OF_TOPIC: [prefix: string, scope: string][] = [["locations/", "read_locations"]];

export class Webhooks {
  readonly deliveries: Delivery[] = [];
  private readonly state: AdminState;
  private readonly appUrl: () => string;
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();
  retryDelaysMs: readonly number[] = RETRY_DELAYS_MS;
  /** Answers true to lose a delivery for good, as Shopify sometimes does. */
  lose: (delivery: Delivery) => boolean = () => false;
  /** How often a delivery is sent that does not say so itself; Shopify sends some twice. */
  copies: (delivery: Delivery) => number = () => 1;

  constructor(state: AdminState, appUrl: () => string) {
    this.state = state;
    this.appUrl = appUrl;
  }

  /** Starts a delivery and returns its record, which fills as attempts are made. */
  deliver(shop: ShopState, topic: string, payload: unknown, options: DeliveryOptions = {}): Delivery {
    const delivery: Delivery = {
      webhookId: options.webhookId ?? randomUUID(),
      shop: shop.domain,
      topic,
      triggeredAt: options.triggeredAt ?? new Date().toISOString(),
      payload,
      attempts: [],
      outcome: this.permission(shop, topic),
    };
    this.deliveries.push(delivery);
    if (delivery.outcome !== "under way" || this.lose(delivery)) return delivery;
    for (let copy = 0; copy < (options.times ?? this.copies(delivery)); copy += 1)
      this.track(this.run(delivery, options));
    return delivery;
  }

  /** Resolves when no delivery is under way. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.idle();
  }

  private permission(shop: ShopState, topic: string): Delivery["outcome"] {
    if (!this.state.config.subscriptions.has(topic)) return "not subscribed";
    const needed = SCOPE_OF_TOPIC.find(([prefix]) => topic.startsWith(prefix))?.[1];
    if (needed === undefined) return "under way";
    return grantedScopes(this.state, shop).includes(needed) ? "under way" : "not permitted";
  }

  private track(run: Promise<void>): void {
    const quiet = run.catch(() => undefined).finally(() => this.running.delete(quiet));
    this.running.add(quiet);
  }

  private async run(delivery: Delivery, options: DeliveryOptions): Promise<void> {
    const { signal } = this.stopping;
    if (options.delayMs) await sleep(options.delayMs, undefined, { signal });
    for (let attempt = 0; ; attempt += 1) {
      if (await this.attempt(delivery, options.forged ?? false)) {
        delivery.outcome = "delivered";
        return;
      }
      const pause = this.retryDelaysMs[attempt];
      if (pause === undefined || options.forged) break;
      await sleep(pause, undefined, { signal });
    }
    if (delivery.outcome !== "delivered") delivery.outcome = "given up";
  }

  private async attempt(delivery: Delivery, forged: boolean): Promise<boolean> {
    const uri = this.state.config.subscriptions.get(delivery.topic);
    if (uri === undefined) return true;
    const body = JSON.stringify(delivery.payload);
    const startedAtMs = Date.now();
    const status = await this.post(this.addressOf(uri), body, delivery, forged);
    delivery.attempts.push({ atMs: startedAtMs, status, tookMs: Date.now() - startedAtMs });
    return status !== null && status >= 200 && status < 300;
  }

  private async post(url: string, body: string, delivery: Delivery, forged: boolean): Promise<number | null> {
    try {
      const response = await fetch(url, {
        method: "POST",
        redirect: "manual",
        signal: AbortSignal.any([AbortSignal.timeout(ANSWER_WITHIN_MS), this.stopping.signal]),
        headers: {
          "Content-Type": "application/json",
          "User-Agent": "Shopify-Captain-Hook",
          "X-Shopify-API-Version": this.state.config.apiVersion,
          "X-Shopify-Event-Id": randomUUID(),
          "X-Shopify-Hmac-Sha256": webhookSignature(this.state, forged ? `${body} ` : body),
          "X-Shopify-Shop-Domain": delivery.shop,
          "X-Shopify-Topic": delivery.topic,
          "X-Shopify-Triggered-At": delivery.triggeredAt,
          "X-Shopify-Webhook-Id": delivery.webhookId,
        },
        body,
      });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return null;
    }
  }

  /** A declared uri is relative to application_url, whose origin is the app's address in the sandbox. */
  private addressOf(uri: string): string {
    const declared = new URL(uri, this.state.config.applicationUrl);
    const own = declared.origin === new URL(this.state.config.applicationUrl).origin;
    return own ? new URL(declared.pathname + declared.search, this.appUrl()).href : declared.href;
  }
}
