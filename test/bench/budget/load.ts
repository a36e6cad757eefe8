import { once } from "node:events";
import v8 from "node:v8";
import vm from "node:vm";
import { createClock } from "../../../app/adapters/machine/clock.ts";
import { createRandom } from "../../../app/adapters/machine/random.ts";
import { createBottleneckLine } from "../../../app/adapters/shipping/budget.ts";
import { createNetwork, TIMEOUTS, type Exchange } from "../../../app/adapters/shipping/network.ts";
import { assembleShippingService, type RunningShippingService } from "../../../app/adapters/shipping/service.ts";
import type { StoredConnection } from "../../../app/ports.ts";
import { AppError } from "../../../app/domain/errors.ts";
import type { ConnectionRef, Log, Priority } from "../../../app/ports.ts";
import { createMeter, type Meter, type Use } from "./meter.ts";

/** A process that keeps the budgets of many shops busy, as the true adapter would; prints what it measured as one line of JSON. */

export interface LoadOptions {
  url: string;
  shops: number;
  warmUpMs: number;
  /** Null: until killed. */
  durationMs: number | null;
  graceMs: number;
  openAtOnce: boolean;
  /** Waits, loaded and ready, for a byte on standard input: a restart that takes no time. */
  standBy: boolean;
  /** How long the event loop is held once a second. */
  stallMs: number;
  /** Jobs that are due in the background of each shop; few of them are in the limiter at a time. */
  jobsDue: number;
  /** Mean time between interactive calls of a shop; null: none. */
  interactiveEveryMs: number | null;
}

export interface LoadResult {
  uses: Use[];
  /** Milliseconds from an interactive call to its first byte. */
  waitsMs: number[];
  roundTripMs: number;
  faults: Record<string, number>;
  /** Of one core. */
  cpuShare: number;
  heapMb: number;
}

/** As many as keep both slots and their line busy; the rest stays where it is due. */
const IN_LIMITER = 4;

const options = JSON.parse(process.argv[2]!) as LoadOptions;
if (options.standBy) {
  console.log("standing by");
  await once(process.stdin, "data");
}
const clock = createClock();
const random = createRandom();
const faults: Record<string, number> = {};

/** Counts what went wrong, and learns of pauses as an operator would: from the budget's own state. */
const log: Log = { info: () => undefined, error: () => undefined, warn: noteFault };

const network = createNetwork({ test: options.url, production: null }, TIMEOUTS);
const meter: Meter = createMeter(network, shopOf);
const connections = new Map(
  Array.from({ length: options.shops }, (_, index) => [`shop-${index + 1}`, connect(index + 1)]),
);
const byToken = new Map<string, string>();
const service: RunningShippingService = assembleShippingService({
  userAgent: "Origen/bench",
  clock,
  random,
  log,
  network: meter.network,
  line: createBottleneckLine(),
  totalTimeoutMs: TIMEOUTS.totalMs,
  budget: { graceMs: options.graceMs, openAtOnce: options.openAtOnce },
  tokens: {
    read: async (id) => ({ ...connections.get(id)! }),
    async save({ connectionId, token }) {
      connections.get(connectionId)!.token = token;
      byToken.set(token.accessToken, connectionId);
      return true;
    },
    markInvalid: async () => undefined,
  },
});

function connect(number: number): StoredConnection {
  const clientId = `test-client-${number}`;
  const credentials = { clientId, clientSecret: `test-secret-${number}`, scope: null, redirectUri: null };
  return {
    version: 1,
    state: "active",
    token: null,
    credentials: { shop: `shop-${number}`, environment: "test", ...credentials },
  };
}

function shopOf({ headers, request }: Exchange): string {
  const token = "authorization" in headers ? String(headers["authorization"]).slice("Bearer ".length) : null;
  if (token !== null) return byToken.get(token) ?? "unknown";
  return `shop-${new URLSearchParams(request.body ?? "").get("client_id")?.split("-").at(-1)}`;
}

function noteFault(fields: Record<string, unknown>): void {
  const name = String(fields["status"] ?? fields["fault"] ?? fields["kind"]);
  if (name === "404") return;
  faults[name] = (faults[name] ?? 0) + 1;
  if (name !== "429") return;
  const shop = String(fields["shop"]);
  // The pause begins right after the line is written.
  setImmediate(() => {
    const { pausedUntilMs } = service.budget(shop);
    const nowMs = performance.now();
    if (pausedUntilMs !== null) meter.paused(shop, { fromMs: nowMs, untilMs: nowMs + pausedUntilMs - Date.now() });
  });
}

let probes = 0;
const asked: { mark: string; askedMs: number }[] = [];

async function call(shop: string, priority: Priority): Promise<void> {
  const connection: ConnectionRef = {
    id: shop,
    version: 1,
    shop,
    environment: "test",
    clientId: `test-client-${shop.slice(5)}`,
  };
  const mark = `probe-${++probes}`;
  if (priority === "interactive") asked.push({ mark, askedMs: performance.now() });
  const known = priority === "interactive" ? mark : "background";
  try {
    await service.account(connection).get(known, { priority });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

/** The worker's way: what is due stays in the database, and few of it are in the limiter. */
async function workThrough(shop: string, jobs: { due: number }): Promise<void> {
  while (jobs.due > 0) {
    jobs.due -= 1;
    await call(shop, "reconcile");
  }
}

async function visit(shop: string, everyMs: number): Promise<void> {
  for (;;) {
    await clock.sleep(everyMs * (0.5 + Math.random()));
    void call(shop, "interactive");
  }
}

function holdTheLoop(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

function heapInUseMb(): number {
  v8.setFlagsFromString("--expose-gc");
  (vm.runInNewContext("gc") as () => void)();
  return Math.round(process.memoryUsage().heapUsed / 1024 / 1024);
}

for (const shop of connections.keys()) {
  const jobs = { due: options.jobsDue };
  for (let index = 0; index < IN_LIMITER; index += 1) void workThrough(shop, jobs);
  if (options.interactiveEveryMs !== null) void visit(shop, options.interactiveEveryMs);
}
if (options.stallMs > 0) setInterval(() => holdTheLoop(options.stallMs), 1_000);
if (!options.standBy) console.log("begun");

await clock.sleep(options.warmUpMs);
const fromMs = performance.now();
const cpuBefore = process.cpuUsage();
await clock.sleep(options.durationMs ?? Number.MAX_SAFE_INTEGER);
const untilMs = performance.now();
const cpu = process.cpuUsage(cpuBefore);
const waitsMs = asked
  .filter(({ askedMs }) => askedMs >= fromMs)
  .flatMap(({ mark, askedMs }) => {
    const sentMs = meter.sentMs(mark);
    return sentMs === undefined ? [] : [sentMs - askedMs];
  });
const uses = meter.use({ fromMs, untilMs, graceMs: options.graceMs });
const result: LoadResult = {
  uses,
  waitsMs,
  roundTripMs: meter.roundTripMs(),
  faults,
  cpuShare: (cpu.user + cpu.system) / 1_000 / (untilMs - fromMs),
  heapMb: heapInUseMb(),
};
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
