import { SpanKind } from "@opentelemetry/api";
import type { Attributes, Tracer } from "@opentelemetry/api";
import type { ShippingAccount, ShippingService, ShopifyAdmin } from "../../ports.ts";
import { inSpan } from "./spans.ts";

/** What leaves the app: each call of the shipping service and of Shopify as one span, with its wait for slots and tokens. */

type Ask = (...input: unknown[]) => Promise<unknown>;

export function tracedShipping<S extends ShippingService>(service: S, tracer: Tracer): S {
  return {
    ...service,
    account: (connection) =>
      spanned<ShippingAccount>(tracer, service.account(connection), {
        system: "shipping",
        attributes: { "origen.environment": connection.environment },
      }),
  };
}

export function tracedShopify(shopify: ShopifyAdmin, tracer: Tracer): ShopifyAdmin {
  return spanned(tracer, shopify, { system: "shopify", attributes: {} });
}

/** The same object, each of whose methods is a span with its name. */
function spanned<T extends object>(
  tracer: Tracer,
  port: T,
  { system, attributes }: { system: string; attributes: Attributes },
): T {
  const methods = (Object.entries(port) as [string, Ask][]).map(([operation, ask]): [string, Ask] => [
    operation,
    (...input) =>
      inSpan(tracer, { name: `${system} ${operation}`, kind: SpanKind.CLIENT, attributes }, async (span) => {
        const result = await ask(...input);
        span.setAttributes(saidBy(result));
        return result;
      }),
  ]);
  return Object.fromEntries(methods) as T;
}

/** How it ended, and under which request id; neither is told by what a page of a list is. */
function saidBy(result: unknown): Attributes {
  if (typeof result !== "object" || result === null) return {};
  const { kind, requestId } = result as { kind?: unknown; requestId?: unknown };
  return {
    ...(typeof kind === "string" && { "origen.end": kind }),
    ...(typeof requestId === "string" && { "origen.request_id": requestId }),
  };
}
