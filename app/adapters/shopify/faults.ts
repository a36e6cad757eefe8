import { z } from "zod";
import { AppError, isAppError } from "../../domain/errors.ts";
import type { FaultKind } from "../../domain/errors.ts";

const failedCall = z.object({ response: z.object({ code: z.number() }) });

const refusedQuery = z.object({
  body: z.object({
    errors: z.object({
      graphQLErrors: z.array(
        z.object({ message: z.string(), extensions: z.object({ code: z.string() }).partial().optional() }),
      ),
    }),
  }),
});

/**
 * One meaning for whatever Shopify's package throws: errors that carry a status, errors that carry GraphQL's list, or plain ones
 * from the network. All calls are reads, so none had an effect.
 */
export function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  if (!(error instanceof Error))
    return fault({ kind: "internal", message: "Shopify's package threw no error", cause: error });
  if (error instanceof z.ZodError)
    return fault({ kind: "unreadable", message: "Shopify's answer lacks what was asked for", cause: error });

  const call = failedCall.safeParse(error);
  if (call.success) {
    const status = call.data.response.code;
    return fault({ kind: kindOfStatus(status), message: `Shopify: HTTP ${status}`, cause: error, status });
  }
  const query = refusedQuery.safeParse(error);
  if (query.success) return ofGraphql(query.data.body.errors.graphQLErrors, error);
  return fault({ kind: "shopify_unavailable", message: `Shopify did not answer: ${error.message}`, cause: error });
}

function ofGraphql(errors: z.infer<typeof refusedQuery>["body"]["errors"]["graphQLErrors"], cause: Error): AppError {
  const codes = errors.map((each) => each.extensions?.code);
  const message = errors.map((each) => each.message).join("; ") || cause.message;
  if (codes.includes("THROTTLED") || codes.includes("INTERNAL_SERVER_ERROR"))
    return fault({ kind: "shopify_unavailable", message, cause });
  if (codes.includes("ACCESS_DENIED")) return fault({ kind: "shopify_refused", message, cause });
  return fault({ kind: "internal", message, cause });
}

function kindOfStatus(status: number): FaultKind {
  if (status === 429 || status >= 500) return "shopify_unavailable";
  // 402 a frozen shop, 404 a shop that is no more, 423 a locked one.
  return "shopify_refused";
}

function fault(parts: { kind: FaultKind; message: string; cause: unknown; status?: number }): AppError {
  return new AppError({ ...parts, effect: "none" });
}
