import packageJson from "../../../package.json" with { type: "json" };
import { context, diag, DiagLogLevel, SpanKind, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { ServerBuild } from "@remix-run/node";
import type { NextFunction, Request, Response } from "express";
import type { TracesConfig } from "../../config.server.ts";
import type { WorkItem } from "../../domain/records.ts";
import type { Log, ShippingService, ShopifyAdmin, Store } from "../../ports.ts";
import { samplerOf } from "./sampler.ts";
import { inSpan, parentOf } from "./spans.ts";
import { tracedShipping, tracedShopify } from "./traced-ports.ts";
import { tracedBuild, tracedRequest } from "./traced-requests.ts";
import { tracedStore } from "./traced-store.ts";

/** The traces of one process: what is put around its ports, and where they are sent. */
export interface Traces {
  store<S extends Store>(store: S): S;
  shipping<S extends ShippingService>(service: S): S;
  shopify(shopify: ShopifyAdmin): ShopifyAdmin;
  build(build: ServerBuild): ServerBuild;
  /** For Express, before everything that works. */
  request(request: Request, response: Response, next: NextFunction): void;
  /** A run goes on in the trace of whoever asked for it; one that comes again by itself begins its own. */
  run(item: WorkItem, work: () => Promise<void>): Promise<void>;
  /** What a line of the log says of the trace that it is written in. */
  fields(): Record<string, string>;
  /** Sends what is left. Never rejects, and takes two seconds at most. */
  stop(): Promise<void>;
}

/** A collector that is away is told of once in this time. */
const TOLD_EVERY_MS = 60_000;
const STOP_WITHIN_MS = 2_000;

/** Where to send to, with which headers and within which time, the exporter reads from the environment itself. */
export function createTracing(config: TracesConfig, log: Log): Traces {
  let toldMs = -Infinity;
  const tell = (message: string) => {
    if (performance.now() - toldMs < TOLD_EVERY_MS) return;
    toldMs = performance.now();
    log.warn({ what: message.slice(0, 200) }, "traces could not be sent");
  };
  const quiet = () => undefined;
  diag.setLogger({ error: tell, warn: quiet, info: quiet, debug: quiet, verbose: quiet }, DiagLogLevel.ERROR);
  const named = resourceFromAttributes({ "service.name": "origen", "service.version": packageJson.version });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })),
    sampler: samplerOf(config),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY,
        exportTimeoutMillis: config.OTEL_BSP_EXPORT_TIMEOUT,
        maxQueueSize: config.OTEL_BSP_MAX_QUEUE_SIZE,
        maxExportBatchSize: config.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const tracer = provider.getTracer("origen");
  return {
    store: tracedStore,
    shipping: (service) => tracedShipping(service, tracer),
    shopify: (shopify) => tracedShopify(shopify, tracer),
    build: (build) => tracedBuild(build, tracer),
    request: tracedRequest(tracer),
    run(item, work) {
      const { id, shop, kind, generation, observedGeneration, failures, traceparent } = item;
      const parent = parentOf(generation > observedGeneration ? traceparent : null);
      const attributes = { "origen.work_item": id, "origen.shop": shop, "origen.failures": failures };
      return inSpan(tracer, { name: `run ${kind}`, kind: SpanKind.CONSUMER, attributes, parent }, work);
    },
    fields() {
      const span = trace.getActiveSpan();
      const said: Record<string, string> = span ? { traceId: span.spanContext().traceId } : {};
      return said;
    },
    async stop() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}
