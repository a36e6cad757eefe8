import { AppError, isAppError, type FaultKind, type ServiceProblem } from "../../domain/errors.ts";
import { atMostAgoMs, momentOf } from "../../domain/moment.ts";
import type { Moment } from "../../domain/moment.ts";
import type { Budget } from "./budget-core.ts";
import type { Slot } from "./slots/slot-use.ts";
import type { Answer, Call, Reading } from "./call.ts";
import { exchange, mayLeave, type ExchangeOptions, type Fault } from "./exchange.ts";
import { cancelled, notConnected } from "./faults.ts";
import { FIRST_PAUSE_MS, retryAfterMs } from "./pauses.ts";
import { createSlowedAlone, type SlowedAlone } from "./refusals.ts";
import { nextStep, OPERATIONS, type Outcome } from "./retry.ts";
import { asRecord, parseJson } from "./wire/json.ts";
import { readProblem } from "./wire/problem.ts";
import { redactorOf } from "./wire/redact.ts";

/** The one way to the service: token → slots → [a reading on them →] request → a status that the operation may read, or one `AppError`. */

export interface Transport {
  /** An answer that the operation has to interpret: 2xx, 3xx, or a 4xx that does not mean the same for all operations. */
  send(call: Call): Promise<Answer>;
}

export interface TransportOptions extends ExchangeOptions {
  budget: Budget;
}

interface Known extends TransportOptions {
  slowedAlone: SlowedAlone;
}

type Attempt = { outcome: "answered"; answer: Answer } | { outcome: Outcome; error: AppError | null };

export function createTransport(given: TransportOptions): Transport {
  const options = { ...given, slowedAlone: createSlowedAlone() };
  return {
    async send(call) {
      const { environment } = call;
      if (!options.network.offers(environment))
        throw notConnected(`no address is configured for the ${environment} environment`);
      const met = new Map<Outcome, number>();
      let paused: AppError | null = null;
      for (;;) {
        const attempt = await attemptOnce(options, call).catch((error: unknown) => {
          throw paused && isAppError(error) && error.kind === "superseded" ? paused : error;
        });
        if (attempt.outcome === "answered") return attempt.answer;
        const count = (met.get(attempt.outcome) ?? 0) + 1;
        met.set(attempt.outcome, count);
        if (attempt.outcome === "rate_limited") paused = attempt.error;
        const { operation, once } = call;
        const step = nextStep({ operation, outcome: attempt.outcome, attempt: count, once });
        if (!step.again) throw attempt.error ?? cancelled();
        if (step.afterMs > 0) await options.clock.sleep(step.afterMs, call.signal);
      }
    },
  };
}

async function attemptOnce(options: Known, call: Call): Promise<Attempt> {
  await call.bearer?.ready(call.signal);
  const client = `${call.environment} ${call.clientId}`;
  const { shop, priority, signal, connection } = call;
  const place = { shop, client, priority, signal, connection };
  return options.budget.use(place, async (slot) => {
    const at = { client, slot };
    if (!call.reading) return sendCall(options, call, at);
    const readAt = momentOf(options.clock);
    const read = await readFirst(options, { ...call, reading: call.reading }, at);
    return read === "goes_on" ? sendCall(options, call, { ...at, readAt }) : read;
  });
}

interface At {
  client: string;
  slot: Slot;
  /** When the reading that the call rests on was sent. */
  readAt?: Moment;
}

async function readFirst(
  options: Known,
  { reading, ...call }: Call & { reading: Reading },
  at: At,
): Promise<Attempt | "goes_on"> {
  const { operation, request } = reading;
  const asked: Call = { ...call, operation, request, beforeSend: undefined };
  const attempt = await sendCall(options, asked, at);
  if (attempt.outcome !== "answered") return attempt;
  const rested = at.slot.again();
  // Where the reading ends the call, nobody awaits this promise.
  rested.catch(() => undefined);
  if (!(await reading.goesOn(attempt.answer, asked))) return attempt;
  return (await rested) ? "goes_on" : { outcome: "not_ready", error: null };
}

async function sendCall(options: Known, call: Call, { client, slot, readAt }: At): Promise<Attempt> {
  const token = call.bearer ? call.bearer.held() : null;
  if (call.bearer && token === null) return { outcome: "not_ready", error: null };
  const asked = call.beforeSend ? momentOf(options.clock) : null;
  const announced = (await call.beforeSend?.()) ?? asked;
  if (!mayLeave(options, { announced }))
    return { outcome: "failed", error: tooLateToSend(call, "the pending write took too long to commit") };
  // What is asked before a write may take long where the database is slow. A slot that somebody else may have by now is no fault of anybody's.
  if (!(await slot.keep())) return { outcome: "not_ready", error: null };
  if (readAt && atMostAgoMs(options.clock, readAt) > call.reading!.holdsMs)
    return { outcome: "failed", error: tooLateToSend(call, "what it rests on was read too long ago") };
  if (call.signal?.aborted) return { outcome: "cancelled", error: cancelled() };
  call.sending?.();
  const exchanged = await exchange(options, { call, slot, token, announced });
  return "fault" in exchanged
    ? faultOf(call, exchanged.fault)
    : classify(options, { call, client, answer: exchanged.answer });
}

