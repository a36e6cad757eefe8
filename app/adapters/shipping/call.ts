import type { Environment } from "../../domain/records.ts";
import type { Priority } from "../../ports.ts";
import type { WireAnswer } from "./network.ts";
import type { Operation } from "./retry.ts";
import type { WireRequest } from "./wire/requests.ts";

/** One call of an operation, and its answer: what the transport and one exchange of it share. */

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

/** What is asked on a call's own slot before it: the call goes only if the answer lets it. */
export interface Reading {
  operation: Operation;
  request: WireRequest;
  /** How old it may be when the call's bytes go, by whichever clock says more; counted from when it was sent. */
  holdsMs: number;
  /** Runs while the slot rests. False: its answer is the end of the call, which is not sent. If it throws, nothing is sent either. */
  goesOn: (answer: Answer, asked: Call) => Promise<boolean>;
}

export interface Call {
  operation: Operation;
  request: WireRequest;
  shop: string;
  environment: Environment;
  clientId: string;
  priority: Priority;
  signal?: AbortSignal | undefined;
  once?: boolean | undefined;
  bearer?: Bearer | undefined;
  reading?: Reading | undefined;
  beforeSend?: (() => Promise<void>) | undefined;
  /** Values of the request that no message may repeat. */
  secrets: string[];
}

export interface Answer extends WireAnswer {
  requestId: string;
  /** Our clocks when the request left. */
  startedAtMs: number;
  sentAtMonotonicMs: number;
  /** The bearer token it carried. */
  token: string | null;
}
