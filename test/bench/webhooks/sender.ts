import { fork } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { join } from "node:path";
import { end } from "../budget/stand-in.ts";

/** Sends webhooks as Shopify does, from a process of its own, so that what that costs is not taken for the app's. */

export interface Order {
  /** Made before, so that a flood costs the machine little. */
  made: { body: string; headers: Record<string, string> }[];
  /** Each webhook goes to the next of them. */
  urls: string[];
  forMs: number;
  /** So many a second, each when it is due, or so many at once without a rest. */
  pace: { perSecond: number } | { atOnce: number };
}

export interface Sent {
  ids: string[];
  /** The ids of those that were answered with 200 within five seconds. */
  answered: string[];
  /** From when each of these was due until it was answered. */
  tookMs: number[];
  lastedMs: number;
  cpuMs: number;
}

export interface Sender {
  send(order: Order): Promise<Sent>;
  stop(): Promise<void>;
}

export function startSender(): Sender {
  const child = fork(join(import.meta.dirname, "processes/sender.ts"), { serialization: "advanced" });
  const ended = new Promise<never>((_resolve, reject) => {
    child.once("exit", () => reject(new Error("the sender has ended")));
  });
  ended.catch(() => undefined);
  return {
    async send(order) {
      const answered = new Promise<Sent>((resolve) => child.once("message", (sent) => resolve(sent as Sent)));
      child.send(order);
      return Promise.race([answered, ended]);
    },
    stop: () => end(child, "SIGKILL"),
  };
}

/** A webhook about a location, signed with the app's secret. */
export function makeWebhook(input: {
  shop: string;
  payload: unknown;
  apiSecret: string;
  apiVersion: string;
}): Order["made"][number] {
  const { shop, payload, apiSecret, apiVersion } = input;
  const body = JSON.stringify(payload);
  return {
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": "Shopify-Captain-Hook",
      "x-shopify-api-version": apiVersion,
      "x-shopify-event-id": randomUUID(),
      "x-shopify-hmac-sha256": createHmac("sha256", apiSecret).update(body).digest("base64"),
      "x-shopify-shop-domain": shop,
      "x-shopify-topic": "locations/update",
    },
  };
}

/** The part of sorted times that is within the result, in milliseconds; NaN without times. */
export function quantile(tookMs: readonly number[], part: number): number {
  const times = tookMs.toSorted((a, b) => a - b);
  return Math.round(times[Math.ceil(times.length * part) - 1] ?? NaN);
}
