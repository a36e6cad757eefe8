import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Tracer } from "@opentelemetry/api";
import type { ServerBuild } from "@remix-run/node";
import type { NextFunction, Request, Response } from "express";
import { inSpan } from "./spans.ts";

/**
 * Each request begins a trace. What a stranger's `traceparent` says is not taken: anybody could put spans into somebody's trace with it.
 */
export function tracedRequest(tracer: Tracer) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const { method, path } = request;
    const attributes = { "http.request.method": method, "url.path": path };
    const span = tracer.startSpan(`${method} ${nameOf(path)}`, { kind: SpanKind.SERVER, attributes }, ROOT_CONTEXT);
    response.on("close", () => {
      const { statusCode, writableFinished } = response;
      span.setAttribute("http.response.status_code", statusCode);
      if (statusCode >= 500 || !writableFinished) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    context.with(trace.setSpan(ROOT_CONTEXT, span), next);
  };
}

/** Spans of one name are compared, so ids are left out of it. */
function nameOf(path: string): string {
  return path.replaceAll(/\/[^/]*\d[^/]*/g, "/:id");
}

type Handler = (input: unknown) => unknown;

/** The same build, whose loaders and actions are spans. */
export function tracedBuild(build: ServerBuild, tracer: Tracer): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route];
    const spanned = (part: "loader" | "action") => {
      const handler = route.module[part] as Handler | undefined;
      if (!handler) return {};
      const traced: Handler = (input) => inSpan(tracer, { name: `${part} ${id}` }, async () => handler(input));
      return { [part]: traced };
    };
    return [id, { ...route, module: { ...route.module, ...spanned("loader"), ...spanned("action") } }];
  });
  return { ...build, routes: Object.fromEntries(routes) as ServerBuild["routes"] };
}
