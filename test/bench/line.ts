import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { NEVER_MS } from "../../app/domain/backoff.ts";
import { startNode } from "./budget/stand-in.ts";
import { startBenchServer, type BenchServer } from "./cluster/server.ts";
import type { BenchRow } from "./run.ts";

/**
 * The line of shops that all workers claim from, on PostgreSQL with `--shops` and ten times as many work items, half as many due as there
 * are shops, and one shop with 2,000. Three processes claim and end all that is due; meanwhile a quiet shop gets a new one.
 */

const CLAIMER = join(import.meta.dirname, "line/processes/claimer.ts");
const PROCESSES = 3;
/** How many a process claims at once. */
const ROOM = 100;
const HOG = 2_000;
const GOALS = { perSecond: 4_000, quietMs: 1_000 };

export async function bench(argv: string[]): Promise<BenchRow[]> {
  const { values } = parseArgs({ args: argv, options: { shops: { type: "string", default: "100000" } } });
  const shops = Number(values.shops);
  const server = await startBenchServer([]);
  try {
    console.log(`Writing ${10 * shops} work items of ${shops} shops …`);
    await fill(server, shops);
    const claimers = await Promise.all(Array.from({ length: PROCESSES }, () => startClaimer(server.url)));
    const cpuMs = server.cpuMs();
    const beganMs = performance.now();
    const done = claimers.map((go) => go());
    const quiet = await askQuiet(server);
    const all = await Promise.all(done);
    const lastedMs = performance.now() - beganMs;
    const spentMs = cpuMs === null ? null : server.cpuMs()! - cpuMs;
    const claimed = all.reduce((sum, each) => sum + each.claimed, 0);
    const [found] = await server.query<{ twice: number; left: number }>(
      `SELECT count(*) FILTER (WHERE "fence" > 1)::int AS twice, count(*) FILTER (WHERE "dueAtMs" <= 2000 AND "fence" = 0)::int AS left FROM "Target"`,
    );
    const perSecond = Math.round((claimed / lastedMs) * 1_000);
    const zero = (name: string, figure: number) => ({ name, figure, unit: "", goal: "0", met: figure === 0 });
    const told = (name: string, figure: number | string, unit: string) => ({
      name,
      figure,
      unit,
      goal: "told",
      met: true,
    });
    return [
      told("work items due", claimed, ""),
      {
        name: "claims and ends a second",
        figure: perSecond,
        unit: "",
        goal: `≥ ${GOALS.perSecond}`,
        met: perSecond >= GOALS.perSecond,
      },
      zero("claimed twice", found!.twice),
      zero("due and never claimed", found!.left),
      {
        name: "a quiet shop's new one is claimed after",
        figure: quiet.afterMs,
        unit: "ms",
        goal: `≤ ${GOALS.quietMs}`,
        met: quiet.afterMs <= GOALS.quietMs,
      },
      told("others due at that time", quiet.due, ""),
      told("slowest claim", Math.round(Math.max(...all.map(({ worstMs }) => worstMs))), "ms"),
      told("server's processor, a claim and its end", spentMs === null ? "unknown" : round(spentMs / claimed), "ms"),
      told("a process's own", round(all.reduce((sum, each) => sum + each.cpuMs, 0) / claimed), "ms"),
    ];
  } finally {
    await server.stop();
  }
}

const round = (value: number) => Math.round(value * 1_000) / 1_000;

/** Every shop has a reconcile in some hours, and nine locations; of every second one a location is due. */
async function fill(server: BenchServer, shops: number): Promise<void> {
  const shop = (number: string) => `'shop-' || lpad((${number})::text, 7, '0')`;
  await server.query(
    `INSERT INTO "Shop" ("shop", "timeZone", "policies", "contact", "revision", "installedAtMs") SELECT ${shop("i")}, 'UTC', '{}', '{}', 0, 0 FROM generate_series(0, ${shops - 1}) i`,
  );
  const item = `INSERT INTO "Target" ("id", "shop", "kind", "key", "wanted", "seen", "dueAtMs", "fence", "failures", "state", "updatedAtMs")`;
  await server.query(
    `${item} SELECT 'item ' || i, ${shop(`i % ${shops}`)}, CASE WHEN i < ${shops} THEN 'reconcile' ELSE 'location' END, i, 1, 1,
      CASE WHEN i < ${shops} THEN ${Date.now()} + 3600000 * (1 + i % 6) WHEN i < ${2 * shops} AND i % 2 = 0 THEN 1000 + i % 1000 ELSE ${NEVER_MS} END, 0, 0, 'active', 0
      FROM generate_series(0, ${10 * shops - 1}) i`,
  );
  await server.query(
    `${item} SELECT 'hog ' || i, ${shop("500")}, 'location', 'hog ' || i, 1, 0, 500, 0, 0, 'active', 0 FROM generate_series(1, ${HOG}) i`,
  );
  await server.query("VACUUM ANALYZE");
}

interface Claimed {
  claimed: number;
  worstMs: number;
  cpuMs: number;
}

/** Ready to begin when it is told. */
async function startClaimer(url: string): Promise<() => Promise<Claimed>> {
  const child = startNode(CLAIMER, [url, String(ROOM)]);
  const lines = createInterface({ input: child.stdout! });
  await once(lines, "line");
  return async () => {
    const said = once(lines, "line");
    child.stdin!.write("go\n");
    return JSON.parse(String((await said)[0])) as Claimed;
  };
}

/** A shop that had nothing to do gets something, when a fifth of the work is done. */
async function askQuiet(server: BenchServer): Promise<{ afterMs: number; due: number }> {
  const due = async () =>
    (
      await server.query<{ due: number }>(
        `SELECT count(*)::int AS due FROM "Target" WHERE "state" = 'active' AND "dueAtMs" <= 2000`,
      )
    )[0]!.due;
  const all = await due();
  while ((await due()) > 0.8 * all);
  const waiting = await due();
  const beganMs = performance.now();
  const id = "item 1";
  await server.query(`UPDATE "Target" SET "dueAtMs" = ${Date.now()}, "wanted" = 2 WHERE "id" = '${id}'`);
  const isClaimed = async () =>
    (await server.query<{ fence: number }>(`SELECT "fence" FROM "Target" WHERE "id" = '${id}'`))[0]!.fence > 0;
  while (!(await isClaimed()));
  return { afterMs: Math.round(performance.now() - beganMs), due: waiting };
}
