import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import type { ConnectionRef } from "../../../app/ports.ts";
import type { Behaviour } from "../../sandbox/shipping/options.ts";
import { end, startNode, startStandIn, type StandIn } from "../budget/stand-in.ts";
import type { ClusterLoad, Counted } from "./load.ts";
import { startBenchServer, type BenchServer } from "./server.ts";

/** Three processes under load on one PostgreSQL server, and what they, the server and the stand-in count over a time. */

const LOAD = join(import.meta.dirname, "load.ts");
const AN_HOUR_AHEAD = `--import=${join(import.meta.dirname, "../../adapters/shipping/slots/processes/an-hour-ahead.ts")}`;

const PROCESSES = 3;
const GRACE_MS = 2_000;
/** As the adapter holds a slot: 5 s to the bytes, 10 s for the request, the grace, a second. */
export const HOLD_MS = 18_000;
const LONGEST_WAY_MS = 400;
const WARM_UP_MS = 6_000;

export interface Window {
  lastedMs: number;
  /** Of each client id: arrivals against 2/(1 + round trip). */
  shares: number[];
  /** Calls of the two shops with one client id. */
  shared: number[];
  calls: number;
  roundTripMs: number;
  /** A call. */
  databaseMs: number;
  processMs: number;
  transactions: number;
  failed: string;
}

export interface Cluster {
  server: BenchServer;
  standIn: StandIn;
  /** What came and went between the beginning and the end of `work`. */
  measured(work: () => Promise<void>): Promise<{ window: Window }>;
  /** Kills one process, lets the time pass, and gives the slot time that was lost to the kill. */
  kill(thenMs: number): Promise<number>;
  stop(): Promise<Awaited<ReturnType<StandIn["report"]>>>;
}

export async function startCluster(options: {
  shops: number;
  sharing: boolean;
  everywhere: boolean;
  clocks: boolean;
  warmUpMs?: number;
  behaviour?: Partial<Behaviour>;
}): Promise<Cluster> {
  const { shops: count, sharing, everywhere, clocks, warmUpMs = WARM_UP_MS, behaviour } = options;
  const shops = Array.from({ length: count }, (_, index): ConnectionRef => {
    const number = sharing && index === count - 1 ? index : index + 1;
    const shop = `shop-${index + 1}`;
    return { id: shop, version: 1, shop, environment: "test", clientId: `test-client-${number}` };
  });
  const server = await startBenchServer(shops);
  const standIn = await startStandIn({ clients: count, ...(behaviour && { behaviour }) });
  await standIn.setFaults([{ kind: "slow", way: "in", delayMs: [0, LONGEST_WAY_MS] }]);
  const loads = Array.from({ length: PROCESSES }, (_, index) => {
    const own = everywhere ? shops : shops.filter((_each, number) => number % PROCESSES === index);
    const load: ClusterLoad = { url: standIn.testUrl, databaseUrl: server.url, graceMs: GRACE_MS, shops: own };
    const env: Record<string, string> = clocks && index > 0 ? { NODE_OPTIONS: AN_HOUR_AHEAD } : {};
    return asked(startNode(LOAD, [JSON.stringify(load)], { env }));
  });
  await Promise.all(loads.map(({ line }) => line()));
  await pause(warmUpMs);

  const look = async () => {
    const living = loads.filter(({ child }) => child.signalCode === null);
    const counted = await Promise.all(living.map(({ ask }) => ask()));
    const [row] = await server.query<{ n: string }>(
      "SELECT xact_commit + xact_rollback AS n FROM pg_stat_database WHERE datname = current_database()",
    );
    const atMs = performance.now();
    return {
      atMs,
      counted,
      report: await standIn.report(),
      cpuMs: server.cpuMs() ?? NaN,
      transactions: Number(row!.n),
    };
  };

  return {
    server,
    standIn,
    async measured(work) {
      const before = await look();
      await work();
      const after = await look();
      const sum = (of: (counted: Counted) => number) => {
        const was = after.counted.length === before.counted.length ? total(before.counted.map(of)) : 0;
        return total(after.counted.map(of)) - was;
      };
      const lastedMs = after.atMs - before.atMs;
      const roundTripMs = sum(({ roundTripsMs }) => roundTripsMs) / sum(({ answered }) => answered);
      const most = (2 * lastedMs) / (1_000 + roundTripMs);
      const arrived = (key: string) =>
        after.report.arrivals[key]!.total - (before.report.arrivals[key] ?? { total: 0 }).total;
      const calls = after.report.calls - before.report.calls;
      const ofShop = (shop: string) => sum((each) => each.calls[shop] ?? 0);
      const failed = new Map<string, number>();
      for (const each of after.counted)
        for (const [kind, times] of Object.entries(each.failed)) failed.set(kind, (failed.get(kind) ?? 0) + times);
      const window: Window = {
        lastedMs,
        shares: Object.keys(after.report.arrivals).map((key) => arrived(key) / most),
        shared: sharing ? [ofShop(`shop-${count - 1}`), ofShop(`shop-${count}`)] : [],
        calls,
        roundTripMs,
        databaseMs: round((after.cpuMs - before.cpuMs) / calls),
        processMs: round(sum(({ cpuMs }) => cpuMs) / calls),
        transactions: round((after.transactions - before.transactions) / calls),
        failed: [...failed].map(([kind, times]) => `${kind} × ${times}`).join(", ") || "none",
      };
      return { window };
    },
    async kill(thenMs) {
      await end(loads[0]!.child, "SIGKILL");
      const [killed] = await server.query<{ now: string }>("SELECT clock_timestamp()::text AS now");
      // By then whoever lives has given back what it had under way at the kill, whose time is not over.
      await pause(3_000);
      const [lost] = await server.query<{ ms: number | null }>(
        `SELECT sum(extract(epoch FROM f - '${killed!.now}'::timestamptz) * 1000)::float8 AS ms
         FROM budget.key, unnest(ARRAY["free_0", "free_1"]) f
         WHERE "key" LIKE 'client %' AND f > clock_timestamp() AND f <= '${killed!.now}'::timestamptz + interval '${HOLD_MS + 50} ms'
         AND f > '${killed!.now}'::timestamptz + interval '10 s'`,
      );
      await pause(thenMs - 3_000);
      return lost!.ms ?? 0;
    },
    async stop() {
      await Promise.all(loads.map(({ child }) => end(child, "SIGKILL")));
      const report = await standIn.report();
      await standIn.stop();
      await server.stop();
      return report;
    },
  };
}

/** A process that answers each line it is sent with one of its own. */
function asked(child: ChildProcess) {
  const lines = createInterface({ input: child.stdout! });
  const line = async () => {
    const said = await Promise.race([once(lines, "line"), once(child, "exit").then(() => null)]);
    if (said === null) throw new Error(`the load ended with ${child.exitCode ?? child.signalCode}`);
    return String(said[0]);
  };
  return {
    child,
    line,
    async ask(): Promise<Counted> {
      const answer = line();
      child.stdin!.write("\n");
      return JSON.parse(await answer) as Counted;
    },
  };
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function total(numbers: number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

export function mean(numbers: number[]): number {
  return total(numbers) / numbers.length;
}
