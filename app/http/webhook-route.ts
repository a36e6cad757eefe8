import type { Request, Response } from "express";
import { isStoreDomain } from "../domain/store-domain.ts";
import type { Log, RawWebhook, RefusedWebhook, SignedWebhook } from "../ports.ts";
import type { Routed } from "./metrics/timed-build.ts";
import { wholeBody } from "./request-body.ts";
import { refuseTooLong } from "./too-long.ts";

/** What the app does with webhooks. */
export interface WebhookIntake {
  /** Says whose it is, if its signature fits its body; else why not. */
  check(webhook: RawWebhook): Promise<SignedWebhook | RefusedWebhook>;
  /** Resolves to its outcome, for the log, once all that it asks for is committed; rejects where that failed. */
  receive(webhook: SignedWebhook): Promise<string>;
}

interface Options {
  webhooks: WebhookIntake;
  log: Log;
  /** Absent where nobody counts. */
  routed?: Routed | undefined;
}

const REFUSALS: Record<RefusedWebhook, readonly [status: number, words: string]> = {
  signature: [401, "The signature does not fit the body"],
  header: [400, "A header of Shopify's is missing"],
  json: [400, "The body is not JSON"],
};

/**
 * One URL for all topics, before Remix, whose way through a route costs more than all else that a webhook needs. It answers 200 once the
 * receipt and the requested work are one commit, and also for a duplicate and for an unknown shop. A fault of ours is a 5xx, so that Shopify
 * sends the webhook again. A request that is no webhook of Shopify's gets a 4xx that says why.
 */
export function webhookRoute({ webhooks, log, routed }: Options) {
  /** The status and what is said; null when the answer is on its way or nobody waits for one. */
  const answerTo = async (request: Request, response: Response): Promise<readonly [number, string?] | null> => {
    const body = await wholeBody(request);
    if (body.kind === "broken_off") return null;
    if (body.kind === "too_long") {
      refuseTooLong(request, response, { discard: () => void request.resume() });
      return null;
    }
    const named = request.get("x-shopify-shop-domain");
    if (named !== undefined && !isStoreDomain(named)) return [400, "X-Shopify-Shop-Domain names no store"];
    const webhook = await webhooks.check({ rawBody: body.bytes.toString(), headers: request.headers });
    if (typeof webhook === "string") {
      if (webhook === "signature") log.warn({ security: "webhook_signature", path: request.path }, "refused");
      return REFUSALS[webhook];
    }
    const { shop, topic, webhookId } = webhook;
    const outcome = await webhooks.receive(webhook);
    log.info({ shop, topic, webhookId, outcome }, "webhook");
    return [200];
  };

  return async (request: Request, response: Response): Promise<void> => {
    const sinceMs = performance.now();
    const ended = (outcome: string) =>
      routed?.("webhooks", "action", { seconds: (performance.now() - sinceMs) / 1_000, outcome });
    if (request.method !== "POST") return plain(response, 405, "Webhooks are sent here with POST");
    try {
      const answer = await answerTo(request, response);
      if (answer === null) return ended("4xx");
      ended(`${Math.floor(answer[0] / 100)}xx`);
      plain(response, ...answer);
    } catch (error) {
      ended("failed");
      log.error({ error, path: request.path }, "a request failed");
      plain(response, 500, "Something went wrong");
    }
  };
}

function plain(response: Response, status: number, words?: string): void {
  response.status(status);
  if (words === undefined) response.end();
  else response.type("text/plain").send(words);
}
