/**
 * The stand-in for the shipping service: its interface over true HTTP, with everything the interface leaves open made a
 * choice, and with faults on demand. Nothing here is imported by the app, and nothing of the app is imported here.
 *
 * This file: the words of the stand-in and every choice it can be started with.
 */
import type { Environment, Operation } from "./routing.ts";

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

export const VALIDATION_SHAPES = [
  "errors-template-field",
  "errors-address-field",
  "errors-field",
  "errors-dotted",
  "bare-field",
  "errors-text",
  "errors-list",
  "error-code",
  "success-false",
  "message",
] as const;
export type ValidationShape = (typeof VALIDATION_SHAPES)[number];

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
}

export interface VerificationBehaviour {
  /** Time spent in each stage (`pending_to_send`, then `process`), in ms, drawn from this range. */
  stepMs: [number, number];
  acceptedWords: string[];
  refusedWords: string[];
  /** Words that mean neither. */
  otherWords: string[];
  /** Shares of the verdicts, 0 to 1; the rest are accepted. */
  refusedShare: number;
  otherShare: number;
  /** The word a carrier will answer, whatever the draw. */
  verdicts: Record<string, string>;
  /** Carriers without verification: 422 for the whole call. */
  unsupportedCarriers: string[];
  /** Whether asking again starts anew, or leaves an entry that has its verdict as it is. */
  repeat: "restart" | "keep";
}

/** Every choice the interface leaves open. `seed` means: drawn for each call. */
export interface Behaviour {
  /** Requests a client may make in any sliding second. */
  rateLimit: number;
  /** False: arrivals over the limit are counted and served. */
  enforceRate: boolean;
  retryAfter: "seconds" | "date" | "absent" | "seed";
  /** Seconds named by a 429, drawn from this range. */
  retryAfterSeconds: [number, number];
  tokenLifetimeSeconds: number;
  refreshTokens: boolean;
  /** Added to `created_at`, in seconds; the reply of a clock that is off, and may be fractional. */
  createdAtSkewSeconds: number;
  /** Whether a token that was given `read` alone is refused on writes. */
  enforceScopes: boolean;
  perPageOver: "cap" | "reject";
  order: "oldest" | "newest";
  validationShape: ValidationShape | "seed";
  notFoundShape: "message" | "error" | "html" | "seed";
  unauthorizedShape: "json" | "html" | "empty" | "seed";
  deleteBody: "empty" | "object" | "data" | "seed";
  updateState: "present" | "null" | "absent";
  /** True: nullable fields without a value are left out of replies. */
  omitNulls: boolean;
  /** Fields the interface does not know, in every reply. */
  unknownFields: boolean;
  /** What happens to address fields that the interface does not name. */
  unknownAddressFields: "drop" | "keep";
  /** Known address fields that are silently not kept. */
  dropFields: string[];
  /** Trims text and folds runs of white space. */
  trimText: boolean;
  /** Longest text accepted, in characters; null: any. */
  longestText: number | null;
  /** What a PATCH with some address fields does to the rest: keep them, blank them, or refuse the call. */
  partialAddress: "merge" | "replace" | "reject";
  addressEditClearsVerification: boolean;
  /** Making one template the default takes it from the account's others. */
  singleDefault: boolean;
  /** User agents that the edge answers with HTML 403, as the source of a pattern without regard to case; null: none. */
  blockedUserAgents: string | null;
  verification: VerificationBehaviour;
}

export interface BehaviourChange extends Partial<Omit<Behaviour, "verification">> {
  verification?: Partial<VerificationBehaviour>;
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

export const DEFAULT_BEHAVIOUR: Behaviour = {
  rateLimit: 2,
  enforceRate: true,
  retryAfter: "seed",
  retryAfterSeconds: [1, 3],
  tokenLifetimeSeconds: 7200,
  refreshTokens: false,
  createdAtSkewSeconds: 0,
  enforceScopes: true,
  perPageOver: "cap",
  order: "oldest",
  validationShape: "seed",
  notFoundShape: "seed",
  unauthorizedShape: "seed",
  deleteBody: "seed",
  updateState: "present",
  omitNulls: false,
  unknownFields: true,
  unknownAddressFields: "drop",
  dropFields: [],
  trimText: false,
  longestText: null,
  partialAddress: "merge",
  addressEditClearsVerification: false,
  singleDefault: true,
  blockedUserAgents: "^$|^(node|undici|node-fetch|axios|got|curl|wget|python|okhttp|java|ruby|go-http-client)\\b",
  verification: {
    stepMs: [400, 1500],
    acceptedWords: ["verified", "approved"],
    refusedWords: ["rejected", "not_verified"],
    otherWords: ["under_observation"],
    refusedShare: 0.15,
    otherShare: 0.05,
    verdicts: {},
    unsupportedCarriers: ["ampm", "ninetynineminutes"],
    repeat: "restart",
  },
};

/** The credentials of the nth application (from 1) that the stand-in knows by default. */
export function sandboxClient(environment: Environment, n: number): ClientApplication {
  return {
    environment,
    clientId: `${environment}-client-${n}`,
    clientSecret: `${environment}-secret-${n}`,
    redirectUri: "https://origen.example/oauth/callback",
  };
}
