import { json } from "@remix-run/node";
import type * as z from "zod";
import { FAULTS, isAppError } from "../domain/errors.ts";
import { locationIdOf } from "../domain/location-id.ts";
import { isStorable } from "./request-input.ts";
import type { Services } from "../ports.ts";
import { log } from "../services.server.ts";
import { authenticate } from "../shopify.server.ts";

/**
 * Answers the order page's extension, which calls from another origin, with a session token, and always gets JSON. A bad request gets
 * `{error: {code, message}}`. The extension translates the code; the message is for whoever reads the network log.
 */

export interface ExtensionAnswer {
  status?: number;
  body: object;
}

/** A short form is the largest body that the extension sends. */
const BODY_LIMIT = 32_768;

/** Authenticates (also CORS preflights, which Remix sends to loaders), then answers with what `work` returns for the shop of the token. */
export async function answerExtension(
  request: Request,
  work: (shop: string, services: Services, spend: (bytes: number) => void) => Promise<ExtensionAnswer>,
): Promise<Response> {
  const { session, cors, services, spend } = await authenticate.admin(request);
  const { status = 200, body } = await work(session.shop, services, spend).catch((error: unknown) =>
    answerFault(error, session.shop),
  );
  return cors(json(body, { status, headers: { "Cache-Control": "no-store" } }));
}

export function refusal(status: number, code: string, message: string): ExtensionAnswer {
  return { status, body: { error: { code, message } } };
}

export const NOT_FOUND = refusal(404, "not_found", "This shop has no such location");

/** What is asked of an order's page for production's account, while another one is in use. */
export const OVER_TEST_ACCOUNT = refusal(409, "test_account", "The shop works with its test account");

/** The loader of a route that only takes POST: it answers the preflight, and refuses every other method. */
export function postOnly({ request }: { request: Request }): Promise<Response> {
  return answerExtension(request, async () => refusal(405, "method", "Send this with POST"));
}

/** Null when the body is too long, is no JSON, or does not match the schema. */
export async function readBody<T>(request: Request, shape: z.ZodType<T>): Promise<T | null> {
  const text = await request.text();
  if (text.length > BODY_LIMIT) return null;
  const parsed = shape.safeParse(parseJson(text === "" ? "{}" : text));
  return parsed.success && isStorable(parsed.data) ? parsed.data : null;
}

/** The URL's location id; null when it cannot be one. */
export function locationIdIn(params: Record<string, string | undefined>): string | null {
  return locationIdOf(params.legacyLocationId);
}

export function badRequest(message: string): ExtensionAnswer {
  return refusal(400, "bad_request", message);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function answerFault(error: unknown, shop: string): ExtensionAnswer {
  // An answer already, with its headers: the shop has stored its share of today.
  if (error instanceof Response) throw error;
  const kind = isAppError(error) ? error.kind : "internal";
  log.error({ shop, kind, error }, "the extension could not be answered");
  return refusal(FAULTS[kind].httpStatus, kind, "This did not work; try again");
}
