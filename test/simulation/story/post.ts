import { receiveWebhook } from "../../../app/shop/receive-webhook.ts";
import type { VirtualClock } from "../../fakes/clock.ts";
import type { SeededRandom } from "../../fakes/random.ts";
import type { ProcessPool } from "./process-pool.ts";
import type { Scenery } from "./scenery.ts";
import type { Timeline } from "./timeline.ts";

/** Shopify's webhooks: some are lost, some come twice, late or out of order, and again when nobody answered. */
export interface Post {
  send(webhook: Posted): void;
  /** Webhooks that Shopify still tries to deliver. */
  undelivered(): number;
}

export interface Posted {
  /** The shop that the header names. */
  shop: string;
  topic: string;
  payload: object;
  /** Certain to be sent, and this much later. */
  afterMs?: number;
}

const TRIES_AGAIN_MS = 10_000;

interface PostParts {
  clock: VirtualClock;
  random: SeededRandom;
  scenery: Scenery;
  pool: Pick<ProcessPool, "someone">;
  timeline: Timeline;
  /** Called when the app may receive the webhook from now on. */
  sent: (webhook: Posted) => void;
}

export function createPost({ clock, random, scenery, pool, timeline, sent }: PostParts): Post {
  const { lost, repeated, lateMs } = scenery.webhooks;
  let underWay = 0;

  const send = (webhook: Posted) => {
    const { shop, topic, payload, afterMs } = webhook;
    // The restart at the end finds what a lost webhook announced. Nothing would find a webhook that is lost after that.
    if (afterMs === undefined && clock.nowMs() < scenery.weather.endsAtMs && random.chance(lost)) {
      timeline.tell("shopify", () => `the webhook ${topic} of ${shop} is lost`);
      return;
    }
    const webhookId = random.id();
    let isDelivered = false;
    const attempt = () => {
      const services = pool.someone();
      const again = clock.after(TRIES_AGAIN_MS, attempt);
      if (!services) return;
      receiveWebhook(services, { shop, topic, webhookId, payload }).then(
        (answer) => {
          again();
          timeline.tell("shopify", () => `the webhook ${topic} of ${shop} is delivered (${answer})`);
          if (isDelivered) return;
          isDelivered = true;
          underWay -= 1;
        },
        () => undefined,
      );
    };
    underWay += 1;
    sent(webhook);
    const after = () => (afterMs ?? 0) + random.between(50, lateMs);
    clock.after(after(), attempt);
    if (random.chance(repeated)) clock.after(after(), attempt);
  };

  return { send, undelivered: () => underWay };
}
