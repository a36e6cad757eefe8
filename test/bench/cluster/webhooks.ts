import { randomUUID } from "node:crypto";
import pg from "pg";
import { Agent, request } from "undici";
import { startEmbedded } from "../../../scripts/postgres-server.ts";
import { locationPayload } from "../../sandbox/admin/payloads.ts";
import { webhookSignature } from "../../sandbox/admin/signing.ts";
import { ONE_ADDRESS } from "../../sandbox/play/one-shop.ts";
import { createVisitor } from "../../sandbox/play/visitor.ts";
import { startSandbox, type Sandbox } from "../../sandbox/start.ts";
import type { BenchRow } from "../run.ts";
import { atPace } from "./at-pace.ts";
import { round } from "./cluster.ts";
import { cpuOf, postmasterOf } from "./server.ts";

/**
 * Webhooks at a fixed rate over three processes of the built server, as Shopify sends them: signed, over HTTP, to one process after
 * another, each about one of many shops. What it waits for counts from the time at which it was due, so that nothing hides behind a
 * process that is busy. The runs that the webhooks ask for go on meanwhile.
 */

const PROCESSES = 3;
const SHOPS = 20;
const LOCATIONS = 10;
const GOAL_P99_MS = 100;
/** Shopify gives up then, and comes again. */
const ANSWERED_WITHIN_MS = 5_000;
const WARM_UP_MS = 5_000;

export async function webhooksOverThree(input: { perSecond: number; forMs: number }): Promise<BenchRow[]> {
  const { perSecond, forMs } = input;
  const server = await startEmbedded();
  const stores = Array.from({ length: SHOPS }, (_, shop) => ({
    handle: `store-${shop}`,
    name: `Store ${shop}`,
    locations: Array.from({ length: LOCATIONS }, (_each, number) => ({
      name: `Location ${number}`,
      fulfillsOnlineOrders: true,
      address: ONE_ADDRESS,
    })),
  }));
  const sandbox = await startSandbox({
    databaseUrl: server.url,
    processes: PROCESSES,
    stores,
    appEnv: { LOG_LEVEL: "warn" },
  });
  const pool = new pg.Pool({ connectionString: server.url, max: 1 });
  const agent = new Agent({ connections: 64, keepAliveTimeout: 60_000 });
  try {
    for (const { handle } of stores) await createVisitor({ adminUrl: sandbox.adminUrl, store: handle }).open("/app");
    await flood(sandbox, { agent, perSecond, forMs: WARM_UP_MS });
    const postmaster = await postmasterOf(pool);
    const processors = () => ({
      database: postmaster === null ? NaN : cpuOf(postmaster),
      processes: sandbox.apps.reduce((sum, app) => sum + cpuOf(app.pid()!), 0),
    });
    const before = processors();
    const sent = await flood(sandbox, { agent, perSecond, forMs });
    const after = processors();
    const { rows } = await pool.query<{ kept: number }>(
      'SELECT count(*)::int AS kept FROM "Receipt" WHERE "webhookId" = ANY($1)',
      [sent.ids],
    );
    const { rows: promised } = await pool.query<{ lost: number }>(
      'SELECT count(*)::int AS lost FROM unnest($1::text[]) AS id WHERE NOT EXISTS (SELECT FROM "Receipt" WHERE "webhookId" = id)',
      [sent.answered],
    );
    const times = sent.tookMs.toSorted((a, b) => a - b);
    const at = (part: number) => Math.round(times[Math.ceil(times.length * part) - 1] ?? NaN);
    const name = `webhooks, ${perSecond} a second over three processes`;
    const each = (ms: number) => round(ms / rows[0]!.kept);
    const zero = (what: string, figure: number) => ({
      name: `${name}: ${what}`,
      figure,
      unit: "",
      goal: "0",
      met: figure === 0,
    });
    const told = (what: string, figure: number, unit: string) => ({
      name: `${name}: ${what}`,
      figure,
      unit,
      goal: "told",
      met: true,
    });
    return [
      told("sent", sent.ids.length, ""),
      told("answered a second", Math.round(sent.tookMs.length / (sent.lastedMs / 1_000)), ""),
      zero("not answered with 200 in five seconds", sent.refused),
      // One that was refused, or answered too late, comes again.
      zero("answered with 200 and lost", promised[0]!.lost),
      told("database's processor for one that was kept", each(after.database - before.database), "ms"),
      told("processes' processor for one that was kept, with its runs", each(after.processes - before.processes), "ms"),
      told("half answered within", at(0.5), "ms"),
      { name: `${name}: p99`, figure: at(0.99), unit: "ms", goal: `≤ ${GOAL_P99_MS}`, met: at(0.99) <= GOAL_P99_MS },
      told("slowest", at(1), "ms"),
    ];
  } finally {
    await agent.destroy();
    await pool.end();
    await sandbox.stop();
    await server.stop();
  }
}

async function flood(sandbox: Sandbox, input: { agent: Agent; perSecond: number; forMs: number }) {
  const { agent, perSecond, forMs } = input;
  const { state } = sandbox.admin;
  const path = new URL(state.config.subscriptions.get("locations/update")!, "http://app").pathname;
  // Made before, so that the flood costs the machine little.
  const made = [...state.shops.values()].flatMap((shop) =>
    [...shop.locations.values()].map((location) => {
      const body = JSON.stringify(locationPayload(location));
      return { body, shop: shop.domain, signature: webhookSignature(state, body) };
    }),
  );
  const ids: string[] = [];
  const answered: string[] = [];
  const tookMs: number[] = [];
  let refused = 0;
  const send = async (number: number, dueMs: number): Promise<void> => {
    const { body, shop, signature } = made[(number * 7) % made.length]!;
    const id = randomUUID();
    ids.push(id);
    const answer = await request(`${sandbox.apps[number % PROCESSES]!.url}${path}`, {
      method: "POST",
      dispatcher: agent,
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
      headers: {
        "content-type": "application/json",
        "user-agent": "Shopify-Captain-Hook",
        "x-shopify-api-version": state.config.apiVersion,
        "x-shopify-event-id": randomUUID(),
        "x-shopify-hmac-sha256": signature,
        "x-shopify-shop-domain": shop,
        "x-shopify-topic": "locations/update",
        "x-shopify-triggered-at": new Date().toISOString(),
        "x-shopify-webhook-id": id,
      },
      body,
    }).catch(() => null);
    await answer?.body.dump();
    if (answer?.statusCode === 200) {
      tookMs.push(performance.now() - dueMs);
      answered.push(id);
    } else refused += 1;
  };
  const beganMs = performance.now();
  await atPace({ perSecond, forMs }, send);
  return { ids, answered, tookMs, refused, lastedMs: performance.now() - beganMs };
}
