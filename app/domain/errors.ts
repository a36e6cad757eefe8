/**
 * Faults. What a form must show is a returned outcome; what nobody expected is thrown as one `AppError`, and this record by kind
 * says everything the rest of the app needs to decide: try again or not, whose failure it is, which status, which words.
 */

export type FaultKind =
  /** No HTTP answer: refused, reset, DNS, TLS. */
  | "transport"
  /** No complete answer in time. */
  | "timeout"
  /** 5xx. */
  | "server_error"
  /** 429 that outlived its pauses. */
  | "rate_limited"
  /** Something else answered in the service's place: a proxy's HTML 403, a token request answered by no token and no token error. */
  | "edge_blocked"
  /** The service's own 403 (JSON) to a token that it accepts. */
  | "forbidden"
  /** A second 401 in a row with a fresh token. */
  | "unauthorized"
  /** The service refuses the client id or secret. */
  | "invalid_client"
  /** An answer that is not what the interface promises. */
  | "unreadable"
  /** A 4xx without a meaning of its own here. */
  | "unexpected_status"
  /** The shop has no usable connection. */
  | "not_connected"
  /** The connection, the lease or the row changed under us; the work is redone from the start. */
  | "superseded"
  /** Shopify refuses the shop's token: uninstalled, or a scope is missing. */
  | "shopify_refused"
  /** The shop has not paid or is locked: nothing can be read of it until that is over. */
  | "shopify_frozen"
  /** There is no session of the shop to ask Shopify with; its owner's next visit brings one. */
  | "shopify_session"
  /** Shopify did not answer, throttled us, or answered what says nothing about the shop. */
  | "shopify_unavailable"
  /** The caller stopped waiting or the process is stopping. */
  | "cancelled"
  /** A defect of ours. */
  | "internal";

export interface FaultTraits {
  /** Whether the same work may succeed later without anybody changing anything. */
  retry: boolean;
  /** The failure may be the whole connection's: it is, unless the service answers anybody else (docs/design/README.md, rule 3). */
  connectionWide: boolean;
  /** It was met at the shipping service. */
  atService: boolean;
  /** What a route answers when it cannot do better. */
  httpStatus: number;
  /** Key in the `faults` namespace of the locales. */
  messageKey: string;
}

export const FAULTS: Record<FaultKind, FaultTraits> = {
  transport: { retry: true, connectionWide: true, atService: true, httpStatus: 502, messageKey: "transport" },
  timeout: { retry: true, connectionWide: true, atService: true, httpStatus: 504, messageKey: "timeout" },
  server_error: { retry: true, connectionWide: true, atService: true, httpStatus: 502, messageKey: "server_error" },
  rate_limited: { retry: true, connectionWide: true, atService: true, httpStatus: 503, messageKey: "rate_limited" },
  edge_blocked: { retry: true, connectionWide: true, atService: true, httpStatus: 502, messageKey: "edge_blocked" },
  forbidden: { retry: true, connectionWide: true, atService: true, httpStatus: 502, messageKey: "forbidden" },
  unauthorized: { retry: true, connectionWide: true, atService: true, httpStatus: 502, messageKey: "unauthorized" },
  invalid_client: {
    retry: false,
    connectionWide: true,
    atService: true,
    httpStatus: 409,
    messageKey: "invalid_client",
  },
  unreadable: { retry: true, connectionWide: false, atService: true, httpStatus: 502, messageKey: "unreadable" },
  unexpected_status: {
    retry: true,
    connectionWide: false,
    atService: true,
    httpStatus: 502,
    messageKey: "unexpected_status",
  },
  not_connected: { retry: false, connectionWide: true, atService: false, httpStatus: 409, messageKey: "not_connected" },
  superseded: { retry: true, connectionWide: false, atService: false, httpStatus: 409, messageKey: "superseded" },
  shopify_refused: {
    retry: false,
    connectionWide: false,
    atService: false,
    httpStatus: 403,
    messageKey: "shopify_refused",
  },
  shopify_frozen: {
    retry: false,
    connectionWide: false,
    atService: false,
    httpStatus: 403,
    messageKey: "shopify_frozen",
  },
  shopify_session: {
    retry: false,
    connectionWide: false,
    atService: false,
    httpStatus: 403,
    messageKey: "shopify_session",
  },
  shopify_unavailable: {
    retry: true,
    connectionWide: false,
    atService: false,
    httpStatus: 502,
    messageKey: "shopify_unavailable",
  },
  cancelled: { retry: true, connectionWide: false, atService: false, httpStatus: 499, messageKey: "cancelled" },
  internal: { retry: true, connectionWide: false, atService: false, httpStatus: 500, messageKey: "internal" },
};

export interface AppErrorOptions {
  kind: FaultKind;
  message: string;
  cause?: unknown;
  /** The request id our logs carry; null before a request was formed. */
  requestId?: string | null;
  status?: number | null;
  /**
   * Whether the request may have had an effect: `none` when it was never sent or definitely refused, `unknown` otherwise.
   * Decides whether a pending write may go.
   */
  effect?: "none" | "unknown";
  /** The service's own words, if it had any. Quoted to the owner, never parsed. */
  serviceMessage?: string | null;
}

export class AppError extends Error {
  readonly kind: FaultKind;
  readonly requestId: string | null;
  readonly status: number | null;
  readonly effect: "none" | "unknown";
  readonly serviceMessage: string | null;

  constructor(options: AppErrorOptions) {
    super(options.message, { cause: options.cause });
    this.name = "AppError";
    this.kind = options.kind;
    this.requestId = options.requestId ?? null;
    this.status = options.status ?? null;
    this.effect = options.effect ?? "unknown";
    this.serviceMessage = options.serviceMessage ?? null;
  }

  get traits(): FaultTraits {
    return FAULTS[this.kind];
  }
}

/** True for an `AppError`, across bundles too, where `instanceof` fails. */
export function isAppError(value: unknown): value is AppError {
  return value instanceof Error && value.name === "AppError" && "kind" in value;
}

/** What the service said of a request it refused, from whichever of its shapes (docs/shipping-interface.md, 7). */
export interface ServiceProblem {
  /** Messages by the interface's field name; nested prefixes such as `address_attributes.` are removed. */
  fields: Record<string, string[]>;
  /** The general message, if any. */
  message: string | null;
  /** Everything readable it said, for quoting. */
  serviceMessage: string | null;
  /** A code such as `CARRIER_VERIFICATION_NOT_ENABLED`, if it sent one. */
  code: string | null;
  status: number;
  requestId: string;
}
