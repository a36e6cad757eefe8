import type { DateOpinion, DateSource } from "./domain/dates.ts";
import type { ServiceProblem } from "./domain/errors.ts";
import type {
  ActivityRecord,
  AddressTemplate,
  ConnectionRecord,
  ConnectionState,
  DetailsRecord,
  DraftRecord,
  Environment,
  PendingWrite,
  JobItemRecord,
  JobRecord,
  LinkRecord,
  LocationRecord,
  ReceiptRecord,
  ShopifyLocation,
  ShopRecord,
  WorkItem,
  TemplateDraft,
  TemplatePatch,
  TemplateRecord,
  UnreadableRow,
  VerificationRecord,
} from "./domain/records.ts";
import type { ShopStanding } from "./domain/shop-access.ts";

/**
 * The outside world on one page. Rooms speak to it only through these; adapters implement them; tests and the simulation
 * bring others that pass the same batteries. Anything unexpected is thrown as an `AppError`; no port lets an `unknown` out.
 *
 * Long, because one page shows everything that the app needs of others.
 */

// ---------------------------------------------------------------- time and chance

export interface Clock {
  /**
   * The process's time of day, milliseconds since the epoch: the machine's wall clock when the process began, plus what the
   * monotonic clock has counted since. For what is stored, compared and shown. Setting the wall clock does not move it.
   */
  nowMs(): number;
  /** Monotonic milliseconds from any start. For slots and waits. It stands still while the machine sleeps. */
  monotonicMs(): number;
  /**
   * The machine's wall clock: set by anybody, and ahead after a sleep. Two readings of it say how long something lasted at most
   * (`domain/moment.ts`); nothing is stored by it.
   */
  machineMs(): number;
  /** Resolves after `ms`; rejects with an `AppError` of kind `cancelled` when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after `ms`; the function returned cancels. Does not keep the process alive. */
  after(ms: number, call: () => void): () => void;
  /** Resolves when timers, sockets and whoever else waits for a turn had theirs: for long work that must not hold them up. */
  turn(): Promise<void>;
}

/** A clock whose time of day can be moved, by whoever also dates anew what the time of day guards (`worker/timekeeper.ts`). */
export interface ProcessClock extends Clock {
  /** From now on `nowMs` is so much more, or less. */
  adjust(byMs: number): void;
}

/** What servers say which day it is, in the `Date` of their answers. */
export interface HeardDates {
  /** An answer came just now; an absent or unreadable header says nothing. */
  heard(source: DateSource, header: string | null | undefined): void;
  /** Each source's clock now, by its last word. None while the machine has slept, or its clock was set, since that word. */
  opinions(): DateOpinion[];
}

export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A new unique id (UUID-shaped). */
  id(): string;
}

