import type { Moment } from "../../domain/moment.ts";
import type { Environment } from "../../domain/records.ts";
import type { Priority } from "../../ports.ts";
import type { WireAnswer } from "./network.ts";
import type { Operation } from "./retry.ts";
import type { WireRequest } from "./wire/requests.ts";

/** One call of an operation, and its answer: the types that the transport and a single exchange share. */

/** The bearer token of a call's connection. */
export interface Bearer {
  /** Resolves when there is a token to send; gets one if necessary. Called before the call asks for slots. */
  ready(signal: AbortSignal | undefined): Promise<void>;
  /** Called with the slots in hand: the token to send now; null when a new one must be fetched first. Throws `superseded`. */
  held(): string | null;
  /** The service answered 401 to the token. Gives whether another token may help. */
  refused(token: string, at: { request: string; answeredAtMonotonicMs: number }): boolean;
  /** The service answered a request with this token well. */
  served(token: string, at: { request: string; sentAtMonotonicMs: number }): void;
  /** Values that no message may repeat. */
  secrets(): string[];
}

/** A reading that is sent on a call's own slot before the call. The call is sent only if the answer allows it. */
export interface Reading {
  operation: Operation;
  request: WireRequest;
  /** How old the reading may be when the call's bytes leave, by whichever clock says more, counted from when the reading was sent. */
  holdsMs: number;
  /**
   * Runs while the slot rests. False: the reading's answer ends the call, and nothing more is sent. If it throws, nothing is sent either.
   */
  goesOn: (answer: Answer, asked: Call) => Promise<boolean>;
}

export interface Call {
  operation: Operation;
  request: WireRequest;
  shop: string;
  environment: Environment;
  clientId: string;
  /** The connection whose bearer token the call carries. */
  connection?: { id: string; version: number } | undefined;
  priority: Priority;
  signal?: AbortSignal | undefined;
  once?: boolean | undefined;
  sending?: (() => void) | undefined;
  bearer?: Bearer | undefined;
  reading?: Reading | undefined;
  beforeSend?: (() => Promise<Moment | void>) | undefined;
  /** Values of the request that no message may repeat. */
  secrets: string[];
}

export interface Answer extends WireAnswer {
  requestId: string;
  /** Both clocks when the request left. */
  startedAtMs: number;
  sentAtMonotonicMs: number;
  /** The bearer token that the request carried. */
  token: string | null;
}
