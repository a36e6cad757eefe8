import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { ServerBuild } from "@remix-run/node";
import compression from "compression";
import express from "express";
import type { Express, NextFunction, Request, Response } from "express";
import type { ViteDevServer } from "vite";
import type { Config } from "../config.server.ts";
import type { Log } from "../ports.ts";
import { builtAssets } from "./built-assets.ts";
import { gate } from "./gate.ts";
import type { Health } from "./health.ts";
import type { Ready } from "./ready.ts";
import { createRemixHandler } from "./remix-handler.ts";
import { nonceOf, securityHeaders } from "./security-headers.ts";
import type { Routed } from "./metrics/timed-build.ts";
import { webhookRoute } from "./webhook-route.ts";
import type { WebhookIntake } from "./webhook-route.ts";

/** Where Remix's client build is. */
const CLIENT = fileURLToPath(new URL("../../build/client", import.meta.url));

export interface ServeOptions {
  build: ServerBuild | (() => Promise<ServerBuild>);
  /** Only in development, where Vite's middleware serves the client. */
  vite: ViteDevServer | null;
  log: Log;
  health: Pick<Health, "read">;
  ready: Ready;
  /** Of the process's log, which is the bundle's. */
  withLogFields: (fields: Record<string, string>, work: () => void) => void;
  webhooks: WebhookIntake;
  /** Begins each request's trace; absent where nobody traces. */
  traced?: express.RequestHandler | undefined;
  /** Is told of each webhook's end; absent where nobody counts. */
  routed?: Routed | undefined;
  /** Is told Shopify's time of each webhook that was signed, and how long ago it came; absent where nobody counts. */
  webhookFrom?: ((triggeredAtMs: number, agoMs: number) => void) | undefined;
  config: Pick<Config, "SHOPIFY_APP_URL" | "APP_BRIDGE_URL" | "HSTS_SUBDOMAINS" | "TRUSTED_PROXIES">;
}

/** The HTTP side: health, static files, Remix, and a log that holds no query, no body and no header. */
export function createServer(options: ServeOptions): Express {
  const { build, vite, log, health, ready, config } = options;
  const { SHOPIFY_APP_URL: appUrl, APP_BRIDGE_URL: appBridgeUrl, HSTS_SUBDOMAINS: hstsSubdomains } = config;
  const app = express();
  app.disable("x-powered-by");
  // Only for who asked, in the log: what a header says of the app's own address is not believed at all.
  app.set("trust proxy", config.TRUSTED_PROXIES);
  app.use(securityHeaders({ appBridgeUrl, hstsSubdomains }));
  app.get("/health", async (_request, response) => {
    const reason = await health.read();
    response.set("Cache-Control", "no-store").status(reason ? 503 : 200);
    response.json(reason ? { status: "unhealthy", reason } : { status: "ok" });
  });
  app.get("/ready", async (_request, response) => {
    const { ready: isReady, parts } = await ready.read();
    response
      .set("Cache-Control", "no-store")
      .status(isReady ? 200 : 503)
      .json({ ready: isReady, parts });
  });
  const begun = [...(options.traced ? [options.traced] : []), withRequestId(options.withLogFields)];
  const asked = [...begun, accessLog(log), keptNowhere, gate({ appUrl, log })];
  app.all("/webhooks", ...asked, noteDelay(options.webhookFrom), webhookRoute(options));
  app.use(compression());
  if (vite) {
    app.use(vite.middlewares);
  } else {
    app.use("/assets", ...builtAssets(`${CLIENT}/assets`));
    app.use(express.static(CLIENT, { maxAge: "1h", index: false, setHeaders: sayCharset }));
  }
  app.use(...asked);
  const mode = vite ? "development" : "production";
  const contextOf = (response: Response) => ({ nonce: nonceOf(response) });
  app.all("*", createRemixHandler({ build, mode, appUrl, contextOf }));
  app.use(lastResort(log));
  return app;
}

/** Of the icon, which is a text that Express takes for a picture. */
function sayCharset(response: Response, path: string): void {
  if (path.endsWith(".svg")) response.set("Content-Type", "image/svg+xml; charset=utf-8");
}

/** Pages and what they load are one shop's at one moment: no browser and no proxy keeps them. */
function keptNowhere(_request: Request, response: Response, next: NextFunction): void {
  response.set("Cache-Control", "no-store");
  next();
}

/** Every line that a request's work logs says which request it was. A proxy's own id is taken where it has an id's form. */
function withRequestId(withLogFields: ServeOptions["withLogFields"]) {
  return (request: Request, response: Response, next: NextFunction) => {
    const given = request.get("x-request-id") ?? "";
    const webRequestId = /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
    response.set("X-Request-Id", webRequestId);
    withLogFields({ webRequestId }, next);
  };
}

/** Shopify says when what a webhook tells of happened. What was refused is a stranger's, who would raise an alert with it. */
function noteDelay(webhookFrom: ServeOptions["webhookFrom"]) {
  return (request: Request, response: Response, next: NextFunction) => {
    if (!webhookFrom) return next();
    const triggeredAtMs = Date.parse(request.get("x-shopify-triggered-at") ?? "");
    const cameMs = performance.now();
    response.on("finish", () => {
      const isRefused = response.statusCode >= 400 && response.statusCode < 500;
      if (!isRefused && Number.isFinite(triggeredAtMs)) webhookFrom(triggeredAtMs, performance.now() - cameMs);
    });
    next();
  };
}

/** Only of these it is told where they came from. */
const REFUSED = new Set([401, 403]);

/** Logs the path without the query, because Shopify's session token is in the query. */
function accessLog(log: Log) {
  return (request: Request, response: Response, next: NextFunction) => {
    const startedMs = performance.now();
    response.on("finish", () => {
      const { method, path } = request;
      const { statusCode: status } = response;
      const ms = Math.round(performance.now() - startedMs);
      log.info({ method, path, status, ms, ...(REFUSED.has(status) && { ip: request.ip }) }, "request");
    });
    next();
  };
}

/** In place of Express's own handler, which would print a stack. Express knows an error handler by its four parameters. */
function lastResort(log: Log) {
  return (error: unknown, request: Request, response: Response, next: NextFunction) => {
    const status = statusOf(error);
    if (status >= 500) log.error({ error, path: request.path }, "a request failed outside the routes");
    if (response.headersSent) return next(error);
    response
      .status(status)
      .set("Cache-Control", "no-store")
      .type("text/plain")
      .send(status === 404 ? "Not found" : "Something went wrong");
  };
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
  return status >= 400 && status < 600 ? status : 500;
}
