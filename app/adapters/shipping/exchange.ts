import type { Clock, HeardDates, Log, Random } from "../../ports.ts";
import type { Slot } from "./budget-core.ts";
import type { Network, WireAnswer } from "./network.ts";
import type { Call } from "./transport.ts";
import type { WireRequest } from "./wire/requests.ts";

/** One request and its answer, within the total timeout, told to its slot and to the log. */

export interface ExchangeOptions {
  network: Network;
  clock: Clock;
  random: Random;
  log: Log;
  userAgent: string;
  /** Hears what the service's clock says. */
  dates?: HeardDates | undefined;
  /** From connecting to the last byte. */
  totalTimeoutMs: number;
}

export interface Answer extends WireAnswer {
  requestId: string;
  /** Our clocks when the request left. */
  startedAtMs: number;
  sentAtMonotonicMs: number;
  /** The bearer token it carried. */
  token: string | null;
}

/** No answer. `sent` is false when no byte can have left. */
export interface Fault {
  kind: "transport" | "timeout" | "cancelled";
  sent: boolean;
  requestId: string;
  cause: Error;
}

export type Exchanged = { answer: Answer } | { fault: Fault };

/** Never rejects. */
export async function exchange(
  options: ExchangeOptions,
  input: { call: Call; slot: Slot; token: string | null },
): Promise<Exchanged> {
  const { network, clock, random, userAgent, totalTimeoutMs } = options;
  const { call, slot, token } = input;
  const requestId = random.id();
  const startedAtMs = clock.nowMs();
  const sentAtMonotonicMs = clock.monotonicMs();
  let kind: Fault["kind"] = "transport";
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
    kind = reason;
    underWay.stop();
  };
  const stopTimer = clock.after(totalTimeoutMs, () => end("timeout"));
  const onAbort = () => end("cancelled");
  call.signal?.addEventListener("abort", onAbort);
  let exchanged: Exchanged;
  try {
    const answer = await underWay.answer;
    options.dates?.heard("service", answer.headers["date"]);
    exchanged = { answer: { ...answer, requestId, startedAtMs, sentAtMonotonicMs, token } };
  } catch (cause) {
    if (kind === "transport" && isTimeout(cause)) kind = "timeout";
    exchanged = { fault: { kind, sent, requestId, cause: brief(cause) } };
  } finally {
    stopTimer();
    call.signal?.removeEventListener("abort", onAbort);
  }
  log(options.log, { call, exchanged, durationMs: clock.monotonicMs() - sentAtMonotonicMs });
  return exchanged;
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

/** What happened, without what undici hangs on its errors: sockets, and bytes of the answer. */
function brief(cause: unknown): Error {
  if (!(cause instanceof Error)) return new Error("the network failed");
  return Object.assign(new Error(cause.message), { name: cause.name, code: "code" in cause ? cause.code : undefined });
}

function log(to: Log, { call, exchanged, durationMs }: { call: Call; exchanged: Exchanged; durationMs: number }): void {
  const { operation, shop, environment, priority } = call;
  const answered = "answer" in exchanged;
  const end = answered ? { status: exchanged.answer.status } : { fault: exchanged.fault.kind };
  const { requestId } = answered ? exchanged.answer : exchanged.fault;
  const fields = { requestId, operation, shop, environment, priority, durationMs: Math.round(durationMs), ...end };
  if (answered && exchanged.answer.status < 400) to.info(fields, "shipping service called");
  else to.warn(fields, "shipping service call without success");
}
