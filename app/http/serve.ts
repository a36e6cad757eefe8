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

/** Where Remix's client build is. Its file names hold a hash of their content. */
const CLIENT = fileURLToPath(new URL("../../build/client", import.meta.url));

export interface ServeOptions {
  build: ServerBuild | (() => Promise<ServerBuild>);
  /** Only in development, where Vite's middleware serves the client. */
  vite: ViteDevServer | null;
  log: Log;
  health: Pick<Health, "read">;
}

/** The HTTP side: health, static files, Remix, and a log that holds no query, no body and no header. */
export function createServer({ build, vite, log, health }: ServeOptions): Express {
  const app = express();
  app.disable("x-powered-by");
  // A proxy that terminates TLS stands in front: Shopify's tunnel, or the host's.
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

/** More than any page or any webhook of Shopify's sends. */
const LARGEST_BODY = 2 * 1024 * 1024;

/** A body without a declared length is cut off where it becomes too long. */
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
 * Headers of every answer. A document that Shopify may frame sets its own policy. Two policies would both apply and the stricter would win,
 * so this one is set last, and only where there is none.
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

/** Logs the path without the query, because Shopify's session token is in the query. */
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

/** In place of Express's own handler, which would print a stack. Express knows an error handler by its four parameters. */
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
