import { fileURLToPath } from "node:url";
import { createRequestHandler } from "@remix-run/express";
import type { ServerBuild } from "@remix-run/node";
import compression from "compression";
import express from "express";
import type { Express, NextFunction, Request, Response } from "express";
import type { ViteDevServer } from "vite";
import { NOBODY_FRAMES } from "./document-headers.server.ts";
import type { Health } from "./health.ts";
import type { Log } from "../ports.ts";

/** Where Remix's client build lands; its file names carry a hash of their content. */
const CLIENT = fileURLToPath(new URL("../../build/client", import.meta.url));

export interface ServeOptions {
  build: ServerBuild | (() => Promise<ServerBuild>);
  /** Development: its middleware serves the client. */
  vite: ViteDevServer | null;
  log: Log;
  health: Pick<Health, "read">;
}

/** The HTTP side: health, static files, Remix, and a log that holds no query, no body and no header. */
export function createServer({ build, vite, log, health }: ServeOptions): Express {
  const app = express();
  app.disable("x-powered-by");
  // Shopify's tunnel and every host that terminates TLS stand in front.
  app.set("trust proxy", true);
  app.use(securityHeaders);
  app.get("/health", async (_request, response) => {
    const reason = await health.read();
    response.set("Cache-Control", "no-store").status(reason ? 503 : 200);
    response.json(reason ? { status: "unhealthy", reason } : { status: "ok" });
  });
  app.use(boundedBodies);
  app.use(compression());
  if (vite) {
    app.use(vite.middlewares);
  } else {
    app.use("/assets", express.static(`${CLIENT}/assets`, { immutable: true, maxAge: "1y", fallthrough: false }));
    app.use(express.static(CLIENT, { maxAge: "1h", index: false }));
  }
  app.use(accessLog(log));
  app.all("*", createRequestHandler({ build, mode: vite ? "development" : "production" }));
  app.use(lastResort(log));
  return app;
}

/** No page and no webhook of Shopify's sends more. */
const LARGEST_BODY = 2 * 1024 * 1024;

/** One that does not say its length is cut off where it is too long. */
function boundedBodies(request: Request, response: Response, next: NextFunction): void {
  const length = request.headers["content-length"];
  if (Number(length ?? 0) > LARGEST_BODY) {
    response.status(413).type("text/plain").send("The body is too large");
    return;
  }
  if (length === undefined) {
    let received = 0;
    const push = request.push.bind(request);
    request.push = (chunk: Buffer | null, ...rest) => {
      received += chunk?.length ?? 0;
      if (received <= LARGEST_BODY) return push(chunk, ...rest);
      request.destroy();
      return false;
    };
  }
  next();
}

/**
 * What holds for every answer. A document that Shopify may frame says so itself; a policy set here already would stand beside its own,
 * and of two the browser takes the stricter, so this one is set last and only where there is none.
 */
function securityHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.set({
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "origin-when-cross-origin",
    "Strict-Transport-Security": "max-age=31536000",
  });
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => Response;
  response.writeHead = (...head: unknown[]) => {
    if (!response.hasHeader("Content-Security-Policy")) response.setHeader("Content-Security-Policy", NOBODY_FRAMES);
    return writeHead(...head);
  };
  next();
}

/** The path alone: Shopify's session token travels in the query. */
function accessLog(log: Log) {
  return (request: Request, response: Response, next: NextFunction) => {
    const startedMs = performance.now();
    response.on("finish", () => {
      const { method, path } = request;
      const ms = Math.round(performance.now() - startedMs);
      log.info({ method, path, status: response.statusCode, ms }, "request");
    });
    next();
  };
}

/** Express's own would print a stack. It is told by its four parameters. */
function lastResort(log: Log) {
  return (error: unknown, request: Request, response: Response, next: NextFunction) => {
    const status = statusOf(error);
    if (status >= 500) log.error({ error, path: request.path }, "a request failed outside the routes");
    if (response.headersSent) return next(error);
    response
      .status(status)
      .type("text/plain")
      .send(status === 404 ? "Not found" : "Something went wrong");
  };
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
  return status >= 400 && status < 600 ? status : 500;
}