export interface Log {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

// ---------------------------------------------------------------- the shipping service

/** Who is first when slots are short; in this order. */
export type Priority = "interactive" | "sync" | "verification" | "reconcile";

export const PRIORITIES: readonly Priority[] = ["interactive", "sync", "verification", "reconcile"];

/** A connection at one version: a call made for an older version is `superseded` before it is sent. */
export interface ConnectionRef {
  id: string;
  version: number;
  shop: string;
  environment: Environment;
  clientId: string;
}

export interface CallOptions {
  priority: Priority;
  signal?: AbortSignal;
  /** One try only, but for what a new token mends: of a caller that comes again by itself. */
  once?: boolean;
}

export interface WriteOptions extends CallOptions {
  /**
   * Runs with the slots in hand, right before the bytes go; where the pending write commits. Runs again before each attempt
   * (a 429 or a 401 is a definite refusal and is repeated). If it throws, nothing is sent and its error comes out unchanged; only where
   * a 429 was waited out and the plan is `superseded` by then, the 429 comes out: a run that planned anew each time would never end.
   */
  beforeSend: () => Promise<void>;
}

export interface DeleteOptions extends WriteOptions {
  /**
   * Runs with the slots in hand and the template as just read on them, before `beforeSend`. The bytes go within ten seconds of that
   * reading's, or not at all. If it throws, nothing is sent and its error comes out unchanged.
   */
  whenRead: (template: AddressTemplate) => Promise<void>;
}

/** What a listing says: each row is read by itself, and one that cannot be read costs only itself. */
export interface Listing {
  templates: AddressTemplate[];
  unreadable: UnreadableRow[];
}

export interface TemplatePage extends Listing {
  page: number;
  totalPages: number;
  totalCount: number;
}

export type Found<T> = { kind: "found"; value: T; requestId: string } | { kind: "not_found"; requestId: string };

/** A write's definite ends. Anything else is thrown, with `effect` telling whether it may have happened. */
export type Written<T> =
  | { kind: "written"; value: T; requestId: string }
  | { kind: "refused"; problem: ServiceProblem }
  | { kind: "not_found"; requestId: string; serviceMessage: string | null };

/**
 * What a probe asks for: one row of the list (docs/shipping-interface.md, 4.1), or a token by client credentials (4.7). The token is kept
 * like a renewal's.
 */
export type Probe = "list" | "token";

export interface ShippingAccount {
  /** docs/shipping-interface.md, 4.1: one page of at most 20. */
  listPage(options: CallOptions & { page: number }): Promise<TemplatePage>;
  /** docs/shipping-interface.md, 4.1, all pages: begins again when the total changes meanwhile, never yields an id twice. */
  listAll(options: CallOptions): Promise<Listing>;
  /** docs/shipping-interface.md, 4.2. */
  get(templateId: string, options: CallOptions): Promise<Found<AddressTemplate>>;
  /** docs/shipping-interface.md, 4.3. */
  create(draft: TemplateDraft, options: WriteOptions): Promise<Written<AddressTemplate>>;
  /** docs/shipping-interface.md, 4.4: only the fields named change. */
  update(templateId: string, patch: TemplatePatch, options: WriteOptions): Promise<Written<AddressTemplate>>;
  /**
   * docs/shipping-interface.md, 4.5, after a reading (4.2) on the same slots. `not_found` is the DELETE's own 404, or the reading's, after
   * which nothing is sent.
   */
  delete(templateId: string, options: DeleteOptions): Promise<Written<null>>;
  /** docs/shipping-interface.md, 4.6: may be asked again; a refusal names the code when a carrier does not verify. */
  verifyByCarriers(templateId: string, carriers: string[], options: CallOptions): Promise<Written<AddressTemplate>>;
  /** One cheap call that is about no template in particular, tried once: resolves if the service answers it well, rejects like any call. */
  probe(what: Probe, options: CallOptions): Promise<void>;
}

export interface Credentials {
  shop: string;
  environment: Environment;
  clientId: string;
  clientSecret: string;
  scope: string | null;
  redirectUri: string | null;
}

/** docs/shipping-interface.md, 2.5, on our clock. */
export interface IssuedToken {
  accessToken: string;
  refreshToken: string | null;
  scope: string | null;
  obtainedAtMs: number;
  expiresAtMs: number;
}

export type TokenOutcome =
  | { kind: "issued"; token: IssuedToken; requestId: string }
  /**
   * docs/shipping-interface.md, 7: 401, or 400 for missing ones. `retryAtMs` when we held the request back after repeated wrong secrets.
   */
  | { kind: "invalid_client"; serviceMessage: string | null; retryAtMs: number | null; requestId: string | null }
  | { kind: "refused"; problem: ServiceProblem };

export interface Introspection {
  active: boolean;
  scope: string | null;
  expiresAtMs: number | null;
  requestId: string;
}

export interface BudgetState {
  waiting: Record<Priority, number>;
  running: number;
  /** Wall time until which a 429 or an unclear end holds the budget; null when it does not. */
  pausedUntilMs: number | null;
  /** Milliseconds to finish `calls` more calls after what already waits. */
  estimateMs(calls: number): number;
}

export interface ShippingService {
  account(connection: ConnectionRef): ShippingAccount;
  /**
   * docs/shipping-interface.md, 4.7 for credentials that no connection holds yet: connect, test before a swap. Passes the shop's budget.
   */
  obtainToken(credentials: Credentials, options: CallOptions): Promise<TokenOutcome>;
  /** docs/shipping-interface.md, 4.8: both tokens of a connection, best effort; true when the service confirmed. */
  revoke(
    input: { credentials: Credentials; accessToken: string | null; refreshToken: string | null },
    options: CallOptions,
  ): Promise<boolean>;
  /** docs/shipping-interface.md, 4.9 for the connection's access token; null when it has none. */
  introspect(connection: ConnectionRef, options: CallOptions): Promise<Introspection | null>;
  /**
   * After a higher version has committed: what is kept of the connection in memory, its secret too, goes, and older calls end as
   * `superseded`.
   */
  forget(connectionId: string): void;
  budget(shop: string): BudgetState;
}

/** What is kept of a connection for its tokens. */
export interface StoredConnection {
  /** Null when the secret has been forgotten. */
  credentials: Credentials | null;
  version: number;
  state: ConnectionState;
  token: IssuedToken | null;
}

/** The service refuses a connection's credentials. */
export interface RefusedCredentials {
  connectionId: string;
  version: number;
  serviceMessage: string | null;
  /** Of the request that was refused. */
  requestId: string | null;
}

/** Where the shipping service's adapter keeps the tokens of connections. */
export interface TokenStore {
  read(connectionId: string): Promise<StoredConnection | null>;
  /** False when the connection has another version by now; nothing is written then. */
  save(input: { connectionId: string; version: number; token: IssuedToken }): Promise<boolean>;
  /** Records that the service refuses the credentials of this version; nothing is written if the version moved on. */
  markInvalid(input: RefusedCredentials): Promise<void>;
}

// ---------------------------------------------------------------- Shopify

export type { ShopifyLocation, ShopStanding };

export interface ShopifyShop {
  /** IANA. */
  timeZone: string;
  email: string | null;
}

export interface ShopifyAdmin {
  /** All locations, inactive ones included, all pages. */
  locations(shop: string): Promise<ShopifyLocation[]>;
  /** Null when it does not exist (any more). */
  location(shop: string, locationId: string): Promise<ShopifyLocation | null>;
  shopDetails(shop: string): Promise<ShopifyShop>;
  /** Asks Shopify once whether it still takes the shop's token; never rejects for what Shopify answers. */
  standing(shop: string): Promise<ShopStanding>;
  grantedScopes(shop: string): Promise<string[]>;
}

// ---------------------------------------------------------------- the store

/** Equality, or one of these; fields of the record only. `null` matches null. */
export type Condition<V> =
  | V
  | { in: readonly V[] }
  | { not: V }
  | { lte: NonNullable<V> }
  | { lt: NonNullable<V> }
  | { gt: NonNullable<V> }
  | { gte: NonNullable<V> };

export type Where<R> = { [K in keyof R]?: Condition<R[K]> };

export interface ListOptions<R> {
  orderBy?: { [K in keyof R]?: "asc" | "desc" };
  limit?: number;
  offset?: number;
}

/**
 * One kind of record. Records go in and out whole and unshared (a change to an object that came out changes nothing inside).
 * Fields holding objects can be written, not searched.
 */
export interface Table<R> {
  find(where: Where<R>): Promise<R | null>;
  list(where: Where<R>, options?: ListOptions<R>): Promise<R[]>;
  count(where: Where<R>): Promise<number>;
  /** False when a unique key is taken or the parent shop is gone; nothing changed then and the transaction goes on. */
  insert(record: R): Promise<boolean>;
  /** Rows changed: a fence is a condition, and 0 says that it was passed. */
  update(where: Where<R>, patch: Partial<R>): Promise<number>;
  delete(where: Where<R>): Promise<number>;
}

/** Unique keys are in brackets; every table but `shops` has its shop as parent and goes with it. */
export interface Tables {
  /** [shop] */
  shops: Table<ShopRecord>;
  /** [id], [shop, environment, clientId] */
  connections: Table<ConnectionRecord>;
  /** [shop, locationId] */
  locations: Table<LocationRecord>;
  /** [shop, locationId] */
  details: Table<DetailsRecord>;
  /** [id], [connectionId, locationId], [environment, templateId] across shops */
  links: Table<LinkRecord>;
  /** [connectionId, templateId] */
  templates: Table<TemplateRecord>;
  /** [connectionId, templateId, carrier] */
  verifications: Table<VerificationRecord>;
  /** [id], [shop, kind, key] */
  workItems: Table<WorkItem>;
  /** [id], [workItemId]: at most one unclear write a work item */
  pendingWrites: Table<PendingWrite>;
  /** [shop, webhookId] */
  receipts: Table<ReceiptRecord>;
  /** [id] */
  drafts: Table<DraftRecord>;
  /** [id] */
  activity: Table<ActivityRecord>;
  /** [id] */
  jobs: Table<JobRecord>;
  /** [jobId, locationId] */
  jobItems: Table<JobItemRecord>;
}

/** What a transaction may write. */
export interface Transaction extends Tables {
  /** Forgets Shopify's sessions of the shop. */
  forgetSessions(shop: string): Promise<void>;
}

export interface Store extends Tables {
  /**
   * All or nothing, one after another. Inside, use only what is handed in, and never the network. Throws what `work` throws.
   */
  transaction<T>(work: (tables: Transaction) => Promise<T>): Promise<T>;
  /** Erases the shop and everything of it, Shopify's sessions too; with `only`, if its row is so. False when nothing was erased. */
  eraseShop(shop: string, only?: Where<ShopRecord>): Promise<boolean>;
  /**
   * Another number whenever something of the shop in one of the tables may have changed since; what was read at the same one still holds.
   */
  revision?(shop: string, tables: readonly (keyof Tables)[]): number;
}

// ---------------------------------------------------------------- put together

export interface Settings {
  /** How long a created or changed thing may still appear after an unclear write. */
  quarantineMs: number;
  leaseMs: number;
  /** A template is believed gone when its own GET answers 404 twice, at least so far apart. */
  absenceBelievedAfterMs: number;
  /** Two listings prove something only when the second began at least so long after the end of the first: lists may be behind writes. */
  listingsApartMs: number;
  /** How long a save waits for its own run before it shows *under way*. */
  interactiveWaitMs: number;
  /** Word → meaning, for `status`. */
  verificationWords: Record<string, "pending" | "accepted" | "refused">;
}

/** A work item under a lease, and how its run goes. */
export interface ClaimedWorkItem {
  item: WorkItem;
  /** That of the work item's kind when absent. */
  priority?: Priority;
  /** Stops the run. */
  signal?: AbortSignal;
}

/** What every public function of a room receives first. */
export interface Services {
  store: Store;
  shipping: ShippingService;
  shopify: ShopifyAdmin;
  clock: ProcessClock;
  dates: HeardDates;
  random: Random;
  log: Log;
  settings: Settings;
  /** Wakes the worker: something is due now. */
  wake: () => void;
  /** Runs a claimed work item to its end, under its lease. Never rejects. Handed in, for it knows everything that runs do. */
  runWorkItem: (services: Services, claimed: ClaimedWorkItem) => Promise<void>;
}
