import { randomUUID } from "node:crypto";
import { Agent, request } from "undici";
import { atPace } from "../../cluster/at-pace.ts";
import type { Order, Sent } from "../sender.ts";

/** The process that `startSender` starts: each message is an order, and its answer a message. */

/** Shopify gives up then, and comes again. */
const ANSWERED_WITHIN_MS = 5_000;

const agent = new Agent({ connections: 64, keepAliveTimeout: 60_000 });

async function carryOut({ made, urls, forMs, pace }: Order): Promise<Sent> {
  const sent: Sent = { ids: [], answered: [], tookMs: [], lastedMs: 0, cpuMs: 0 };
  const send = async (number: number, dueMs: number): Promise<void> => {
    const { body, headers } = made[(number * 7) % made.length]!;
    const id = randomUUID();
    sent.ids.push(id);
    const answer = await request(urls[number % urls.length]!, {
      method: "POST",
      dispatcher: agent,
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
      headers: { ...headers, "x-shopify-triggered-at": new Date().toISOString(), "x-shopify-webhook-id": id },
      body,
    }).catch(() => null);
    await answer?.body.dump();
    if (answer?.statusCode !== 200) return;
    sent.tookMs.push(performance.now() - dueMs);
    sent.answered.push(id);
  };
  const [beganMs, before] = [performance.now(), process.cpuUsage()];
  if ("perSecond" in pace) await atPace({ ...pace, forMs }, send);
  else {
    const untilMs = beganMs + forMs;
    const sendOn = async (): Promise<void> => {
      while (performance.now() < untilMs) await send(sent.ids.length, performance.now());
    };
    await Promise.all(Array.from({ length: pace.atOnce }, sendOn));
  }
  const { user, system } = process.cpuUsage(before);
  return { ...sent, lastedMs: performance.now() - beganMs, cpuMs: (user + system) / 1_000 };
}

process.on("message", (order: Order) => void carryOut(order).then((sent) => process.send!(sent)));
