import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createStore } from "../../app/adapters/store/store.ts";
import { appKeys, KEYS, SILENT } from "../adapters/store/open-store.ts";
import { locationPayload } from "../sandbox/admin/payloads.ts";
import { webhookSignature } from "../sandbox/admin/signing.ts";
import { createVisitor } from "../sandbox/play/visitor.ts";
import { startSandbox } from "../sandbox/start.ts";
import type { Sandbox } from "../sandbox/start.ts";
import { IS_WHOLE } from "../whole.ts";

/**
 * The built app is asked to stop (SIGTERM) while signed webhooks come: each is answered 200 and kept, or its connection is refused, so that
 * its sender knows that nothing was taken. At length: ten stops, on connections that are kept, as a proxy's, and on new ones.
 */

/** So many send side by side, each so often: 200 a second, or as many as a slow machine can. */
const SENDERS = 8;
const EACH_EVERY_MS = 40;
/** From the first webhook to the stop. */
const BEFORE_MS = 700;
const STOPS = IS_WHOLE ? 10 : 2;
/**
 * The app closes its connections when nothing has come for a quarter of a second. These senders are one process: put off for about as long, as
 * on a machine that does much else, all of them are quiet, and what they send next meets a closed connection.
 */
const PUT_OFF_MS = 150;

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ shops: 1, appEnv: { APP_KEYS: appKeys("k1") } });
  await createVisitor({ adminUrl: sandbox.adminUrl, store: sandbox.stores[0]!.handle }).open("/app");
});
afterAll(() => sandbox?.stop());

interface Told {
  answered: string[];
  refused: number;
  /** What was reset: its sender cannot know whether it was taken. */
  reset: string[];
  /** A word for each that was none of these. */
  unanswered: string[];
}

/** Until `ended` is true and all that was sent has its end. */
async function flood(agent: Agent, ended: () => boolean): Promise<Told & { sent: number }> {
  const { state } = sandbox.admin;
  const path = new URL(state.config.subscriptions.get("locations/update")!, "http://app").pathname;
  const [shop] = state.shops.values();
  const bodies = [...shop!.locations.values()].map((location) => {
    const body = JSON.stringify(locationPayload(location));
    return { body, signature: webhookSignature(state, body) };
  });
  const told: Told = { answered: [], refused: 0, reset: [], unanswered: [] };
  const send = async (number: number): Promise<void> => {
    const { body, signature } = bodies[number % bodies.length]!;
    const id = randomUUID();
    try {
      const { statusCode, body: rest } = await request(`${sandbox.app.url}${path}`, {
        method: "POST",
        dispatcher: agent,
        headers: {
          "content-type": "application/json",
          "x-shopify-api-version": state.config.apiVersion,
          "x-shopify-hmac-sha256": signature,
          "x-shopify-shop-domain": shop!.domain,
          "x-shopify-topic": "locations/update",
          "x-shopify-triggered-at": new Date().toISOString(),
          "x-shopify-webhook-id": id,
        },
        body,
      });
      await rest.dump();
      if (statusCode === 200) told.answered.push(id);
      else told.unanswered.push(String(statusCode));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === "ECONNREFUSED") told.refused += 1;
      else if (code === "ECONNRESET") told.reset.push(id);
      else told.unanswered.push(code ?? message);
    }
  };
  let sent = 0;
  const senders = Array.from({ length: SENDERS }, async (_one, index) => {
    await pause((index * EACH_EVERY_MS) / SENDERS);
    while (!ended()) await Promise.all([send((sent += 1)), pause(EACH_EVERY_MS)]);
  });
  await Promise.all(senders);
  return { ...told, sent };
}

const stopsLogged = () => readFileSync(sandbox.app.logFile, "utf8").split('"msg":"stopped"').length - 1;

test.each(Array.from({ length: STOPS }, (_, number) => ({ stop: number + 1, kept: number % 2 === 0 })))(
  "stop $stop under 200 webhooks a second leaves none unanswered and loses none (connections are kept: $kept)",
  async ({ stop, kept }) => {
    if (!sandbox.app.running()) await sandbox.app.start();
    const agent = new Agent({ connections: 64, pipelining: kept ? 1 : 0 });
    let hasEnded = false;
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const flooded = flood(agent, () => hasEnded);
    await pause(BEFORE_MS);
    // The process ends by itself: after a minute it would be killed, and not say so.
    await sandbox.app.stop();
    hasEnded = true;
    const { sent, answered, refused, reset, unanswered } = await flooded;
    await agent.destroy();
    delay.disable();
    expect(unanswered).toEqual([]);
    if (delay.max / 1e6 < PUT_OFF_MS) expect(reset).toEqual([]);
    expect(answered.length + refused + reset.length).toBe(sent);
    expect(answered.length).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
    await expect.poll(stopsLogged).toBe(stop);

    const url = `file:${join(sandbox.dataDir, "origen.db")}`;
    const store = await createStore({ url, keys: KEYS, log: SILENT });
    const { domain } = [...sandbox.admin.state.shops.values()][0]!;
    const receiptsOf = (ids: string[]) =>
      Promise.all(ids.map((webhookId) => store.receipts.find({ shop: domain, webhookId })));
    const [found, ofReset] = await Promise.all([receiptsOf(answered), receiptsOf(reset)]).finally(() => store.close());
    expect(found.filter((one) => !one)).toEqual([]);
    // Nothing of theirs was taken, so that sending it again does nothing twice.
    expect(ofReset.filter((one) => one)).toEqual([]);
  },
);
