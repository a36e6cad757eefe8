import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import pg from "pg";
import { API_VERSION } from "../../../app/adapters/shopify/app.ts";
import { migratePostgres } from "../../../app/adapters/store/postgresql/migrate.ts";
import { startEmbedded } from "../../../scripts/postgres-server.ts";
import { freshDatabase } from "../../adapters/store/fresh-database.ts";
import { end } from "../budget/stand-in.ts";
import { mean, round } from "../cluster/cluster.ts";
import { cpuOf } from "../cluster/server.ts";
import type { BenchRow } from "../run.ts";
import type { BothRoutes } from "./processes/both-routes.ts";
import { rowsNamed } from "./rows.ts";
import { makeWebhook, startSender } from "./sender.ts";
import { TEMPLATE_PATH } from "./template.ts";

/**
 * How many webhooks a second our route takes beside the template's bare one. Both stand on one server and take turns, so whatever else the
 * machine does hits both alike: the figure is the median of the ratios of the rounds. Ours keeps the receipt and the work item;
 * the template's looks up the session and keeps nothing.
 */

const SHOPS = 20;
const LOCATIONS = 10;
const AT_ONCE = 64;
const LEAST_RATIO = 0.8;
const MIGRATIONS = new URL("../../../prisma/postgresql/migrations/", import.meta.url);
/** `npm start` gives the app as much for what is young. */
const AS_THE_APP = ["--max-semi-space-size=16"];

export interface Rounds {
  rounds: number;
  /** Of each route in a round. */
  forMs: number;
}

export async function besideTemplate(postgres: boolean, { rounds, forMs }: Rounds): Promise<BenchRow[]> {
  const database = postgres ? await freshServer() : await freshDatabase();
  const apiSecret = randomBytes(32).toString("hex");
  const shops = Array.from({ length: SHOPS }, (_, index) => `shop-${index + 1}.myshopify.com`);
  const given: BothRoutes = { databaseUrl: database.url, shops, apiSecret };
  const child = fork(join(import.meta.dirname, "processes/both-routes.ts"), [JSON.stringify(given)], {
    execArgv: AS_THE_APP,
    // Both log a line or two for each webhook, which nobody reads.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const sender = startSender();
  try {
    const started = once(child, "message") as Promise<[number]>;
    const ended = once(child, "exit").then(() => Promise.reject(new Error("the server with both routes has ended")));
    const [port] = await Promise.race([started, ended]);
    const made = shops.flatMap((shop) =>
      Array.from({ length: LOCATIONS }, (_, index) =>
        makeWebhook({ shop, payload: payloadOf(index + 1), apiSecret, apiVersion: API_VERSION }),
      ),
    );
    const ask = async (path: string) => {
      const url = `http://127.0.0.1:${port}${path}`;
      const before = cpuOf(child.pid!);
      const sent = await sender.send({ made, urls: [url], forMs, pace: { atOnce: AT_ONCE } });
      const { answered, ids, lastedMs } = sent;
      const cpuMs = (cpuOf(child.pid!) - before) / answered.length;
      return { answered, refused: ids.length - answered.length, aSecond: (answered.length * 1_000) / lastedMs, cpuMs };
    };
    await ask("/webhooks");
    await ask(TEMPLATE_PATH);
    const seen: Record<"ours" | "theirs", Awaited<ReturnType<typeof ask>>>[] = [];
    while (seen.length < rounds) seen.push({ ours: await ask("/webhooks"), theirs: await ask(TEMPLATE_PATH) });
    const kept = new Set(await receiptsIn(database.url));
    const lost = seen.flatMap(({ ours }) => ours.answered).filter((id) => !kept.has(id)).length;
    const refused = seen.reduce((sum, { ours, theirs }) => sum + ours.refused + theirs.refused, 0);
    const ratio = round(median(seen.map(({ ours, theirs }) => ours.aSecond / theirs.aSecond)));
    const name = `beside the template's route, ${postgres ? "PostgreSQL" : "SQLite"}`;
    const { told, none } = rowsNamed(name);
    return [
      {
        ...told("webhooks a second, ours ÷ the template's", ratio),
        goal: `≥ ${LEAST_RATIO}`,
        met: ratio >= LEAST_RATIO,
      },
      told("ours, webhooks a second", Math.round(mean(seen.map(({ ours }) => ours.aSecond)))),
      told("the template's, webhooks a second", Math.round(mean(seen.map(({ theirs }) => theirs.aSecond)))),
      told("ours, the server's processor for each", round(median(seen.map(({ ours }) => ours.cpuMs))), "ms"),
      told("the template's, the server's processor", round(median(seen.map(({ theirs }) => theirs.cpuMs))), "ms"),
      none("not answered with 200", refused),
      none("ours, answered with 200 and lost", lost),
    ];
  } finally {
    await sender.stop();
    await end(child, "SIGKILL");
    await database.remove();
  }
}

async function freshServer() {
  const server = await startEmbedded();
  await migratePostgres({ url: server.url, folder: MIGRATIONS });
  return { url: server.url, remove: () => server.stop() };
}

/** As Shopify tells of a location. */
function payloadOf(id: number): Record<string, unknown> {
  const address = { address1: "Avenida Vallarta 100", address2: "Americana", city: "Guadalajara", zip: "44160" };
  const where = {
    country: "MX",
    country_code: "MX",
    country_name: "Mexico",
    province: "Jalisco",
    province_code: "JAL",
  };
  const times = { created_at: "2026-01-05T10:00:00-06:00", updated_at: new Date().toISOString() };
  return {
    id,
    name: `Location ${id}`,
    ...address,
    ...where,
    ...times,
    phone: "+523336150000",
    legacy: false,
    active: true,
    admin_graphql_api_id: `gid://shopify/Location/${id}`,
  };
}

async function receiptsIn(url: string): Promise<string[]> {
  const text = 'SELECT "webhookId" FROM "Receipt"';
  if (url.startsWith("file:")) {
    const client = createClient({ url });
    const { rows } = await client.execute(text).finally(() => client.close());
    return rows.map(({ webhookId }) => String(webhookId));
  }
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ webhookId: string }>(text).finally(() => client.end());
  return rows.map(({ webhookId }) => webhookId);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
