import { join } from "node:path";
import { createInterface } from "node:readline";
import { once } from "node:events";
import { end, startNode } from "../budget/stand-in.ts";
import type { BenchRow } from "../run.ts";
import { rowsNamed } from "../webhooks/rows.ts";
import { round } from "./cluster.ts";
import type { Received, Receiving } from "./receiver.ts";
import { startBenchServer } from "./server.ts";

/**
 * What webhooks cost up to their commit, without HTTP and without the runs they ask for: three processes on one server, each webhook when
 * it is due. `alone` commits each by itself.
 */

const RECEIVER = join(import.meta.dirname, "receiver.ts");
const PROCESSES = 3;
const SHOPS = 20;
const LOCATIONS = 10;
const GOAL_P99_MS = 100;

export async function intakeOverThree(input: {
  perSecond: number;
  forMs: number;
  alone: boolean;
}): Promise<BenchRow[]> {
  const { perSecond, forMs, alone } = input;
  const shops = Array.from({ length: SHOPS }, (_, index) => `shop-${index + 1}.myshopify.com`);
  const server = await startBenchServer(
    shops.map((shop) => ({ id: shop, version: 1, shop, environment: "test", clientId: `client-${shop}` })),
  );
  const given: Receiving = {
    databaseUrl: server.url,
    shops,
    locations: LOCATIONS,
    perSecond: perSecond / PROCESSES,
    forMs,
    alone,
  };
  const children = Array.from({ length: PROCESSES }, () => startNode(RECEIVER, [JSON.stringify(given)]));
  try {
    const lines = children.map((child) => createInterface({ input: child.stdout! }));
    const said = (): Promise<string[]> =>
      Promise.all(
        lines.map(async (line, index) => {
          const [text] = await Promise.race([once(line, "line"), once(children[index]!, "exit").then(() => [null])]);
          if (typeof text !== "string") throw new Error("a process that takes webhooks has ended");
          return text;
        }),
      );
    await said();
    const cpuMs = server.cpuMs() ?? NaN;
    const received = (await said()).map((text) => JSON.parse(text) as Received);
    const databaseMs = (server.cpuMs() ?? NaN) - cpuMs;
    const accepted = received.flatMap((each) => each.accepted);
    const ids = new Set(
      (await server.query<{ id: string }>('SELECT "webhookId" AS id FROM "Receipt"')).map((row) => row.id),
    );
    const lost = accepted.filter((id) => !ids.has(id)).length;
    const times = received.flatMap(({ tookMs }) => tookMs).sort((a, b) => a - b);
    const at = (part: number) => Math.round(times[Math.ceil(times.length * part) - 1] ?? NaN);
    const failed = received.reduce((sum, each) => sum + each.failed, 0);
    const processMs = received.reduce((sum, each) => sum + each.cpuMs, 0);
    const name = `${perSecond} webhooks a second to their commit, ${alone ? "each alone" : "together"}`;
    const { told } = rowsNamed(name);
    const asked = (row: BenchRow, goal: string, met: boolean): BenchRow => (alone ? row : { ...row, goal, met });
    return [
      told("accepted", accepted.length),
      asked(told("failed", failed), "0", failed === 0),
      asked(told("accepted and lost", lost), "0", lost === 0),
      told("database's processor for each", round(databaseMs / accepted.length), "ms"),
      told("processes' processor for each", round(processMs / accepted.length), "ms"),
      told("half committed within", at(0.5), "ms"),
      asked(told("p99", at(0.99), "ms"), `≤ ${GOAL_P99_MS}`, at(0.99) <= GOAL_P99_MS),
      told("slowest", at(1), "ms"),
    ];
  } finally {
    await Promise.all(children.map((child) => end(child, "SIGKILL")));
    await server.stop();
  }
}
