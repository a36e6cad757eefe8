import type { AppError } from "../../domain/errors.ts";
import type { AddressTemplate } from "../../domain/records.ts";
import type { Written } from "../../ports.ts";
import type { Answer, Call } from "./call.ts";
import { problemOf, refused } from "./transport.ts";
import { asRecord, parseJson } from "./wire/json.ts";
import { isHtml } from "./wire/problem.ts";
import { idOf } from "./wire/spellings.ts";
import { readTemplate } from "./wire/template.ts";

/** How a call to the service ended, as its answer tells. */

/** 2xx. */
export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

/** The end of a write whose answer holds the template: the one with this id, or a new one where it is null. */
export function writtenTemplate(call: Call, answer: Answer, templateId: string | null): Written<AddressTemplate> {
  if (!isSuccess(answer)) return notWritten(call, answer);
  return { kind: "written", value: templateIn(call, answer, templateId), requestId: answer.requestId };
}

/**
 * The template in an answer. The answer to a call about one template may hold another one, for example from a cache in between. It tells
 * nothing about the template that was asked for, so it counts as unreadable.
 */
export function templateIn(call: Call, answer: Answer, templateId: string | null): AddressTemplate {
  const template = readTemplate(answer.body);
  if (!template) throw unreadable(call, answer);
  return templateId === null ? template : (asAsked(template, templateId) ?? fail(unreadable(call, answer)));
}

/** Under the id that was asked for, however the answer spells it; null where it is another template. */
function asAsked(template: AddressTemplate, templateId: string): AddressTemplate | null {
  return idOf(template.id) === idOf(templateId) ? { ...template, id: templateId } : null;
}

/**
 * The end of a question to carriers. As for a deletion, any success but a page of HTML says that they were asked; null where its body does not
 * hold the template.
 */
export function askedEnd(call: Call, answer: Answer, templateId: string): Written<AddressTemplate | null> {
  if (!isSuccess(answer)) return notWritten(call, answer);
  if (isHtml(answer.body)) throw unreadable(call, answer);
  const template = readTemplate(answer.body);
  const value = template && asAsked(template, templateId);
  return { kind: "written", value, requestId: answer.requestId };
}

/** The other ends of a write: not found, refused, or a status that does not tell. */
export function notWritten(call: Call, answer: Answer): Written<never> {
  if (answer.status === 404) {
    const { requestId, serviceMessage } = problemOf(call, answer);
    return { kind: "not_found", requestId, serviceMessage };
  }
  if (isRefusal(answer)) return { kind: "refused", problem: problemOf(call, answer) };
  throw unexpected(call, answer);
}

/**
 * Whether a 4xx is a refusal: 400 and 422 always, another one only if the service itself (JSON) sent it. 408 speaks of time and not of the
 * request. 403 is handled before.
 */
function isRefusal({ status, body }: Answer): boolean {
  if (status === 400 || status === 422) return true;
  return status > 400 && status < 500 && status !== 408 && status !== 401 && asRecord(parseJson(body)) !== null;
}

/** A proxy, a gateway or a login page answered a token operation in the service's place. */
export function notTheService(call: Call, answer: Answer): AppError {
  return refused(call, answer, { kind: "edge_blocked", effect: "none" });
}

/** A status that does not tell what happened. */
export function unexpected(call: Call, answer: Answer): AppError {
  return refused(call, answer, { kind: "unexpected_status", effect: "unknown" });
}

/** A success whose body cannot be read: the write may well have taken effect. */
export function unreadable(call: Call, answer: Answer): AppError {
  return refused(call, answer, { kind: "unreadable", effect: "unknown" });
}

/** Throws, where the language wants an expression. */
export function fail(error: AppError): never {
  throw error;
}
