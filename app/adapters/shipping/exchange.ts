import { atMostAgoMs, momentOf, type Moment } from "../../domain/moment.ts";
import type { Clock, HeardDates, Log, Random } from "../../ports.ts";
import type { Slot } from "./slots/slot-use.ts";
import type { Answer, Call } from "./call.ts";
import type { Deadlines } from "./deadlines.ts";
import type { Network } from "./network.ts";
import type { WireRequest } from "./wire/requests.ts";

/** One request and its answer, within the total timeout. The slot and the log are told of both. */

export interface ExchangeOptions {
  network: Network;
  clock: Clock;
  random: Random;
  log: Log;
  userAgent: string;
  /** Where the `Date` of each answer is noted. */
  dates?: HeardDates | undefined;
  /** Covers each request from connecting to its last byte. */
  deadlines: Deadlines;
  /** A write leaves at most this long after its announcement, or not at all, because its quarantine is counted from the announcement. */
  sendWithinMs: number;
}

/** There was no answer. `sent` is false when no byte can have left. */
export interface Fault {
  kind: "transport" | "timeout" | "cancelled";
  sent: boolean;
  requestId: string;
  cause: Error;
}

export type Exchanged = { answer: Answer } | { fault: Fault };

export interface Exchanging {
  call: Call;
  slot: Slot;
  token: string | null;
  /** When the pending write's commit began; null for a call without a pending write. */
  announced: Moment | null;
}

/** Never rejects. */
export async function exchange(options: ExchangeOptions, input: Exchanging): Promise<Exchanged> {
  const { network, clock, random, userAgent, deadlines } = options;
  const { call, slot, token } = input;
  deadlines.look();
  const requestId = random.id();
  const startedAtMs = clock.nowMs();
  const began = momentOf(clock);
  let kind: Fault["kind"] = "transport";
  let sent = false;
  let late = false;
  // A refused connection proves as little as one that breaks, so the slot rests as after a request.
  slot.sending();
  const underWay = network.exchange({
    environment: call.environment,
    request: call.request,
    headers: headersOf({ request: call.request, token, userAgent, requestId }),
    onSending() {
      sent = slot.mayLeave() && mayLeave(options, input);
      if (!sent) kind = "timeout";
      return sent;
    },
    onAnswer() {
      slot.answered();
      late = deadlines.isOver(began);
    },
  });
  const end = (reason: "timeout" | "cancelled") => {
    kind = reason;
    underWay.stop();
  };
  const stopWatching = deadlines.watch(began, () => end("timeout"));
  const onAbort = () => end("cancelled");
  call.signal?.addEventListener("abort", onAbort);
  let exchanged: Exchanged;
  try {
    const answer = await underWay.answer;
    // If the machine slept, an old body must not count as read now. A status that came in time counts even without its body.
    if (late || (answer.cutShort === null && deadlines.isOver(began))) {
      kind = "timeout";
      throw new Error("the answer was not looked at in time");
    }
    options.dates?.heard("service", answer.headers["date"]);
    exchanged = { answer: { ...answer, requestId, startedAtMs, sentAtMonotonicMs: began.monotonicMs, token } };
  } catch (cause) {
    if (kind === "transport" && isTimeout(cause)) kind = "timeout";
    exchanged = { fault: { kind, sent, requestId, cause: brief(cause) } };
  } finally {
    stopWatching();
    call.signal?.removeEventListener("abort", onAbort);
  }
  log(options.log, { call, exchanged, durationMs: clock.monotonicMs() - began.monotonicMs });
  return exchanged;
}

/** Connecting may take seconds, and a machine may fall asleep meanwhile, so both clocks are checked when the bytes may go. */
export function mayLeave(
  { clock, sendWithinMs }: Pick<ExchangeOptions, "clock" | "sendWithinMs">,
  { announced }: Pick<Exchanging, "announced">,
): boolean {
  return announced === null || atMostAgoMs(clock, announced) <= sendWithinMs;
}

function headersOf(input: { request: WireRequest; token: string | null; userAgent: string; requestId: string }) {
  const { request, token, userAgent, requestId } = input;
  return {
    accept: "application/json",
    // Without this header any coding would be allowed.
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

/** The error without what undici attaches to it: sockets, and bytes of the answer. */
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
