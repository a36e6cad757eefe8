import type { ServerBuild } from "@remix-run/node";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ViteDevServer } from "vite";
import { createBoundedServer, listenAt } from "./http/bounded-server.ts";
import { drainable } from "./http/drain.ts";
import type * as entry from "./entry.server.tsx";
import { handleUncaught } from "./http/uncaught.ts";

/**
 * The process: one Express server, one worker, both on what Remix's build holds (its `entry` module), so that there is one budget and one
 * database. `npm run build` bundles this file with all that it imports, and `npm start` runs that; only for development does plain Node run
 * this file. Nothing it imports has JSX, and all that an older Node cannot read is imported after the check of its version.
 */

type AppEntry = typeof entry;

const OLDEST_NODE = [22, 19] as const;
/** A stop that takes longer is given up, as where the database is silent: whoever asked for it may kill after fifteen seconds. */
const STOP_MS = 12_000;

requireNode();
// A diagnostic report of Node's, if the operator asks for one, is sent to others to be looked at: it must not hold APP_KEYS.
Object.assign(process.report, { excludeEnv: true });
await run().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  if (process.env.LOG_LEVEL === "debug") console.error(error);
  process.exit(1);
});

function requireNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  console.error(
    `Origen needs Node ${OLDEST_NODE.join(".")} or newer; this is ${process.version}. Run it with "npm start", which brings its own after "npm ci".`,
  );
  process.exit(1);
}

async function run(): Promise<void> {
  const server = createBoundedServer();
  // In the bundle this is never so: there the name is a constant.
  const vite = process.env.NODE_ENV === "development" ? await startVite(server) : null;
  const load = () => (vite ? vite.ssrLoadModule("virtual:remix/server-build") : importBuild()) as Promise<ServerBuild>;
  const first = await load();
  const { config, health, log, metrics, ready, startApp, traces, webhooks, withLogFields } = first.entry
    .module as unknown as AppEntry;

  handleUncaught({ log });

  const { createServer } = await import("./http/serve.ts");
  const { timedBuild } = await import("./http/metrics/timed-build.ts");
  const timed = metrics ? timedBuild(first, metrics) : first;
  const build = traces?.build(timed) ?? timed;
  const counted = { routed: metrics?.routed, webhookFrom: metrics?.webhookFrom, traced: traces?.request };
  const drain = drainable(
    server,
    createServer({ build: vite ? load : build, vite, log, health, ready, config, withLogFields, webhooks, ...counted }),
  );
  const stopApp = await startApp();
  const stopMetrics = await openMetrics({ config, metrics, log });
  await listenAt(server, { port: config.PORT, host: config.HOST, setting: "PORT" });
  const { port } = server.address() as AddressInfo;
  log.info({ port, host: config.HOST ?? null, mode: config.NODE_ENV, node: process.version }, "listening");

  let stopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      health.stopping();
      log.info({ signal }, "stopping");
      setTimeout(() => process.exit(1), STOP_MS).unref();
      void stop({ drain, stopApp, vite, stopMetrics }).then(
        () => {
          log.info({}, "stopped");
          process.exit(0);
        },
        (error: unknown) => {
          log.error({ error }, "the stop failed");
          process.exit(1);
        },
      );
    });
  }
}

/** @throws where this file itself runs, and not the bundle that has Remix's build under that name. */
function importBuild(): Promise<unknown> {
  if (import.meta.url.endsWith(".ts")) {
    throw new Error('This file is for development. "npm run build" makes what "npm start" runs.');
  }
  // @ts-expect-error -- only whoever bundles knows a module of that name
  return import("virtual:remix/server-build");
}

/** The function returned closes the port again. */
async function openMetrics({
  config: { METRICS_PORT: port, METRICS_HOST: host },
  metrics,
  log,
}: Pick<AppEntry, "config" | "metrics" | "log">): Promise<() => Promise<void>> {
  if (!metrics || port === undefined) return async () => undefined;
  const { serveMetrics } = await import("./http/metrics/metrics-server.ts");
  const served = await serveMetrics({ port, host, page: metrics.page, log });
  log.info({ port: served.port, host }, "metrics are served");
  return served.close;
}

/** Its socket for hot reload is the server's own, so that it passes every proxy that the pages pass. */
async function startVite(server: Server): Promise<ViteDevServer> {
  const { createServer } = await import("vite");
  return createServer({ server: { middlewareMode: true, hmr: { server } } });
}

/** New requests are refused and nothing more is claimed; what is under way ends or is released, then everything closes. */
async function stop({
  drain,
  stopApp,
  vite,
  stopMetrics,
}: {
  drain: () => Promise<void>;
  stopApp: (drained: Promise<void>) => Promise<void>;
  vite: ViteDevServer | null;
  stopMetrics: () => Promise<void>;
}) {
  const drained = drain();
  // Its sockets would keep the server open.
  await vite?.close();
  await stopApp(drained);
  await stopMetrics();
}
