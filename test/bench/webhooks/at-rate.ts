import { availableParallelism } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "@libsql/client";
import pg from "pg";
import { startEmbedded } from "../../../scripts/postgres-server.ts";
import { locationPayload } from "../../sandbox/admin/payloads.ts";
import { ONE_ADDRESS } from "../../sandbox/play/one-shop.ts";
import { createVisitor } from "../../sandbox/play/visitor.ts";
import { startSandbox, type Sandbox } from "../../sandbox/start.ts";
import { round } from "../cluster/cluster.ts";
import { cpuOf, postmasterOf } from "../cluster/server.ts";
import type { BenchRow } from "../run.ts";
import { rowsNamed } from "./rows.ts";
import { makeWebhook, quantile, startSender, type Order } from "./sender.ts";

/**
 * Webhooks at a fixed rate to the built server, as Shopify sends them: signed, over HTTP, to one process after another, each about one of many
 * shops' locations. What one waits counts from the time at which it was due, so that nothing hides behind a process that is busy. The
 * runs that the webhooks ask for go on meanwhile, and cost what they cost.
 */

const SHOPS = 20;
const LOCATIONS = 10;
const WARM_UP_MS = 5_000;
const LOOK_MS = 200;

export interface AtRate {
  perSecond: number;
  forMs: number;
  /** More than one on PostgreSQL alone. */
  processes: number;
  postgres: boolean;
  goalP99Ms: number;
}

export async function webhooksAtRate({
  perSecond,
  forMs,
  processes,
  postgres,
  goalP99Ms,
}: AtRate): Promise<BenchRow[]> {
  const server = postgres ? await startEmbedded() : null;
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
    ...(server && { databaseUrl: server.url }),
    processes,
    stores,
    appEnv: { LOG_LEVEL: "warn" },
  });
  const database = server ? await openServer(server.url) : openFile(sandbox);
  const sender = startSender();
  try {
    for (const { handle } of stores) await createVisitor({ adminUrl: sandbox.adminUrl, store: handle }).open("/app");
    await untilAtRest(database);
    const order = orderTo(sandbox, perSecond);
    await sender.send({ ...order, forMs: WARM_UP_MS });
    const costs = () => ({
      processes: sandbox.apps.reduce((sum, app) => sum + cpuOf(app.pid()!), 0),
      database: database.cpuMs(),
      shopify: process.cpuUsage(),
    });
    const before = costs();
    const sent = await sender.send({ ...order, forMs });
    const after = costs();
    const kept = new Set((await database.query('SELECT "webhookId" AS "is" FROM "Receipt"')).map(({ is }) => is));
    const lost = sent.answered.filter((id) => !kept.has(id)).length;
    const all = sent.ids.filter((id) => kept.has(id)).length;
    const shopify = process.cpuUsage(before.shopify);
    const each = {
      processes: (after.processes - before.processes) / all,
      database: (after.database - before.database) / all,
      sender: sent.cpuMs / all,
      shopify: (shopify.user + shopify.system) / 1_000 / all,
    };
    const sum = Object.values(each).reduce((a, b) => a + b, 0);
    const cores = availableParallelism();
    const p99 = quantile(sent.tookMs, 0.99);
    const name = `webhooks, ${perSecond} a second, ${processes === 1 ? "one process" : `${processes} processes`} on ${postgres ? "PostgreSQL" : "SQLite"}`;
    const { told, none } = rowsNamed(name);
    const cost = (what: string, ms: number) => told(`processor for each that was kept: ${what}`, round(ms), "ms");
    return [
      told("sent", sent.ids.length),
      told("answered a second", Math.round(sent.answered.length / (sent.lastedMs / 1_000))),
      none("not answered with 200 in five seconds", sent.ids.length - sent.answered.length),
      // One that was refused, or answered too late, comes again.
      none("answered with 200 and lost", lost),
      told("half answered within", quantile(sent.tookMs, 0.5), "ms"),
      { ...told("p99", p99, "ms"), goal: `≤ ${goalP99Ms}`, met: p99 <= goalP99Ms },
      told("slowest", quantile(sent.tookMs, 1), "ms"),
      cost("the app, with its runs", each.processes),
      ...(server ? [cost("the database", each.database)] : []),
      cost("the sender", each.sender),
      cost("the sandbox's Shopify", each.shopify),
      told(`a second that ${cores} idle cores allow at that cost`, Math.round((cores * 1_000) / sum)),
    ];
  } finally {
    await sender.stop();
    await database.close();
    await sandbox.stop();
    await server?.stop();
  }
}

/** What looks into the app's database from outside. */
interface Beside {
  query(text: string): Promise<{ is: unknown }[]>;
  cpuMs(): number;
  close(): Promise<void>;
}

async function openServer(url: string): Promise<Beside> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const postmaster = await postmasterOf(pool);
  return {
    query: async (text) => (await pool.query<{ is: unknown }>(text)).rows,
    cpuMs: () => (postmaster === null ? NaN : cpuOf(postmaster)),
    close: () => pool.end(),
  };
}

/** SQLite works in the app's own process. */
function openFile({ dataDir }: Sandbox): Beside {
  const client = createClient({ url: `file:${dataDir}/origen.db` });
  return {
    query: async (text) => (await client.execute(text)).rows as unknown as { is: unknown }[],
    cpuMs: () => 0,
    close: async () => client.close(),
  };
}

/** The shops have just come; what that asks for is done. */
async function untilAtRest({ query }: Beside): Promise<void> {
  const due = 'SELECT 1 AS "is" FROM "Target" WHERE "wanted" > "seen" AND "state" = \'active\'';
  while ((await query(due)).length > 0) await pause(LOOK_MS);
}

function orderTo({ apps, admin, apiSecret }: Sandbox, perSecond: number): Omit<Order, "forMs"> {
  const { config, shops } = admin.state;
  const path = new URL(config.subscriptions.get("locations/update")!, "http://app").pathname;
  const made = [...shops.values()].flatMap(({ domain, locations }) =>
    [...locations.values()].map((location) =>
      makeWebhook({ shop: domain, payload: locationPayload(location), apiSecret, apiVersion: config.apiVersion }),
    ),
  );
  return { made, urls: apps.map(({ url }) => `${url}${path}`), pace: { perSecond } };
}
