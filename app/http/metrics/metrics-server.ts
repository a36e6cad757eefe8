import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Log } from "../../ports.ts";
import { listenAt } from "../bounded-server.ts";

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` on a port of its own, which the operator keeps to Prometheus: what it says is nobody's secret, and nobody's business.
 */
export async function serveMetrics({
  port,
  host,
  page,
  log,
}: {
  port: number;
  host: string;
  page: () => Promise<{ type: string; text: string }>;
  log: Log;
}): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const isAsked = request.method === "GET" && request.url?.split("?")[0] === "/metrics";
    if (!isAsked) return void response.writeHead(404, { "content-type": "text/plain" }).end("Not found");
    page().then(
      ({ type, text }) => response.writeHead(200, { "content-type": type, "cache-control": "no-store" }).end(text),
      (error: unknown) => {
        log.error({ error }, "metrics could not be told");
        response.writeHead(500, { "content-type": "text/plain" }).end("Something went wrong");
      },
    );
  });
  await listenAt(server, { port, host, setting: "METRICS_PORT" });
  // It keeps no process alive.
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()),
  };
}
