import * as z from "zod";
import { AppError, isAppError } from "../../domain/errors.ts";
import type { FaultKind } from "../../domain/errors.ts";
import type { Answer } from "./http.ts";

/**
 * What Shopify's answers mean. Only few tell something about the shop: 402 and 423 (frozen or locked), and a refused token, which
 * offline-client.ts recognises. Any other status or body means that Shopify could not be read just now. A call is a read, so it had no effect, or it tells Flow something that Flow may be told again.
 */

const graphqlErrors = z.object({
  errors: z
    .array(z.object({ message: z.string(), extensions: z.object({ code: z.string() }).partial().optional() }))
    .min(1),
});

const FROZEN_STATUSES: readonly number[] = [402, 423];

/** The data of a GraphQL answer. @throws AppError for an answer without data. */
export function dataOf({ status, json }: Answer): unknown {
  if (status >= 400 && status < 500 && !PASSING_STATUSES.includes(status))
    throw shopifyFault("shopify_unavailable", `Shopify: HTTP ${status}`, { status, cause: new RequestRefused() });
  if (status !== 200) throw faultOfStatus(status);
  const refused = graphqlErrors.safeParse(json);
  if (refused.success) throw faultOfGraphql(refused.data.errors);
  // An error in a form we do not know still says that the data beside it is not the whole truth: its null would be "there is none".
  if (hasErrors(json)) throw shopifyFault("shopify_unavailable", "Shopify answered with errors that cannot be read");
  return json;
}

function hasErrors(json: unknown): boolean {
  return typeof json === "object" && json !== null && "errors" in json && json.errors != null;
}

/** Statuses below 500 that a later attempt may mend. */
const PASSING_STATUSES: readonly number[] = [408, 429, ...FROZEN_STATUSES];

/** The cause of a fault where Shopify refuses this very request, whatever becomes of others. */
class RequestRefused extends Error {}

/** Whether no repetition of the request would be taken. */
export function isRefusal({ cause }: AppError): boolean {
  return cause instanceof RequestRefused;
}

/** For any status but 200 and 401. */
export function faultOfStatus(status: number): AppError {
  const kind = FROZEN_STATUSES.includes(status) ? "shopify_frozen" : "shopify_unavailable";
  return shopifyFault(kind, `Shopify: HTTP ${status}`, { status });
}

/** The fault for any other failure: the network, a time limit, an answer without the data asked for. */
export function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  if (error instanceof z.ZodError)
    return shopifyFault("shopify_unavailable", "Shopify's answer lacks what was asked for", { cause: error });
  const message = error instanceof Error ? error.message : "something was thrown";
  return shopifyFault("shopify_unavailable", `Shopify did not answer: ${message}`, { cause: error });
}

export function shopifyFault(
  kind: FaultKind,
  message: string,
  more: { cause?: unknown; status?: number } = {},
): AppError {
  return new AppError({ kind, message, effect: "none", ...more });
}

function faultOfGraphql(errors: z.infer<typeof graphqlErrors>["errors"]): AppError {
  const codes = errors.map((each) => each.extensions?.code);
  const message = errors.map((each) => each.message).join("; ");
  if (codes.includes("SHOP_INACTIVE")) return shopifyFault("shopify_frozen", message);
  if (codes.includes("THROTTLED") || codes.includes("INTERNAL_SERVER_ERROR"))
    return shopifyFault("shopify_unavailable", message);
  if (codes.includes("ACCESS_DENIED")) return shopifyFault("shopify_refused", message, { cause: new RequestRefused() });
  return shopifyFault("internal", `Shopify refuses our query: ${message}`, { cause: new RequestRefused() });
}
