import { AppError, type FaultKind, type ServiceProblem } from "../../domain/errors.ts";
import type { Environment } from "../../domain/records.ts";
import type { Clock, Log, Priority, Random } from "../../ports.ts";
import type { Budget, Slot } from "./budget-core.ts";
import { cancelled, notConnected } from "./faults.ts";
import type { Network, WireAnswer } from "./network.ts";
import { retryAfterMs } from "./pauses.ts";
import { nextStep, OPERATIONS, type Operation, type Outcome } from "./retry.ts";
import { asRecord, parseJson } from "./wire/json.ts";
import { readProblem } from "./wire/problem.ts";
import type { WireRequest } from "./wire/requests.ts";

/** The one way to the service: token → slots → request → a status that the operation may read, or one `AppError`. */

/** The bearer token of a call's connection. */
export interface Bearer {
  /** Resolves when there is a token to send, before slots are asked for; gets one if need be. */
  ready(signal: AbortSignal | undefined): Promise<void>;
  /** With slots in hand: the token to send now, or null when it must be fetched anew. Throws `superseded`. */
  held(): string | null;
  /** The service answered 401 to it. */
  refused(token: string): void;
  /** What no message may repeat. */
  secrets(): string[];
}

export interface Call {
  operation: Operation;
  request: WireRequest;
  shop: string;
  environment: Environment;
  clientId: string;
  priority: Priority;
  signal?: AbortSignal | undefined;
  bearer?: Bearer | undefined;
  beforeSend?: (() => Promise<void>) | undefined;
  /** Values of the request that no message may repeat. */
  secrets: string[];
}

/** An answer for the operation to read: 2xx, 3xx, or a 4xx without a meaning common to all. */
export interface Answer extends WireAnswer {
  requestId: string;
  /** Our wall clock when the request left. */
  startedAtMs: number;
  /** The bearer token it carried. */
  token: string | null;
}

export interface Transport {
  send(call: Call): Promise<Answer>;
}

export interface TransportOptions {
  network: Network;
  budget: Budget;
  clock: Clock;
  random: Random;
  log: Log;
  userAgent: string;
  /** Of one attempt, from connecting to the last byte. */
  totalTimeoutMs: number;
}

type Attempt = { outcome: "answered"; answer: Answer } | { outcome: Outcome; error: AppError | null };

export function createTransport(options: TransportOptions): Transport {
  return {
    async send(call) {
      const { environment } = call;
      if (!options.network.offers(environment))
        throw notConnected(`no address is configured for the ${environment} environment`);
      const met = new Map<Outcome, number>();
      for (;;) {
        const attempt = await attemptOnce(options, call);
        if (attempt.outcome === "answered") return attempt.answer;
        const count = (met.get(attempt.outcome) ?? 0) + 1;
        met.set(attempt.outcome, count);
        const step = nextStep({ operation: call.operation, outcome: attempt.outcome, attempt: count });
        if (!step.again) throw attempt.error ?? cancelled();
        if (step.afterMs > 0) await options.clock.sleep(step.afterMs, call.signal);
      }
    },
  };
}

async function attemptOnce(options: TransportOptions, call: Call): Promise<Attempt> {
  await call.bearer?.ready(call.signal);
  const client = `${call.environment} ${call.clientId}`;
  const place = { shop: call.shop, client, priority: call.priority, signal: call.signal };
  return options.budget.use(place, async (slot) => {
    const token = call.bearer ? call.bearer.held() : null;
    if (call.bearer && token === null) return { outcome: "not_ready", error: null };
    const committingMs = options.clock.monotonicMs();
    await call.beforeSend?.();
    if (options.clock.monotonicMs() - committingMs > LONGEST_COMMIT_MS)
      return { outcome: "failed", error: tooLateToSend(call) };
    if (call.signal?.aborted) return { outcome: "cancelled", error: cancelled() };
    const exchanged = await exchange(options, { call, slot, token });
    log(options.log, call, exchanged);
    if (exchanged.kind === "fault") return faultOf(call, exchanged);
    return judge(options, { call, client, token, answer: exchanged.answer, sentAtMs: exchanged.sentAtMs });
  });
}

/** An intent's quarantine counts from its commit: a request that leaves much later could take effect after it. */
const LONGEST_COMMIT_MS = 5_000;

function tooLateToSend({ operation }: Call): AppError {
  return new AppError({ kind: "timeout", message: `${operation}: the intent took too long to commit`, effect: "none" });
}

type Exchanged = { requestId: string; durationMs: number } & (
  | { kind: "answer"; answer: Answer; sentAtMs: number }
  | { kind: "fault"; fault: "transport" | "timeout" | "cancelled"; sent: boolean; cause: unknown }
);

