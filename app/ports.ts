import type { DateOpinion, DateSource } from "./domain/dates.ts";
import type { ServiceProblem } from "./domain/errors.ts";
import type { Moment } from "./domain/moment.ts";
import type { PostalEdition, PostalFacts, PostalSource } from "./domain/mexico/postal-codes.ts";
import type {
  ActivityRecord,
  AddressTemplate,
  ConnectionRecord,
  ConnectionState,
  DetailsRecord,
  DraftRecord,
  Environment,
  FlowEventRecord,
  FlowOriginRecord,
  PendingWrite,
  JobItemRecord,
  JobRecord,
  LinkRecord,
  LocationRecord,
  MoveRecord,
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
 * The outside world on one page. Rooms call it only through these ports. Adapters implement them. Tests and the simulation bring their own
 * implementations, which pass the same batteries. A port throws anything unexpected as an `AppError`; its callers never handle an
 * `unknown`.
 *
 * Long, because one page shows everything that the app needs of others.
 */

// ---------------------------------------------------------------- time and chance

export interface Clock {
  /**
   * The process's time of day, in milliseconds since the epoch: the machine's wall clock when the process began, plus what the monotonic
   * clock has counted since. Where several processes work, it is the database's time instead of a machine's. It is for times that are stored,
   * compared or shown. Setting the wall clock does not change it.
   */
  nowMs(): number;
  /** Milliseconds of the monotonic clock, from any start. For slots and waits. It stands still while the machine sleeps. */
  monotonicMs(): number;
  /**
   * The machine's wall clock. Anybody may set it, and it is ahead after a sleep. Two readings of it tell how long something lasted at most
   * (`domain/moment.ts`). It dates nothing that is stored.
   */
  machineMs(): number;
  /** Resolves after `ms`; rejects with an `AppError` of kind `cancelled` when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after `ms`; the function returned cancels that. The timer does not keep the process alive. */
  after(ms: number, call: () => void): () => void;
  /**
   * Resolves after timers, sockets and others that wait for a turn of the event loop had theirs. Long work calls it between its parts, so
   * that it holds nobody up, and says how many turns it has `taken` already: who has taken fewer goes on first.
   */
  turn(taken: number): Promise<void>;
}

/**
 * A clock whose time of day can be moved. Only `worker/timekeeper.ts` does, because stored leases and quarantines must be moved with it.
 */
export interface ProcessClock extends Clock {
  /** Moves `nowMs` by so many milliseconds from now on. */
  adjust(byMs: number): void;
  /**
   * How far the time that all processes go by is ahead of `nowMs`, in milliseconds; null while that is not known. Absent where one process
   * goes by its own time.
   */
  sharedAheadMs?(): number | null;
}

/** What time it is according to servers, by the `Date` header of their answers. */
export interface HeardDates {
  /** Notes the `Date` header of an answer that has just come; an absent or unreadable header is ignored. */
  heard(source: DateSource, header: string | null | undefined): void;
  /** What each source's clock shows now, by its last answer. Empty if the machine has slept, or its clock was set, since that answer. */
  opinions(): DateOpinion[];
}

export interface Random {
  /** A random number in [0, 1). */
  next(): number;
  /** A new unique id (UUID-shaped). */
  id(): string;
}

export interface Log {
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

export interface LogFields {
  /** On a line that tells the operator to act. */
  alarm?: Alarm;
  [name: string]: unknown;
}

export type Alarm = (typeof ALARMS)[number];

/** All of them. docs/erasing-a-shop.md says of each what to do. */
export const ALARMS = [
  "database_server",
  "done_over",
  "shop_redact",
  "shopify_api_secret",
  "unreadable_secret",
] as const;

// ---------------------------------------------------------------- the shipping service

/** Who gets a slot first when slots are short, in this order. */
export type Priority = "interactive" | "sync" | "verification" | "reconcile";

export const PRIORITIES: readonly Priority[] = ["interactive", "sync", "verification", "reconcile"];

/** A connection at one version. A call for an older version ends as `superseded` before it is sent. */
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
  /** One try only; a token that was refused is still renewed. For callers that come again by themselves. */
  once?: boolean;
  /** Called as the bytes of each attempt go. */
  sending?: () => void;
}

export interface WriteOptions extends CallOptions {
  /**
   * Runs with the slots in hand, right before the bytes go: the pending write commits here. It runs again before each attempt, for a call
   * is repeated after a 429 or a 401, which are definite refusals. If it throws, nothing is sent and its error is thrown unchanged. One
   * exception: if the plan is `superseded` after a 429 was waited out, the 429 is thrown, because a run that plans anew each time would
   * never end. Resolves to when the pending write was written down, from which its quarantine counts and the bytes have five seconds; where
   * it does not say, they count from the call.
   */
  beforeSend: () => Promise<Moment | void>;
}

export interface DeleteOptions extends WriteOptions {
  /**
   * Runs before `beforeSend`, with the template as it was just read on the same slots. The bytes leave within ten seconds of that reading
   * or not at all. If it throws, nothing is sent and its error is thrown unchanged.
   */
  whenRead: (template: AddressTemplate) => Promise<void>;
}

/** What a listing holds. Each row is read by itself, so that a row that cannot be read spoils no other. */
export interface Listing {
  templates: AddressTemplate[];
  unreadable: UnreadableRow[];
}

export interface TemplatePage extends Listing {
  page: number;
  totalPages: number;
  totalCount: number;
  requestId: string;
}

export type Found<T> = { kind: "found"; value: T; requestId: string } | { kind: "not_found"; requestId: string };

/** The definite ends of a write. Any other end is thrown, and its `effect` tells whether the write may have happened. */
export type Written<T> =
  | { kind: "written"; value: T; requestId: string }
  | { kind: "refused"; problem: ServiceProblem }
  | { kind: "not_found"; requestId: string; serviceMessage: string | null };

/**
 * What a probe requests: one row of the list (docs/shipping-interface.md, 4.1); an id that no template has (4.2), to which 404
 * is the good answer; or a token by client credentials (4.7), which is stored as after a renewal.
 */
export type Probe = "list" | "none" | "token";

export interface ShippingAccount {
  /** docs/shipping-interface.md, 4.1: one page of at most 20. */
  listPage(options: CallOptions & { page: number }): Promise<TemplatePage>;
  /** docs/shipping-interface.md, 4.1, all pages. Begins again when the total changes meanwhile, and never holds an id twice. */
  listAll(options: CallOptions): Promise<Listing>;
  /** docs/shipping-interface.md, 4.2. */
  get(templateId: string, options: CallOptions): Promise<Found<AddressTemplate>>;
  /** docs/shipping-interface.md, 4.3. */
  create(draft: TemplateDraft, options: WriteOptions): Promise<Written<AddressTemplate>>;
  /** docs/shipping-interface.md, 4.4: only the fields named change. */
  update(templateId: string, patch: TemplatePatch, options: WriteOptions): Promise<Written<AddressTemplate>>;
  /**
   * docs/shipping-interface.md, 4.5, after a reading (4.2) on the same slots. `not_found` is the 404 of the DELETE, or of the reading; no
   * DELETE is sent after that one.
   */
  delete(templateId: string, options: DeleteOptions): Promise<Written<null>>;
  /**
   * docs/shipping-interface.md, 4.6: a refusal has a code when a carrier does not verify. `written`: they were asked; null where the answer
   * does not show the template. May be repeated after an unclear end, once the template was read.
   */
  verifyByCarriers(
    templateId: string,
    carriers: string[],
    options: CallOptions,
  ): Promise<Written<AddressTemplate | null>>;
  /**
   * One cheap call, tried once, that concerns no particular template. It resolves if the service answers well, and rejects like any other
   * call.
   */
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

/** docs/shipping-interface.md, 2.5, with times of our clock. */
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
   * docs/shipping-interface.md, 7: 401, or 400 for missing credentials. `retryAtMs` when we did not send the request, after repeated wrong
   * secrets.
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
  /** Until when, in wall time, a 429 or an unclear end holds the budget; null when neither does. */
  pausedUntilMs: number | null;
  /** Milliseconds until `calls` more calls would be done, after all that wait already. */
  estimateMs(calls: number): number;
}

export interface ShippingService {
  account(connection: ConnectionRef): ShippingAccount;
  /**
   * docs/shipping-interface.md, 4.7, for credentials that no connection holds yet: to connect, and to test new credentials before they
   * replace the old. Counts against the shop's budget.
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
   * Called after a higher version has committed. The adapter forgets what it holds of the connection in memory, its secret too, and ends
   * older calls as `superseded`.
   */
  forget(connectionId: string): void;
  budget(shop: string): BudgetState;
}

/** What the store keeps of a connection for its tokens. */
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
  /** The id of the request that was refused. */
  requestId: string | null;
}

