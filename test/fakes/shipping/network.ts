import type { Exchange, Network, UnderWay, WireAnswer } from "../../../app/adapters/shipping/network.ts";
import type { AddressTemplate } from "../../../app/domain/records.ts";
import type { Clock } from "../../../app/ports.ts";
import type { FakeAccount } from "./account.ts";
import type { Habits } from "./habits.ts";
import { parseRequest, perform } from "./service.ts";
import type { Operation, ServiceRequest } from "./service.ts";
import { createFakeTokens } from "./tokens.ts";
import type { FakeTokens } from "./tokens.ts";

export type { Operation, ServiceRequest };

/** The service's nine operations, as a network for the real shipping adapter, on any clock. */

/** What becomes of one request. */
export interface CallOutcome {
  /** How long until the request arrives; null: it never does. */
  arrivesAfterMs: number | null;
  /** How long from its arrival to its effect; null: it has no effect. */
  effectAfterMs: number | null;
  /** How the client learns of it, and how long after the arrival. */
  answer:
    | { kind: "true" | "server_error" | "rate_limited" | "unreadable" | "reset" | "unauthorized"; afterMs: number }
    /** Any other answer that a server on the way may give. */
    | { kind: "said"; status: number; body: string; afterMs: number }
    | { kind: "silence" };
  /** How far the list or the template in a GET's answer lags behind the writes. */
  behindMs?: number;
}

export interface Arrival {
  environment: string;
  clientId: string;
  reader: string;
  operation: Operation;
  atMs: number;
}

export interface NetworkOptions {
  clock: Pick<Clock, "after" | "nowMs">;
  accountOf: (clientId: string, environment: string) => FakeAccount | null;
  habits: Habits;
  /** Tokens that live two hours and are never refused, unless a test brings its own. */
  tokens?: FakeTokens;
  outcomeOf: (operation: Operation, request: ServiceRequest) => CallOutcome;
  /** Called with every arrival, for checking the rate. */
  arrived: (arrival: Arrival) => void;
  /** A template as an answer shows it, for tests in which it is malformed. */
  shown?: (template: AddressTemplate, operation: Operation) => unknown;
  verdict?: (account: FakeAccount, templateId: string, carrier: string) => void;
  /** Called with every request as it leaves, and its outcome. Returns when the request's write was announced, where that is known. */
  /** A request leaves. Gives when it was announced, where that is known. */
  left?: (request: ServiceRequest, outcome: CallOutcome) => number | null | void;
  /** Called with every answer as it comes back. */
  answered?: (request: ServiceRequest, answer: WireAnswer) => void;
}

export const PROMPT: CallOutcome = { arrivesAfterMs: 20, effectAfterMs: 0, answer: { kind: "true", afterMs: 20 } };

export function createFakeNetwork(options: NetworkOptions): Network {
  const tokens = options.tokens ?? createFakeTokens();
  return {
    offers: () => true,
    exchange: (exchange) => send({ ...options, tokens }, exchange),
    close: async () => undefined,
  };
}