/** One request and its answer, within the total timeout. Never rejects. */
async function exchange(
  { network, clock, random, userAgent, totalTimeoutMs }: TransportOptions,
  { call, slot, token }: { call: Call; slot: Slot; token: string | null },
): Promise<Exchanged> {
  const requestId = random.id();
  const startedAtMs = clock.nowMs();
  const sentAtMs = clock.monotonicMs();
  let fault: "transport" | "timeout" | "cancelled" = "transport";
  let sent = false;
  // A connection that is refused proves as little as one that breaks: the slot counts from here.
  slot.sending();
  const underWay = network.exchange({
    environment: call.environment,
    request: call.request,
    headers: headersOf({ request: call.request, token, userAgent, requestId }),
    onSending: () => void (sent = true),
    onAnswer: () => slot.answered(),
  });
  const end = (reason: "timeout" | "cancelled") => {
    fault = reason;
    underWay.stop();
  };
  const stopTimer = clock.after(totalTimeoutMs, () => end("timeout"));
  const onAbort = () => end("cancelled");
  call.signal?.addEventListener("abort", onAbort);
  try {
    const answer = await underWay.answer;
    const durationMs = clock.monotonicMs() - sentAtMs;
    return { kind: "answer", answer: { ...answer, requestId, startedAtMs, token }, sentAtMs, requestId, durationMs };
  } catch (cause) {
    if (fault === "transport" && isTimeout(cause)) fault = "timeout";
    return { kind: "fault", fault, sent, cause, requestId, durationMs: clock.monotonicMs() - sentAtMs };
  } finally {
    stopTimer();
    call.signal?.removeEventListener("abort", onAbort);
  }
}

function headersOf(input: { request: WireRequest; token: string | null; userAgent: string; requestId: string }) {
  const { request, token, userAgent, requestId } = input;
  return {
    accept: "application/json",
    // Absent would mean that any coding will do.
    "accept-encoding": "identity",
    "user-agent": userAgent,
    "x-request-id": requestId,
    ...(request.contentType === null ? {} : { "content-type": request.contentType }),
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
}

function isTimeout(cause: unknown): boolean {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return /^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$|^ETIMEDOUT$/.test(code);
}

function faultOf(call: Call, end: Extract<Exchanged, { kind: "fault" }>): Attempt {
  const error = new AppError({
    kind: end.fault,
    message: `${call.operation}: ${FAULT_WORDS[end.fault]}`,
    cause: brief(end.cause),
    requestId: end.requestId,
    effect: OPERATIONS[call.operation].changes && end.sent ? "unknown" : "none",
  });
  return { outcome: end.fault === "cancelled" ? "cancelled" : "failed", error };
}

/** What happened, without what undici hangs on its errors: sockets, and bytes of the answer. */
function brief(cause: unknown): Error {
  if (!(cause instanceof Error)) return new Error("the network failed");
  return Object.assign(new Error(cause.message), { name: cause.name, code: "code" in cause ? cause.code : undefined });
}

const FAULT_WORDS = {
  transport: "the connection to the service failed",
  timeout: "the service did not answer in time",
  cancelled: "the caller stopped waiting",
} as const;

/** The statuses that mean the same for every operation. */
function judge(
  { budget, clock }: TransportOptions,
  input: { call: Call; client: string; token: string | null; answer: Answer; sentAtMs: number },
): Attempt {
  const { call, client, token, answer, sentAtMs } = input;
  const keys = { shop: call.shop, client };
  const refusal = (kind: FaultKind, effect: "none" | "unknown") => refused(call, answer, { kind, effect });
  if (answer.status === 429) {
    const headers = { retryAfter: answer.headers["retry-after"] ?? null, date: answer.headers["date"] ?? null };
    budget.pause(keys, { ms: retryAfterMs(headers, clock.nowMs()), sentAtMonotonicMs: sentAtMs });
    return { outcome: "rate_limited", error: refusal("rate_limited", "none") };
  }
  budget.flowing(keys);
  if (answer.status === 401 && call.bearer && token !== null) {
    call.bearer.refused(token);
    return { outcome: "unauthorized", error: refusal("unauthorized", "none") };
  }
  // The service speaks JSON; a 403 in any other language is a proxy's in front of it.
  if (answer.status === 403 && asRecord(parseJson(answer.body)) === null) {
    return { outcome: "edge_blocked", error: refusal("edge_blocked", "none") };
  }
  if (answer.status >= 500) return { outcome: "failed", error: refusal("server_error", "unknown") };
  const brokenSuccess = answer.status < 300 && answer.cutShort === "broken" && call.operation !== "delete";
  if (brokenSuccess) return { outcome: "failed", error: refusal("transport", "unknown") };
  return { outcome: "answered", answer };
}

/** An answer as a fault, with the service's words and without our secrets. `effect` is for operations that change. */
export function refused(call: Call, answer: Answer, fault: { kind: FaultKind; effect: "none" | "unknown" }): AppError {
  const problem = problemOf(call, answer);
  return new AppError({
    kind: fault.kind,
    message: `${call.operation}: the service answered ${answer.status}`,
    requestId: answer.requestId,
    status: answer.status,
    effect: OPERATIONS[call.operation].changes ? fault.effect : "none",
    serviceMessage: problem.serviceMessage,
  });
}

/** What the service said of a request it refused, without anything secret that it repeats from it. */
export function problemOf(call: Call, answer: Answer): ServiceProblem {
  return readProblem({ ...answer, secrets: [...call.secrets, ...(call.bearer?.secrets() ?? []), answer.token ?? ""] });
}

function log(to: Log, call: Call, exchanged: Exchanged): void {
  const { requestId, durationMs } = exchanged;
  const end = exchanged.kind === "answer" ? { status: exchanged.answer.status } : { fault: exchanged.fault };
  const fields = {
    requestId,
    operation: call.operation,
    shop: call.shop,
    environment: call.environment,
    priority: call.priority,
    durationMs: Math.round(durationMs),
    ...end,
  };
  const ok = exchanged.kind === "answer" && exchanged.answer.status < 400;
  if (ok) to.info(fields, "shipping service called");
  else to.warn(fields, "shipping service call without success");
}