function tooLateToSend({ operation }: Call, why: string): AppError {
  return new AppError({ kind: "timeout", message: `${operation}: ${why}`, effect: "none", operation });
}

function faultOf(call: Call, { kind, sent, requestId, cause }: Fault): Attempt {
  const effect = OPERATIONS[call.operation].changes && sent ? "unknown" : "none";
  const message = `${call.operation}: ${FAULT_WORDS[kind]}`;
  return {
    outcome: kind === "cancelled" ? "cancelled" : "failed",
    error: new AppError({ operation: call.operation, kind, message, cause, requestId, effect }),
  };
}

const FAULT_WORDS = {
  transport: "the connection to the service failed",
  timeout: "the service did not answer in time",
  cancelled: "the caller stopped waiting",
} as const;

/** Handles the statuses that mean the same for every operation. */
function classify(
  { budget, clock, slowedAlone }: Known,
  { call, client, answer }: { call: Call; client: string; answer: Answer },
): Attempt {
  const keys = { shop: call.shop, client };
  const refusal = (kind: FaultKind, effect: "none" | "unknown") => refused(call, answer, { kind, effect });
  if (answer.status === 429) {
    const nowMs = clock.monotonicMs();
    const isOfOne = OPERATIONS[call.operation].ofOne;
    const isAlone = isOfOne && slowedAlone.slowed(client, nameOf(call), { answeredAtMonotonicMs: nowMs });
    const alone = { kind: "rate_limited", effect: "none", isAlone } as const;
    if (isAlone) return { outcome: "rate_limited_alone", error: refused(call, answer, alone) };
    const headers = { retryAfter: answer.headers["retry-after"] ?? null, date: answer.headers["date"] ?? null };
    const unsaidMs = isOfOne && slowedAlone.isLikely(client, nowMs) ? FIRST_PAUSE_MS : null;
    const ms = retryAfterMs(headers, clock.nowMs()) ?? unsaidMs;
    budget.pause(keys, { ms, sentAtMonotonicMs: answer.sentAtMonotonicMs });
    return { outcome: "rate_limited", error: refusal("rate_limited", "none") };
  }
  budget.flowing(keys);
  if (call.bearer) slowedAlone.flowing(client, nameOf(call), answer);
  if (answer.status === 401 && call.bearer && answer.token !== null) {
    const refusedAt = { request: nameOf(call), answeredAtMonotonicMs: clock.monotonicMs() };
    const mayHelp = call.bearer.refused(answer.token, refusedAt);
    return { outcome: mayHelp ? "unauthorized" : "unauthorized_always", error: refusal("unauthorized", "none") };
  }
  // The service answers in JSON, so a 403 in anything else comes from a proxy.
  if (answer.status === 403 && asRecord(parseJson(answer.body)) === null) {
    return { outcome: "edge_blocked", error: refusal("edge_blocked", "none") };
  }
  // The service's own 403: the token may not do this. Other calls tell whether that holds for this resource or for all. Token operations
  // interpret their own 403.
  if (answer.status === 403 && call.bearer) return { outcome: "forbidden", error: refusal("forbidden", "none") };
  if (answer.status >= 500) return { outcome: "failed", error: refusal("server_error", "unknown") };
  const brokenSuccess = answer.status < 300 && answer.cutShort === "broken" && call.operation !== "delete";
  if (brokenSuccess) return { outcome: "failed", error: refusal("transport", "unknown") };
  if (call.bearer && answer.token !== null && answer.status < 300)
    call.bearer.served(answer.token, { request: nameOf(call), sentAtMonotonicMs: answer.sentAtMonotonicMs });
  return { outcome: "answered", answer };
}

/** What a call asks the service for. */
function nameOf({ request: { method, path } }: Call): string {
  return `${method} ${path}`;
}

/** The fault for an answer, with the service's words but none of our secrets. `effect` is for operations that change something. */
export function refused(
  call: Call,
  answer: Answer,
  fault: { kind: FaultKind; effect: "none" | "unknown"; isAlone?: boolean },
): AppError {
  const problem = problemOf(call, answer);
  return new AppError({
    kind: fault.kind,
    isAlone: fault.isAlone ?? false,
    message: `${call.operation}: the service answered ${answer.status}`,
    requestId: answer.requestId,
    status: answer.status,
    operation: call.operation,
    effect: OPERATIONS[call.operation].changes ? fault.effect : "none",
    // The body of an unreadable success is not quoted, because it may hold a token. A proxy's words are not the service's.
    serviceMessage: answer.status < 300 || fault.kind === "edge_blocked" ? null : problem.serviceMessage,
  });
}

/** Why the service refused a request, without secrets that it repeats from the request. */
export function problemOf(call: Call, answer: Answer): ServiceProblem {
  return readProblem({ ...answer, clean: redactorFor(call, answer) });
}

/** A function that removes all secrets of a request from words of its answer. */
export function redactorFor(call: Call, answer: Answer): (text: string) => string {
  return redactorOf([...call.secrets, ...(call.bearer?.secrets() ?? []), answer.token ?? ""]);
}
