import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { parseKeys } from "../../app/adapters/store/encryption.ts";
import { createStore } from "../../app/adapters/store/store.ts";
import { SILENT } from "../adapters/store/open-store.ts";
import { connectionRecord, detailsRecord, locationRecord, shopRecord } from "../fakes/records.ts";
import { createVisitor, type Visitor } from "../sandbox/play/visitor.ts";
import { startSandbox, type Sandbox } from "../sandbox/start.ts";
import { machineWaitsMs } from "../hostile/machine-waits.ts";
import type { BenchRow } from "./run.ts";

/**
 * How soon the built app answers its first page after its process began, and how much memory it holds at rest, with one shop and with a
 * thousand in its database. Shops have three locations each and nothing to do. `--shops` makes it smaller.
 */

const FIRST_PAGE_WITHIN_MS = 1_500;
const MOST_AT_REST_MB = 150;
/** A process rests when so long nothing was asked of it. */
const REST_MS = 15_000;
const ASK_AGAIN_MS = 20;
const LOCATIONS = 3;

export async function bench(argv: string[]): Promise<BenchRow[]> {
  const { values } = parseArgs({
    args: argv,
    options: { shops: { type: "string", default: "1000" }, rest: { type: "string", default: String(REST_MS) } },
  });
  const shops = Number(values.shops);
  const restMs = Number(values.rest);
  const appKeys = `bench:${randomBytes(32).toString("base64")}`;
  const sandbox = await startSandbox({ shops: 1, locale: "en", appEnv: { APP_KEYS: appKeys, LOG_LEVEL: "warn" } });
  try {
    const visitor = createVisitor({ adminUrl: sandbox.adminUrl, store: sandbox.stores[0]!.handle });
    await visitor.open("/");
    await sandbox.app.stop();
    const alone = await startOnce(sandbox, visitor, restMs);
    await addShops(`file:${sandbox.dataDir}/origen.db`, { appKeys, shops: shops - 1 });
    const crowded = await startOnce(sandbox, visitor, restMs);
    const perShopKb = ((crowded.restingMb - alone.restingMb) * 1_024) / (shops - 1);
    return [
      {
        name: `${shops} shops: to the first page`,
        figure: Math.round(crowded.firstPageMs),
        unit: "ms",
        goal: `≤ ${FIRST_PAGE_WITHIN_MS}`,
        met: crowded.firstPageMs <= FIRST_PAGE_WITHIN_MS,
      },
      {
        name: `${shops} shops: memory at rest`,
        figure: Math.round(crowded.restingMb),
        unit: "MB",
        goal: `≤ ${MOST_AT_REST_MB}`,
        met: crowded.restingMb <= MOST_AT_REST_MB,
      },
      told(`${shops} shops: of that, waited for a processor`, Math.round(crowded.waitedMs), "ms"),
      told(`${shops} shops: processor time at rest`, Math.round(crowded.busyShare * 1_000) / 10, "% of a core"),
      told("one shop: to the first page", Math.round(alone.firstPageMs), "ms"),
      told("one shop: of that, waited for a processor", Math.round(alone.waitedMs), "ms"),
      told("one shop: memory at rest", Math.round(alone.restingMb), "MB"),
      told("memory at rest of a further shop", Math.round(perShopKb * 10) / 10, "kB"),
    ];
  } finally {
    await sandbox.stop();
  }
}

/** Starts the app, asks for Home until it comes, lets it rest, and stops it. */
async function startOnce(sandbox: Sandbox, visitor: Visitor, restMs: number) {
  const beganMs = performance.now();
  const started = sandbox.app.start();
  const firstPageMs = await firstPage(visitor, beganMs);
  const pid = sandbox.app.pid()!;
  const waitedMs = machineWaitsMs(pid);
  await started;
  await pause(restMs);
  const restingMb = residentMb(pid);
  const busyBeforeS = processorSeconds(pid);
  await pause(restMs);
  const busyShare = ((processorSeconds(pid) - busyBeforeS) * 1_000) / restMs;
  await sandbox.app.stop();
  return { firstPageMs, waitedMs, restingMb, busyShare };
}

async function firstPage(visitor: Visitor, beganMs: number): Promise<number> {
  for (;;) {
    const page = await visitor.open("/").catch(() => null);
    if (page?.status === 200) return performance.now() - beganMs;
    await pause(ASK_AGAIN_MS);
  }
}

/** What the process holds of the machine's memory, shared code included. */
function residentMb(pid: number): number {
  return Number(askOf(pid, "rss=")) / 1_024;
}

/** In whole seconds, since its start. */
function processorSeconds(pid: number): number {
  const [seconds = 0, minutes = 0, hours = 0] = askOf(pid, "time=").split(":").map(Number).toReversed();
  return seconds + 60 * (minutes + 60 * hours);
}

function askOf(pid: number, column: string): string {
  return execFileSync("ps", ["-o", column, "-p", String(pid)], { encoding: "utf8" }).trim();
}

/** Shops that were looked at a moment ago, so that nothing is due. */
async function addShops(url: string, { appKeys, shops }: { appKeys: string; shops: number }): Promise<void> {
  const store = await createStore({ url, keys: parseKeys(appKeys), log: SILENT });
  const nowMs = Date.now();
  try {
    for (let number = 1; number <= shops; number += 1) {
      const shop = `resting-${number}.myshopify.com`;
      await store.transaction(shop, async (tables) => {
        await tables.shops.insert(shopRecord({ shop, reconciledAtMs: nowMs, installedAtMs: nowMs }));
        await tables.connections.insert(
          connectionRecord({
            id: `connection-${number}`,
            shop,
            clientId: `client-${number}`,
            bookReadAtMs: nowMs,
            bookConfirmedAtMs: nowMs,
          }),
        );
        for (let location = 1; location <= LOCATIONS; location += 1) {
          const locationId = `gid://shopify/Location/${number * 10 + location}`;
          await tables.locations.insert(locationRecord({ shop, locationId }));
          await tables.details.insert(detailsRecord({ shop, locationId }));
        }
      });
    }
  } finally {
    await store.close();
  }
}

function told(name: string, figure: number, unit: string): BenchRow {
  return { name, figure, unit, goal: "told", met: true };
}
