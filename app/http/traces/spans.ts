import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from "@opentelemetry/api";
import type { Attributes, Context, Span, Tracer } from "@opentelemetry/api";
import { isAppError } from "../../domain/errors.ts";

/** What one span says when its work begins. */
export interface Begun {
  name: string;
  kind?: SpanKind;
  attributes?: Attributes;
  /** Whose trace it goes on; the one around it when absent. */
  parent?: Context;
}

/** One span around `work`: it ends when the work ends, and says of what the work failed. */
export async function inSpan<T>(
  tracer: Tracer,
  { name, kind = SpanKind.INTERNAL, attributes = {}, parent = context.active() }: Begun,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = tracer.startSpan(name, { kind, attributes }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span));
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Only the kind of a fault: its message may hold words of the service's. */
function fail(span: Span, error: unknown): void {
  const requestId = isAppError(error) ? error.requestId : null;
  if (requestId) span.setAttribute("origen.request_id", requestId);
  span.setStatus({ code: SpanStatusCode.ERROR, message: isAppError(error) ? error.kind : "defect" });
}

/** The trace that goes on here, as the header `traceparent` says it; null where there is none. */
export function currentTraceparent(): string | null {
  const now = trace.getActiveSpan()?.spanContext();
  if (!now || !trace.isSpanContextValid(now)) return null;
  return `00-${now.traceId}-${now.spanId}-${now.traceFlags.toString(16).padStart(2, "0")}`;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** From what was kept; a trace of its own where nothing was, or it is no trace. */
export function parentOf(traceparent: string | null): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? "") ?? [];
  if (!traceId || !spanId || !flags) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