function send(options: NetworkOptions & { tokens: FakeTokens }, exchange: Exchange): UnderWay {
  const { clock, habits, outcomeOf, arrived, accountOf } = options;
  const request = found(habits, parseRequest(exchange));
  const { environment, clientId, templateId, reader, operation } = request;
  if (!exchange.onSending()) return { answer: Promise.reject(new Error("kept back")), stop: () => undefined };
  const outcome = outcomeOf(operation, request);
  const announcedAtMs = options.left?.(request, outcome) ?? clock.nowMs();
  const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>();
  const account = accountOf(clientId, environment);
  // A plan is based on a reading of which the process was told when it announced the write. Later readings are no basis for it.
  const readAtMs = account?.readings.before(templateId, { reader, atMs: announcedAtMs }) ?? null;
  if (operation === "update" && !isRefused(outcome)) account?.readings.spend(templateId, reader);
  const fail = () => reject(new Error("reset"));
  if (outcome.arrivesAfterMs === null) {
    if (outcome.answer.kind !== "silence") clock.after(outcome.answer.afterMs, fail);
    return { answer: promise, stop: fail };
  }
  clock.after(outcome.arrivesAfterMs, () => {
    arrived({ environment, clientId, reader, operation, atMs: clock.nowMs() });
    const arrivedAtMs = clock.nowMs();
    let answer: WireAnswer = said(503, "{}");
    const effect = () => {
      const behindMs = outcome.behindMs ?? 0;
      const toldAtMs = isTold(outcome) ? arrivedAtMs + outcome.answer.afterMs : null;
      const arrival = { request, account, atMs: clock.nowMs(), readAtMs, behindMs, toldAtMs };
      answer = perform(options, arrival);
      // A token has expired, so the write is repeated with another token, on the same reading.
      if (answer.status === 401 && readAtMs !== null) account?.readings.keep(templateId, { reader, atMs: readAtMs });
    };
    if (outcome.effectAfterMs === 0) effect();
    else if (outcome.effectAfterMs !== null) clock.after(outcome.effectAfterMs, effect);
    const { answer: told } = outcome;
    if (told.kind === "silence") return;
    clock.after(told.afterMs, () => {
      if (told.kind === "reset") return fail();
      exchange.onAnswer();
      const isTrue = told.kind === "true" || (saysDone(told) && isRefusal(answer));
      const heard = dated(isTrue ? ofService(habits, request, answer) : answerOf(told), clock.nowMs());
      options.answered?.(request, heard);
      resolve(heard);
    });
  });
  return { answer: promise, stop: fail };
}

/** Whether an answer comes that says so, after the service has done its work. */
function isTold(outcome: CallOutcome): outcome is CallOutcome & { answer: { afterMs: number } } {
  const { effectAfterMs, answer } = outcome;
  const isSuccess = answer.kind === "true" || saysDone(answer);
  return isSuccess && effectAfterMs !== null && effectAfterMs <= answer.afterMs;
}

/** Whether the service has looked at what was asked, and refused it. */
function isRefusal({ status }: WireAnswer): boolean {
  return status >= 400 && status < 500;
}

/** Whether a given answer says that what was asked is done. Where the service has refused that, its own answer comes. */
function saysDone(answer: CallOutcome["answer"]): answer is Extract<Answered, { kind: "said" }> {
  return answer.kind === "said" && answer.status < 300;
}

/** A definite refusal, so the call may be repeated on the same reading. */
function isRefused({ answer }: CallOutcome): boolean {
  if (answer.kind === "said") return answer.status < 500;
  return answer.kind === "rate_limited" || answer.kind === "unauthorized";
}

type Answered = Exclude<CallOutcome["answer"], { kind: "silence" }>;

const ANSWERS: Record<"server_error" | "rate_limited" | "unreadable" | "unauthorized", WireAnswer> = {
  server_error: said(502, "<html>bad gateway</html>"),
  rate_limited: { ...said(429, "{}"), headers: { "retry-after": "1" } },
  unreadable: said(200, "<html>welcome</html>"),
  unauthorized: said(401, "{}"),
};

function answerOf(told: Answered): WireAnswer {
  if (told.kind === "said") return said(told.status, told.body);
  return ANSWERS[told.kind as keyof typeof ANSWERS];
}

function dated({ headers, ...rest }: WireAnswer, nowMs: number): WireAnswer {
  return { ...rest, headers: { date: new Date(nowMs).toUTCString(), ...headers } };
}

/** A request with the id under which the fake keeps the template that it names. */
function found({ capitalIds, findsCapitalsAlone }: Habits, request: ServiceRequest): ServiceRequest {
  const { templateId } = request;
  if (!capitalIds) return request;
  const isFound = !findsCapitalsAlone || templateId === templateId.toUpperCase();
  return { ...request, templateId: isFound ? templateId.toLowerCase() : "no-such-id" };
}

/** What the service itself adds to its answers. */
function ofService({ byteOrderMark }: Habits, { requestId }: ServiceRequest, answer: WireAnswer): WireAnswer {
  const body = byteOrderMark ? `\uFEFF${answer.body}` : answer.body;
  return { ...answer, headers: { ...answer.headers, "x-request-id": requestId }, body };
}

function said(status: number, body: string): WireAnswer {
  return { status, headers: {}, body, cutShort: null };
}