/** Where the shipping service's adapter keeps the tokens of connections. */
export interface TokenStore {
  read(connectionId: string): Promise<StoredConnection | null>;
  /** False when the connection has another version by now; then nothing is written. */
  save(input: { connectionId: string; version: number; token: IssuedToken }): Promise<boolean>;
  /** Records that the service refuses the credentials of this version; nothing is written if the version has changed. */
  markInvalid(input: RefusedCredentials): Promise<void>;
}

// ---------------------------------------------------------------- Shopify

export type { ShopifyLocation, ShopStanding };

/** A webhook of Shopify as it came. */
export interface RawWebhook {
  rawBody: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A webhook whose signature fits its body. */
export interface SignedWebhook {
  shop: string;
  topic: string;
  webhookId: string;
  payload: unknown;
}

/** A signature that does not fit, a header that is missing, or a signed body that is no JSON. */
export type RefusedWebhook = "signature" | "header" | "json";

export interface ShopifyShop {
  /** A name of the IANA time zone database. */
  timeZone: string;
  email: string | null;
}

export interface ShopifyAdmin {
  /** All locations, inactive ones included, from all pages. */
  locations(shop: string): Promise<ShopifyLocation[]>;
  /** Null when the location does not exist or was deleted. */
  location(shop: string, locationId: string): Promise<ShopifyLocation | null>;
  shopDetails(shop: string): Promise<ShopifyShop>;
  /** Asks Shopify once whether it still takes the shop's token. Never rejects, whatever Shopify answers. */
  standing(shop: string): Promise<ShopStanding>;
  grantedScopes(shop: string): Promise<string[]>;
  /**
   * Begins the shop's workflows that use the trigger. Where the answer is lost, they may have begun, and begin again when it is repeated: each
   * event has an id that tells so. `refused`: Shopify takes it never.
   */
  tellFlow(shop: string, event: FlowEventRecord): Promise<{ kind: "taken" } | { kind: "refused"; message: string }>;
}

// ---------------------------------------------------------------- the store

/** Equality, or one of these operators; only fields of the record. `null` matches null. */
export type Condition<V> =
  | V
  | { in: readonly V[] }
  | { not: V }
  | { lte: NonNullable<V> }
  | { lt: NonNullable<V> }
  | { gt: NonNullable<V> }
  | { gte: NonNullable<V> }
  /** From one value on, before the other. */
  | { gte: NonNullable<V>; lt: NonNullable<V> };

export type Where<R> = { [K in keyof R]?: Condition<R[K]> };

export interface ListOptions<R> {
  orderBy?: { [K in keyof R]?: "asc" | "desc" };
  limit?: number;
  offset?: number;
}

/**
 * One kind of record. Records are copied on their way in and out, so that changing an object that was read changes nothing in the store.
 * Fields that hold objects can be written, but not searched.
 */
export interface Table<R> {
  find(where: Where<R>): Promise<R | null>;
  list(where: Where<R>, options?: ListOptions<R>): Promise<R[]>;
  count(where: Where<R>): Promise<number>;
  /** False when a unique key is taken or the parent shop is gone. Nothing has changed then, and the transaction can continue. */
  insert(record: R): Promise<boolean>;
  /** The same for a few hundred records of one shop, in one statement. Resolves to how many were inserted. */
  insertAll(records: readonly R[]): Promise<number>;
  /** Resolves to the number of rows changed. A fence is a condition, so 0 tells that the fence was raised meanwhile. */
  update(where: Where<R>, patch: Partial<R>): Promise<number>;
  delete(where: Where<R>): Promise<number>;
}

/** Unique keys are in brackets. Every table except `shops` has its shop as parent, and its rows are deleted with the shop. */
export interface Tables {
  /** [shop] */
  shops: Table<ShopRecord>;
  /** [id], [shop, environment, clientId]; one that is `current` a [shop] */
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
  /** [id], [workItemId], [connectionId, templateId]: at most one unclear write a work item, and a template */
  pendingWrites: Table<PendingWrite>;
  /** [shop, webhookId] */
  receipts: Table<ReceiptRecord>;
  /** [id] */
  drafts: Table<DraftRecord>;
  /** [id] */
  activity: Table<ActivityRecord>;
  /** [id]; one that is `running` a [shop] */
  jobs: Table<JobRecord>;
  /** [jobId, locationId] */
  jobItems: Table<JobItemRecord>;
  /** [shop, locationId] */
  moves: Table<MoveRecord>;
  /** [shop, locationId] */
  flowOrigins: Table<FlowOriginRecord>;
  /** [id] */
  flowEvents: Table<FlowEventRecord>;
}

/** What a transaction may write. */
export interface Transaction extends Tables {
  /** Forgets Shopify's sessions of the shop. */
  forgetSessions(shop: string): Promise<void>;
  /**
   * Waits for whichever other shop's transaction has the template, and has it until this one ends. Shops may share an account, and a
   * transaction has one shop's turn: only so does it see what another shop's wrote of the template. What was read before says nothing of that.
   */
  takeTemplate(template: Pick<LinkRecord, "environment" | "templateId">): Promise<void>;
}

/** Rows of one shop by their whole keys. */
export interface RowKeys {
  receipts: readonly Pick<ReceiptRecord, "webhookId">[];
  locations: readonly Pick<LocationRecord, "locationId">[];
  workItems: readonly Pick<WorkItem, "kind" | "key">[];
}

/** Short work that tells before which rows it looks at and writes. */
export interface SmallWork<T> {
  /** All but the shop's own row, which may be read. A `work` that asks for others runs in a transaction of its own. */
  rows: RowKeys;
  /** As in a `transaction`. It may run again also where a commit's answer was lost, so what it wrote must tell it so. */
  work: (tables: Transaction) => Promise<T>;
}

/** A chore that this process has begun. One who has begun it since, because it took too long, is not disturbed. */
export interface Chore {
  /** Anybody may begin it at once. */
  over(): Promise<void>;
  /** It counts as begun just now. False when somebody else has begun it since. */
  goesOn(): Promise<boolean>;
}

/** The database, which may lack the last commits after a fail-over, or much more after a restore. */
export interface DatabaseServer {
  /**
   * `isKnown`: it is the one that was accepted last; nothing is sent on another one. `owesReconciles`: not everything was asked for since.
   * `changedMsAgo`: how long ago another one was accepted; null when none ever was.
   */
  read(): Promise<{ isKnown: boolean; owesReconciles: boolean; changedMsAgo: number | null }>;
  /** Goes on with it, as careful as its rows may be wrong; nothing is sent for `waitMs`. False when another process was faster. */
  accept(waitMs: number): Promise<boolean>;
  reconcilesAsked(): Promise<void>;
}

/** Work that several processes on one database share. */
export interface SharedWork {
  /**
   * Leases up to `room` work items that are due, over all shops fairly: at most four of a shop over all processes, shops with much to do in
   * turn, and one that had nothing to do not behind them.
   */
  claim(input: { owner: string; nowMs: number; leaseMs: number; room: number }): Promise<WorkItem[]>;
  /** When a shop has something to do next, which may be past; null when none has. */
  nextDueAtMs(): Promise<number | null>;
  /** Puts shops back in line that should have had their turn by then. Resolves to how many. */
  mend(untilMs: number): Promise<number>;
  /** Wakes the workers of all other processes. */
  ring(): void;
  /** `call` is called when another process has rung, or may have. */
  onRing(call: () => void): void;
  /** Whether this process is to do the chore now: nobody has begun it for so long. */
  isOurs(chore: string, everyMs: number): Promise<boolean>;
  /** The same; null when it is not. What begins may be told to be over, or to go on for longer. */
  begin(chore: string, everyMs: number): Promise<Chore | null>;
  /** Whether any process has begun the chore within that time. */
  wasBegun(chore: string, withinMs: number): Promise<boolean>;
}

/** A whole list of postal codes that is to replace the one in use. */
export interface PostalList {
  source: PostalSource;
  importedAtMs: number;
  /** Each code once. */
  codes: readonly PostalFacts[];
  /** Told now and then how many codes are stored. */
  onProgress?: (stored: number) => void;
}

/** The list of postal codes, which an operator imports. It is no shop's, and no list is as good as one that lacks a code. */
export interface PostalCodes {
  /** Null when the list in use does not have the code. */
  find(code: string): Promise<PostalFacts | null>;
  /** The same for many: those that the list has, by code. */
  findAll(codes: readonly string[]): Promise<ReadonlyMap<string, PostalFacts>>;
  /** The list in use; null when there is none. */
  edition(): Promise<PostalEdition | null>;
  /**
   * Stores the list beside the one in use and then exchanges them at a stroke. Whatever stops it before that changes nothing that the
   * other methods answer, and what it leaves is cleared by the next call. Of two at once, the one that began last wins; the other rejects.
   */
  replace(list: PostalList): Promise<PostalEdition>;
}

export interface Store extends Tables {
  postalCodes: PostalCodes;
  /** Absent where only one process ever works on the database. */
  shared?: SharedWork;
  /** Absent where nothing brings an earlier state back. */
  server?: DatabaseServer;
  /**
   * Runs all of `work` or none of it. A shop's transactions run one after another; null means every shop's, and keeps all the others
   * waiting. `work` uses only the tables handed in, and never the network. It changes nothing by other means, because it may run again
   * from its beginning. After one call has rejected, no later call and not the transaction succeeds. Rejects with what `work` throws.
   */
  transaction<T>(shop: string | null, work: (tables: Transaction) => Promise<T>): Promise<T>;
  /**
   * Like `transaction`, but small works that come at once may be one transaction, those of other shops too. Each resolves after the commit
   * that holds it; a shop's run in the order in which they came; one that throws takes nothing of the others with it. Absent where each is
   * a transaction of its own.
   */
  together?<T>(shop: string, small: SmallWork<T>): Promise<T>;
  /**
   * Erases the shop and all its rows, Shopify's sessions too. With `only`, it does so if the shop's row meets that condition. False when
   * nothing was erased.
   */
  eraseShop(shop: string, only?: Where<ShopRecord>): Promise<boolean>;
  /**
   * Something that changes whenever a row of the shop in one of the tables may have changed. What was read after it was asked still holds
   * while it is the same. A promise where other processes write too: the answer is of after the asking.
   */
  revision?(shop: string, tables: readonly (keyof Tables)[]): number | Promise<string>;
}

// ---------------------------------------------------------------- put together

export interface Settings {
  /** How long after an unclear write its effect may still appear. */
  quarantineMs: number;
  leaseMs: number;
  /** A template is believed gone after its own GET answered 404 twice, at least so far apart. */
  absenceBelievedAfterMs: number;
  /** A location is believed gone after Shopify, asked for it by its id, did not show it twice, at least so far apart. */
  locationAbsenceBelievedAfterMs: number;
  /**
   * Two listings prove something only if the second began at least so long after the end of the first, because lists may lag behind the
   * writes.
   */
  listingsApartMs: number;
  /** How long a save waits for its own run before the page shows *under way*. */
  interactiveWaitMs: number;
  /** What each `status` of a carrier means. */
  verificationWords: Record<string, "pending" | "accepted" | "refused">;
}

/** A work item under a lease, and how it is to be run. */
export interface ClaimedWorkItem {
  item: WorkItem;
  /** Absent: the priority of the work item's kind. */
  priority?: Priority;
  /** Stops the run. */
  signal?: AbortSignal;
}

/** What every public function of a room receives first. */
export interface Services {
  /** Whose press is answered: Shopify's number of the person, as the session token says. None where nobody pressed. */
  staffId?: string | null;
  store: Store;
  shipping: ShippingService;
  shopify: ShopifyAdmin;
  clock: ProcessClock;
  dates: HeardDates;
  random: Random;
  log: Log;
  settings: Settings;
  /** Wakes the worker: something is due now, or after so many milliseconds. */
  wake: (inMs?: number) => void;
  /**
   * Runs a claimed work item to its end, under its lease. Never rejects. It is handed in, because it knows every kind of run and rooms must
   * not import upward.
   */
  runWorkItem: (services: Services, claimed: ClaimedWorkItem) => Promise<void>;
}
