import type { AppError } from "../../domain/errors.ts";
import type { AddressTemplate } from "../../domain/records.ts";
import type { Written } from "../../ports.ts";
import type { Answer, Call } from "./call.ts";
import { problemOf, refused } from "./transport.ts";
import { asRecord, parseJson } from "./wire/json.ts";
import { readTemplate } from "./wire/template.ts";

/** How a call to the service ended, read of its answer. */

/** 2xx. */
export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

/** What a write that answers with the template came to. */
export function writtenTemplate(call: Call, answer: Answer): Written<AddressTemplate> {
  if (!isSuccess(answer)) return notWritten(call, answer);
  const value = readTemplate(answer.body) ?? fail(unreadable(call, answer));
  return { kind: "written", value, requestId: answer.requestId };
}

/** A write's other ends: gone, refused, or a status that does not say. */
export function notWritten(call: Call, answer: Answer): Written<never> {
  if (answer.status === 404) {
    const { requestId, serviceMessage } = problemOf(call, answer);
    return { kind: "not_found", requestId, serviceMessage };
  }
  if (isRefusal(answer)) return { kind: "refused", problem: problemOf(call, answer) };
  throw unexpected(call, answer);
}

/**
 * 400 and 422 by their number; another 4xx when the service itself (JSON) says it. 408 is about time, not the request; 403 never comes
 * here.
 */
function isRefusal({ status, body }: Answer): boolean {
  if (status === 400 || status === 422) return true;
  return status > 400 && status < 500 && status !== 408 && status !== 401 && asRecord(parseJson(body)) !== null;
}

/** A proxy, a gateway or a login page answered a token operation in the service's place. */
export function notTheService(call: Call, answer: Answer): AppError {
  return refused(call, answer, { kind: "edge_blocked", effect: "none" });
}

/** A status that says nothing of what happened. */
export function unexpected(call: Call, answer: Answer): AppError {
  return refused(call, answer, { kind: "unexpected_status", effect: "unknown" });
}

/** A success that cannot be read: it may well have happened. */
export function unreadable(call: Call, answer: Answer): AppError {
  return refused(call, answer, { kind: "unreadable", effect: "unknown" });
}

/** For where an expression must throw. */
export function fail(error: AppError): never {
  throw error;
}
