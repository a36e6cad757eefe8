import { createInterface } from "node:readline";
import { createTokenStore } from "../../../app/account/token-store.ts";
import { createMachine } from "../../../app/adapters/machine/clock.ts";
import { createRandom } from "../../../app/adapters/machine/random.ts";
import { createSharedClock } from "../../../app/adapters/machine/shared-clock.ts";
import { createBottleneckLine } from "../../../app/adapters/shipping/budget.ts";
import { createNetwork, TIMEOUTS, type Network } from "../../../app/adapters/shipping/network.ts";
import { assembleShippingService } from "../../../app/adapters/shipping/service.ts";
import { openSlotsDatabase } from "../../../app/adapters/shipping/slots/slots-database.ts";
import { connectionConfig } from "../../../app/adapters/store/postgresql/connection.ts";
import { createStore } from "../../../app/adapters/store/store.ts";
import { isAppError } from "../../../app/domain/errors.ts";
import type { ConnectionRef } from "../../../app/ports.ts";
import { KEYS, SILENT } from "../../adapters/store/open-store.ts";

/**
 * One of several processes that keep the same shops' budgets busy, with all that production has between a call and the wire. Prints what
 * it has counted so far, as a line of JSON, whenever it reads a line.
 */

export interface ClusterLoad {
  url: string;
  databaseUrl: string;
  graceMs: number;
  shops: ConnectionRef[];
}

/** Counted since the process began. */
export interface Counted {
  /** Answered calls, by shop. */
  calls: Record<string, number>;
  answered: number;
  roundTripsMs: number;
  /** Failed calls, by kind. */
  failed: Record<string, number>;
  cpuMs: number;
}

/** As many as keep both slots and their line busy. */
const IN_LINE = 4;

const { url, databaseUrl, graceMs, shops } = JSON.parse(process.argv[2]!) as ClusterLoad;
const random = createRandom();
const store = await createStore({ url: databaseUrl, keys: KEYS, log: SILENT, exclusive: false });
const clock = await createSharedClock({ machine: createMachine(), askMs: store.askTimeMs!, log: SILENT });
const counted: Omit<Counted, "cpuMs"> = { calls: {}, answered: 0, roundTripsMs: 0, failed: {} };

function measured(network: Network): Network {
  return {
    ...network,
    exchange(exchange) {
      const sentMs = performance.now();
      const underWay = network.exchange(exchange);
      const note = () => {
        counted.answered += 1;
        counted.roundTripsMs += performance.now() - sentMs;
      };
      underWay.answer.then(note, () => undefined);
      return underWay;
    },
  };
}

const service = assembleShippingService({
  userAgent: "Origen/bench",
  clock,
  random,
  log: SILENT,
  network: measured(createNetwork({ test: url, production: null }, TIMEOUTS)),
  line: createBottleneckLine(),
  totalTimeoutMs: TIMEOUTS.totalMs,
  budget: { graceMs },
  slotsDatabase: openSlotsDatabase(connectionConfig(databaseUrl)),
  tokens: createTokenStore({ store, clock, random }),
});

async function keepBusy(connection: ConnectionRef): Promise<never> {
  const account = service.account(connection);
  for (;;) {
    try {
      await account.get("background", { priority: "reconcile", once: true });
      counted.calls[connection.shop] = (counted.calls[connection.shop] ?? 0) + 1;
    } catch (error) {
      if (!isAppError(error)) throw error;
      counted.failed[error.kind] = (counted.failed[error.kind] ?? 0) + 1;
    }
  }
}

createInterface({ input: process.stdin }).on("line", () => {
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ ...counted, cpuMs: (user + system) / 1_000 } satisfies Counted));
});
console.log("begun");
for (const shop of shops) for (let lane = 0; lane < IN_LINE; lane += 1) void keepBusy(shop);
