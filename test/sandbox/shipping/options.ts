/**
 * The stand-in for the shipping service: its interface over true HTTP, with everything the interface leaves open made a
 * choice, and with faults on demand. Nothing here is imported by the app, and nothing of the app is imported here.
 *
 * This file: the words of the stand-in and every choice it can be started with.
 */
import type { BehaviourChange, ValidationShape } from "./dialect/behaviour.ts";
import type { Environment, Operation } from "./routing.ts";

export type { Behaviour, BehaviourChange, ValidationShape, VerificationBehaviour } from "./dialect/behaviour.ts";
export { DEFAULT_BEHAVIOUR, VALIDATION_SHAPES } from "./dialect/behaviour.ts";

/** An application registered with the service. Applications that name the same account share its address book. */
export interface ClientApplication {
  environment: Environment;
  clientId: string;
  clientSecret: string;
  /** Default: an account of its own. */
  account?: string;
  redirectUri?: string;
  /** Scopes it may ask for. Default: default, read, write. */
  scopes?: string[];
}

export const FAULT_KINDS = [
  "lost-reply",
  "late-effect",
  "error-before",
  "error-after",
  "reset",
  "hang",
  "slow",
  "html",
  "unreadable-json",
  "cut-reply",
  "stalled-reply",
  "huge-reply",
  "redirect",
  "unauthorized",
  "too-many",
  "invalid-client",
  "invalid-grant",
  "invalid",
  "odd-rows",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface FaultRule {
  kind: FaultKind;
  /** Default: every operation the kind makes sense for. */
  operations?: Operation[];
  environment?: Environment;
  clientId?: string;
  /** Only calls that name this template in their path: one thing of many that fails. */
  templateId?: string;
  /** Only this page of the list. */
  page?: number;
  /** Chance for each matching call, 0 to 1. Default 1. */
  probability?: number;
  /** The rule goes once it struck this often. Default: it stays. */
  next?: number;
  /** `late-effect`: until the effect; `slow`: the delay. In ms, or a range to draw from. */
  delayMs?: number | [number, number];
  /** `slow`: before the arrival counts (default), or between the effect and the answer. */
  way?: "in" | "out";
  /** What a `late-effect` call gets instead of its answer: a closed connection (default), nothing, or a 504. */
  answer?: "reset" | "hang" | "error";
  /** Status of `error-*`, `html` (200, 401, 403, 502 …), `redirect`, `invalid`, `invalid-grant`; drawn when absent. */
  status?: number;
  /** Whether the effect happens, where the kind leaves it open. */
  effect?: boolean;
  /** `too-many`: the pause it names; null: none. Default: as the behaviour says. */
  retryAfter?: number | string | null;
  /** `invalid`: messages by field, their shape, and the text where the shape has only one. `error-*`: `message` is the service's words. */
  fields?: Record<string, string[]>;
  shape?: ValidationShape;
  message?: string;
  /** `odd-rows`: by template id, a list counts its row and leaves it out, or it is shown without its address. */
  rows?: Record<string, "hidden" | "bare">;
}

export interface ShippingServiceOptions extends BehaviourChange {
  host?: string;
  /** 0 (default): a free port. */
  port?: number;
  /** Port of the second listener, which answers `/control` even while the service is down. 0 (default): a free port. */
  controlPort?: number;
  seed?: number;
  /** A list, or a number n: `sandboxClient(environment, 1…n)` in both environments. Default 2. */
  clients?: ClientApplication[] | number;
  faults?: FaultRule[];
  /** Finds the marker in an alias; its first group, or the whole match. */
  markerPattern?: RegExp;
  /** Entries kept of the log of writes. */
  logLimit?: number;
  /** Raw requests kept for `requests()`, secrets included. Default 0. */
  keepRequests?: number;
  /** A file the state is kept in across restarts. */
  dataFile?: string;
}

/** The credentials of the nth application (from 1) that the stand-in knows by default. */
export function sandboxClient(environment: Environment, n: number): ClientApplication {
  return {
    environment,
    clientId: `${environment}-client-${n}`,
    clientSecret: `${environment}-secret-${n}`,
    redirectUri: "https://origen.example/oauth/callback",
  };
}
