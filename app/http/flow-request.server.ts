import { createHmac, timingSafeEqual } from "node:crypto";
import type * as z from "zod";
import { isStoreDomain } from "../domain/store-domain.ts";
import { config, log } from "../services.server.ts";
import { isStorable } from "./request-input.ts";

/** Requests of Shopify Flow: JSON whose bytes are signed with the app's secret. The address and the headers are not signed. */

/** Flow sends a few hundred bytes. */
const BODY_LIMIT = 32_768;

/**
 * What a signed request says, or the answer that refuses it. 4xx are final to Flow, and it repeats a request for 429 and 5xx. The shop is
 * the one that the signed body names.
 */
export async function readFlowRequest<T extends { shopify_domain: string }>(
  request: Request,
  shape: z.ZodType<T>,
): Promise<{ shop: string; asked: T } | Response> {
  const text = await request.text();
  if (text.length > BODY_LIMIT) return refused(413, "The body is too long");
  if (!isSigned(text, request.headers.get("X-Shopify-Hmac-Sha256"))) {
    log.warn({ security: "flow_signature", path: new URL(request.url).pathname }, "refused");
    return refused(401, "The signature does not fit the body");
  }
  const parsed = shape.safeParse(parseJson(text));
  if (!parsed.success || !isStorable(parsed.data)) return refused(400, "The body is not what this address is sent");
  const asked = parsed.data;
  return isStoreDomain(asked.shopify_domain)
    ? { shop: asked.shopify_domain.toLowerCase(), asked }
    : refused(400, "The body names no store");
}

/** Flow shows the message in the log of the workflow's run. */
export function refused(status: number, message: string): Response {
  return Response.json({ message }, { status, headers: { "Cache-Control": "no-store" } });
}

function isSigned(text: string, signature: string | null): boolean {
  const own = createHmac("sha256", config.SHOPIFY_API_SECRET).update(text, "utf8").digest();
  const theirs = Buffer.from(signature ?? "", "base64");
  return theirs.length === own.length && timingSafeEqual(theirs, own);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
