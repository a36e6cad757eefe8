/**
 * Faults. A form shows expected outcomes, which are returned; what nobody expected is thrown as one `AppError`. The record by kind says all
 * that the rest of the app decides by: whether to try again, whose failure it is, which status, which message.
 */

export type FaultKind =
  /** No HTTP answer: refused, reset, DNS, TLS. */
  | "transport"
  /** No complete answer in time. */
  | "timeout"
  /** 5xx. */
  | "server_error"
  /** 429, also after the transport's pauses. */
  | "rate_limited"
  /**
   * Something else answered in the service's place: a proxy with an HTML 403, or a token request whose answer is neither a token nor a
   * token error.
   */
  | "edge_blocked"
  /** The service's own 403 (JSON) although it accepts the token. */
  | "forbidden"
  /** A second 401 in a row with a fresh token. */
  | "unauthorized"
  /** The service refuses the client id or secret. */
  | "invalid_client"
  /** An answer that does not have the form which the interface promises. */
  | "unreadable"
  /** The address book holds more than the app reads and keeps of one account. */
  | "book_too_long"
  /** A 4xx that has no kind of its own here. */
  | "unexpected_status"
  /** The shop has no usable connection. */
  | "not_connected"
  /** The connection, the lease or the row has changed since the run read it; the work begins again from the start. */
  | "superseded"
  /** The work was begun anew time after time, and nothing got through: something overtakes each run, or the database is too slow. */
  | "done_over"
  /** Shopify refuses the shop's token: uninstalled, or a scope is missing. */
  | "shopify_refused"
  /** The shop has not paid or is locked: nothing can be read of it until the shop is open again. */
  | "shopify_frozen"
  /** There is no session of the shop to call Shopify with; the owner's next visit brings one. */
  | "shopify_session"
  /** Shopify did not answer, throttled us, or gave an answer that says nothing about the shop's access. */
  | "shopify_unavailable"
  /** The caller stopped waiting or the process is stopping. */
  | "cancelled"
  /** A defect of ours. */
  | "internal";

export interface FaultTraits {
  /** Whether the same work may succeed later although nobody changes anything. */
  retry: boolean;
  /**
   * Whether the cause may be the whole connection. It is taken for that, unless the service answers other work items
   * (docs/design/README.md, rule 3).
   */
  connectionWide: boolean;
  /** Whether the shipping service, not Shopify or the app, failed. */
  atService: boolean;
  /** The status that a route answers with when it has no better one. */
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
  book_too_long: {
    retry: true,
    connectionWide: false,
    atService: true,
    httpStatus: 502,
    messageKey: "book_too_long",
  },
  unexpected_status: {
    retry: true,
    connectionWide: false,
    atService: true,
    httpStatus: 502,
    messageKey: "unexpected_status",
  },
  not_connected: { retry: false, connectionWide: true, atService: false, httpStatus: 409, messageKey: "not_connected" },
  superseded: { retry: true, connectionWide: false, atService: false, httpStatus: 409, messageKey: "superseded" },
  done_over: { retry: true, connectionWide: false, atService: false, httpStatus: 503, messageKey: "done_over" },
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
  /** The id of the request, as our logs carry it; null for a fault that was met before any request. */
  requestId?: string | null;
  status?: number | null;
  /**
   * Whether the request may have changed something at the service: `none` when it was never sent or definitely refused, `unknown`
   * otherwise. It decides whether the pending write may be deleted.
   */
  effect?: "none" | "unknown";
  /** The operation of the interface that failed. */
  operation?: string | null;
  /** The service's own words, if it gave any. Quoted to the owner, never parsed. */
  serviceMessage?: string | null;
  /** How many calls showed it, where it takes more than one. */
  calls?: number;
  /** The service lets other requests through, as it has shown since it first refused this one. */
  isAlone?: boolean;
}

export class AppError extends Error {
  readonly kind: FaultKind;
  readonly requestId: string | null;
  readonly status: number | null;
  readonly effect: "none" | "unknown";
  readonly operation: string | null;
  readonly serviceMessage: string | null;
  readonly calls: number;
  readonly isAlone: boolean;

  constructor(options: AppErrorOptions) {
    super(options.message, { cause: options.cause });
    this.name = "AppError";
    this.kind = options.kind;
    this.requestId = options.requestId ?? null;
    this.status = options.status ?? null;
    this.effect = options.effect ?? "unknown";
    this.operation = options.operation ?? null;
    this.serviceMessage = options.serviceMessage ?? null;
    this.calls = options.calls ?? 1;
    this.isAlone = options.isAlone ?? false;
  }

  /** The same, as what took so many calls to find out. */
  costing(calls: number): AppError {
    const { kind, message, cause, requestId, status, effect, operation, serviceMessage, isAlone } = this;
    return new AppError({ kind, message, cause, requestId, status, effect, operation, serviceMessage, calls, isAlone });
  }

  get traits(): FaultTraits {
    return FAULTS[this.kind];
  }
}

/** True for an `AppError`, across bundles too, where `instanceof` fails. */
export function isAppError(value: unknown): value is AppError {
  return value instanceof Error && value.name === "AppError" && "kind" in value;
}

/** Why the service refused a request, read from any of the forms that its errors have (docs/shipping-interface.md, 7). */
export interface ServiceProblem {
  /** Messages by the interface's field name; nested prefixes such as `address_attributes.` are removed. */
  fields: Record<string, string[]>;
  /** The general message, if any. */
  message: string | null;
  /** Every readable message of the answer, for quoting. */
  serviceMessage: string | null;
  /** A code such as `CARRIER_VERIFICATION_NOT_ENABLED`, if the answer has one. */
  code: string | null;
  status: number;
  requestId: string;
}
