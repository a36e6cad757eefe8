import type {
  AddressAttributes,
  AddressField,
  ContactDetails,
  ConfirmedSplit,
  HeldPlace,
  PlaceValues,
  ShopifyAddress,
} from "./address/address.ts";
import type { FaultKind } from "./errors.ts";
import type { PostalFacts } from "./mexico/postal-codes.ts";
import type { Secret } from "./secret.ts";

/**
 * The records that the app keeps, as the domain sees them. Times are milliseconds since the epoch, in fields ending in `Ms`.
 *
 * Long, because one place to read the whole vocabulary is easier than two.
 */

export type Environment = "test" | "production";

// ---------------------------------------------------------------- the shipping service's resources (docs/shipping-interface.md, 2)

export interface VerifiedCarrier {
  carrier_name: string;
  status: string;
  update_state: string | null;
  verification_id: string | null;
}

/** docs/shipping-interface.md, 2.1. Fields missing from an answer are null. */
export interface AddressTemplate {
  id: string;
  alias_name: string;
  address_type: string;
  default: boolean | null;
  address: AddressAttributes & { tax_id_number: string | null; tax_id_type: string | null };
  verified_carriers: VerifiedCarrier[];
}

/** The fields of a template beside its address that a person can set. Its id and its carriers' entries are set by the service. */
export type OwnField = Exclude<keyof AddressTemplate, "id" | "address" | "verified_carriers">;

/** Why a list's row cannot be read as a template. */
export type RowFault = "no_object" | "no_id" | "no_address" | "not_shown";

/** A row of a list that cannot be read. It still proves that its template exists, so nobody may conclude that the template is gone. */
export interface UnreadableRow {
  /** Null when the row's id cannot be read either. */
  id: string | null;
  /** `alias_name` as the service sent it, its first 200 characters; null when it is no text. */
  name: string | null;
  what: RowFault;
  /** The request id of the answer that held the row. */
  requestId: string;
}

/** A row that the last reading of the book could not read, as the connection remembers it. */
export interface RememberedRow extends UnreadableRow {
  /** When it was first there. */
  sinceMs: number;
  /**
   * Of a row without an id: the known templates that it may be (`withCandidates`). Null where they are too many to remember: any. Absent from a
   * row that a release before remembered: any.
   */
  candidates?: string[] | null;
}

/** docs/shipping-interface.md, 4.3: what a create sends. */
export interface TemplateDraft {
  alias_name: string;
  address_type: string;
  default?: boolean;
  address_attributes: Partial<AddressAttributes>;
}

/** docs/shipping-interface.md, 4.4: what an update sends; only what it names changes. */
export interface TemplatePatch {
  alias_name?: string;
  address_type?: string;
  default?: boolean;
  address_attributes?: Partial<AddressAttributes>;
}

// ---------------------------------------------------------------- a shop

export type DepartedRule = "keep" | "unlink" | "delete";

export interface Policies {
  syncOn: boolean;
  /** Which locations are origins unless the owner says otherwise for one. */
  locations: "online" | "all_active" | "by_hand";
  verifyAfterChange: boolean;
  carriers: string[];
  onDeactivate: DepartedRule;
  onDelete: DepartedRule;
  defaultLocationId: string | null;
  /** `{name}` stands for the location's name; the marker is always appended. */
  aliasPattern: string;
}

export const DEFAULT_POLICIES: Policies = {
  syncOn: true,
  locations: "online",
  verifyAfterChange: true,
  carriers: ["fedex", "dhl", "estafeta"],
  onDeactivate: "keep",
  onDelete: "unlink",
  defaultLocationId: null,
  aliasPattern: "{name}",
};

export type Language = "en" | "es-MX";

/** Shopify's last answer about our token; `open` also while Shopify only cannot be reached. */
export type ShopAccess = "open" | "refused" | "frozen" | "no_session";

export interface ShopRecord {
  shop: string;
  timeZone: string;
  /** Null: Shopify's locale decides. */
  language: Language | null;
  policies: Policies;
  contact: ContactDetails;
  /** Raised by each save of settings. A save that names an older revision is told that somebody else saved first. */
  revision: number;
  guideDismissedAtMs: number | null;
  /** When the last reconcile ended. */
  reconciledAtMs: number | null;
  installedAtMs: number;
  /** When the uninstall was confirmed; null once the shop is back. */
  uninstalledAtMs: number | null;
  /** What Shopify last answered when it was asked whether it lets us in. */
  access: ShopAccess;
  /** Since when Shopify does not let us in. */
  accessSinceMs: number | null;
  /** The first of the refusals that nothing has contradicted since. */
  refusedAtMs: number | null;
  /** When a validly signed `app/uninstalled` came; null once Shopify has confirmed or contradicted it. */
  uninstallToldAtMs: number | null;
  /** When that webhook was first found to be 30 days old. */
  forgetDueAtMs: number | null;
  /** When Shopify asked to erase the shop (`shop/redact`), while it is still unknown whether the shop has really left. */
  redactToldAtMs: number | null;
  /** What a person decided about that request, with `npm run redactions`. */
  redactDecision: "erase" | "keep" | null;
  /**
   * What Shopify Flow last said of each trigger: whether a workflow of the shop uses it, and when that was, by Flow's own clock, so that an older
   * word that comes late changes nothing. A trigger of which Flow never told is missing.
   */
  flow: Partial<Record<FlowTrigger, { isUsed: boolean; toldMs: number }>>;
}

export type ConnectionState =
  /** Requests may be sent. */
  | "active"
  /** The service refuses its credentials: no request until the owner gives new ones. */
  | "invalid"
  /** Replaced by another client id or environment; its links are kept. */
  | "aside"
  /** The owner disconnected; secret and tokens are forgotten. */
  | "disconnected"
  /** A new client id, and nobody could tell whether it opens the same account. The owner is asked whether the old links hold. */
  | "unconfirmed";

/** A work item whose call failed, where the failure may be the connection's or the work item's own. */
export interface Suspect {
  /** The work item's id. The stored JSON has this name and the next one. */
  targetId: string;
  /**
   * The generation that its run answered. A work item that was requested again since then begins anew, and this failure is not charged to
   * it.
   */
  wanted: number;
  kind: FaultKind;
  /** The service's own words. */
  message: string | null;
  requestId: string | null;
  atMs: number;
}

export interface ConnectionRecord {
  id: string;
  shop: string;
  environment: Environment;
  clientId: string;
  /** Encrypted at rest; never leaves the store and the shipping adapter. */
  clientSecret: Secret | null;
  scope: string | null;
  redirectUri: string | null;
  /** Raised by every change of credentials, state or account; plans, pending writes and tokens carry it. */
  version: number;
  state: ConnectionState;
  /** The shop's connection in use; a shop has at most one. */
  current: boolean;
  accessToken: Secret | null;
  refreshToken: Secret | null;
  tokenScope: string | null;
  tokenObtainedAtMs: number | null;
  tokenExpiresAtMs: number | null;
  /** Connection-wide failures in a row, and when the next probe may go. */
  failures: number;
  backoffUntilMs: number | null;
  lastFaultKind: FaultKind | null;
  lastFaultAtMs: number | null;
  /** The service's own words, where it answered; the fault's kind says the rest. */
  lastFaultMessage: string | null;
  /** Work items that met connection-wide failures since the circuit breaker opened, oldest first; empty while it is closed. */
  suspects: Suspect[];
  /** When the service last answered a run, to within a few seconds. */
  lastSuccessAtMs: number | null;
  /** When the whole address book was last read. */
  bookReadAtMs: number | null;
  /**
   * When the first of two listings that agree began: every template that was there by then is known. Null: nothing is created in the book.
   */
  bookConfirmedAtMs: number | null;
  /** Rows that the last reading of the book could not read; the first 200, with those of linked templates first. */
  bookUnreadable: RememberedRow[];
  /** How many times the account's templates were read, which is the number of the last reading. */
  readings: number;
  /**
   * What the service does to the address fields that an update does not name, learned from its answers. Null: no update that left out a field
   * with a value has told. `emptied`: every update sends the whole address. `perhaps`: the last one that told shows only fields empty that a
   * person may have cleared at that moment; the next one tells.
   */
  unnamed: "kept" | "perhaps" | "emptied" | null;
  /** How many characters of an alias the service keeps, learned from its answers; null while none was shortened. */
  aliasLimit: number | null;
}

// ---------------------------------------------------------------- origins

/** A location as Shopify tells it. */
export interface ShopifyLocation {
  /** `gid://shopify/Location/…` */
  locationId: string;
  name: string;
  isActive: boolean;
  isFulfillmentService: boolean;
  fulfillsOnlineOrders: boolean;
  address: ShopifyAddress;
  /** When it changed last, by Shopify's clock. Compared with times of the same clock only, and never with ours. */
  shopifyAtMs: number;
}

export interface LocationRecord extends Omit<ShopifyLocation, "shopifyAtMs"> {
  shop: string;
  /** The same, of what is kept here; null where a release kept it that did not ask. */
  shopifyAtMs: number | null;
  /** When it changed last by a webhook whose state no answer has shown yet, by Shopify's clock; null where none is awaited. */
  shopifyToldMs: number | null;
  /** Since when, by our clock, an answer is awaited that is not older than these two; null where none is. */
  behindSinceMs: number | null;
  /**
   * What the list of postal codes said of the address's code when the address came; null when it said nothing. An address is read with
   * this for as long as it stays the same, so that importing another list changes no address by itself.
   */
  postal: PostalFacts | null;
  deletedAtMs: number | null;
  /** Since when Shopify, asked for it by its id, does not show it; null once an answer has shown it. Not yet believed while not deleted. */
  absentSinceMs: number | null;
  readAtMs: number;
}

/** The owner's details of one location. They outlive the link and a reinstall, until the shop is redacted. */
export interface DetailsRecord {
  shop: string;
  locationId: string;
  contact: ContactDetails;
  split: ConfirmedSplit | null;
  /** The place that stands for Shopify's address; null where that one holds. */
  held: HeldPlace | null;
  /** The marker of its template since it moved; null: `markerOf`. */
  marker: string | null;
  /** `policy`: as the shop's policy says; `always`/`never`: chosen by hand. Unlinking sets `never`. */
  inclusion: "policy" | "always" | "never";
  paused: boolean;
  /**
   * What to do when a template of the account probably stands for this location already: ask the owner, or create another one all the same.
   */
  adoption: "ask" | "create";
  /** When the owner first confirmed this origin. Before that nothing is created or linked. */
  confirmedAtMs: number | null;
  /** Raised by each save. A save that names an older revision is told that somebody else saved first. */
  revision: number;
  /**
   * What creates of its template said that may have made it after all, newest first; none of an account where it is linked. Where one of these
   * templates shows, its values are ours, and no choice of somebody's.
   */
  inVain: UnseenCreate[];
  /** Former addresses that its owner wanted to keep, of the moves before its last one, which names its own. */
  formerTemplates: Pick<TemplateRecord, "connectionId" | "templateId">[];
}

/** Listings told that it had made nothing, and they may be wrong; or nobody followed its end. */
export interface UnseenCreate extends TemplateDraft {
  /** The connection over which its end was not followed, because another account came into use; absent where listings told. */
  leftOver?: string;
}

/** What one person says of one location, and which state of things they were looking at. */
export interface StatedDetails {
  locationId: string;
  revision: number;
  /** `addressText` of the location as it was shown. */
  readFrom: string;
  contact: Partial<ContactDetails>;
  split: ConfirmedSplit["values"];
}

/**
 * A location that is to move, or has moved. Its coming address is a template of its own, which no link names until the day; the template
 * as it stands in the account is the truth of it from then on that it was made.
 */
export interface MoveRecord {
  shop: string;
  locationId: string;
  /** In whose account the coming template is. */
  connectionId: string;
  /** The coming template's marker. */
  marker: string;
  /** The coming place as its owner entered it. */
  place: PlaceValues;
  /** The hour of the day, as `2026-12-01T09:00` in the shop's time zone; null: when its owner presses. */
  hour: string | null;
  /** Whether the former template stays shown as the location's. */
  keepFormer: boolean;
  state: "coming" | "passed";
  /** Null until it is made. */
  templateId: string | null;
  /**
   * What our create said, and what the service made of it: with another value, somebody else has changed the coming template. Without a
   * template: a create whose end nobody followed, because another account came into use.
   */
  sent: TemplateDraft | null;
  answered: AddressTemplate | null;
  /** Why it could not be made; null while nothing is in the way. */
  refusal: Pick<WorkItemReason, "code" | "message" | "fields" | "requestId"> | null;
  /** Its owner pressed; `anyway`: although a carrier refuses the coming address. */
  press: "now" | "anyway" | null;
  /**
   * What its owner is asked since the hour, and nothing has passed: the coming template is not there, a carrier refuses it, it stands for
   * a location, or the location is no origin.
   */
  asks: "missing" | "refused" | "taken" | "no_origin" | null;
  formerTemplateId: string | null;
  /** We had made the former template the account's default, and it has not given that up yet. */
  formerDefault: boolean;
  passedAtMs: number | null;
}

export type DifferenceKind =
  /** Only somebody else changed the field. */
  | "drift"
  /** Both sides changed the field. */
  | "conflict"
  /** We sent a value and the service's answer does not hold it. */
  | "unkept";

export interface Difference {
  field: AddressField | OwnField;
  kind: DifferenceKind;
  ours: string | null;
  theirs: string | null;
  /** The value that both sides had before. */
  base: string | null;
  noticedAtMs: number;
}

export interface LinkRecord {
  id: string;
  shop: string;
  connectionId: string;
  environment: Environment;
  locationId: string;
  templateId: string;
  how: "created" | "adopted" | "chosen";
  /** The whole template that we last wrote, as the service acknowledged it; null before our first write. */
  sent: TemplateDraft | null;
  /** The service's answer to our last write, or the template as it was when linked: the base of the three-way merge. */
  answered: AddressTemplate | null;
  differences: Difference[];
  /** The owner's choices for differences. The next run uses them up. */
  choices: { field: Difference["field"]; choice: "ours" | "theirs"; theirs: string | null }[];
  /** Fields where the owner accepted the service's value; they hold until the field changes on our side. */
  accepted: { field: Difference["field"]; ours: string | null; theirs: string | null }[];
  /**
   * A write over this link's client id whose end nobody had learned when another client id came into use. The template's next GET tells what
   * became of it; the template is read before anything else is decided. Of a write that another shop had announced when the link was made
   * nothing is remembered but that there was one.
   */
  unclear: Pick<PendingWrite, "operation" | "payload"> | null;
  /** Since when the template is missing, because somebody else deleted it. The owner chooses whether to make it again or to unlink. */
  missingSinceMs: number | null;
  syncedAtMs: number | null;
  checkedAtMs: number | null;
}

/** A template as it was last read in the account. Pages render from this row. */
export interface TemplateRecord {
  shop: string;
  connectionId: string;
  templateId: string;
  template: AddressTemplate;
  readAtMs: number;
  /** The number of the reading that this row is from. A higher number is a newer reading, whatever the time of day was. */
  reading: number;
  /**
   * When the template's own GET first answered 404; null as soon as an answer shows the template. Nothing is written to it while this is
   * set.
   */
  absentSinceMs: number | null;
  /** Since when listings lack the template; null while they hold it. */
  unlistedSinceMs: number | null;
  /** When the template was last shown by its own GET or in the answer to a write; null where only lists have shown it. */
  aloneAtMs: number | null;
  /**
   * When this row was last put in doubt; null while it is not. A list showed the template otherwise than its own GET did, which may be news
   * or a list that lags. Or the owner asked to look at the origin, and no run read the template in time. Or a run lost its lease before it
   * could store the answer. The template's own GET decides.
   */
  disputedSinceMs: number | null;
  /**
   * The values of fields that are empty now although some of them are never null, so a write of ours may have emptied them. The next write
   * puts these values back.
   */
  emptied: Partial<Record<AddressField, string>> | null;
  /** What changed here within the last minute or so, the oldest first; null for nothing. A GET that is behind still shows it. */
  replaced: Replaced[] | null;
}

/** What stood in a template before it changed (`plan/replaced.ts`). */
export interface Replaced {
  /** The number of the reading that showed the change. */
  reading: number;
  /** When that was kept. */
  atMs: number;
  /** Our create, our update, our question to carriers, or somebody else, of whom a reading told. */
  by: "create" | "update" | "question" | "other";
  /** The former values by field; for a question the former entries by carrier, as text. */
  was: Record<string, string | null>;
}

// ---------------------------------------------------------------- verification

export type VerificationOutcome =
  /** The owner or the policy asked for a verification, and the question was not sent yet. */
  | "wanted"
  /** The carrier was asked, and has not answered or says that it is working on it. */
  | "pending"
  | "accepted"
  | "refused"
  /** A status that is in no table: it is quoted, and never taken for ready. */
  | "unknown"
  /** This carrier does not verify. */
  | "not_offered"
  /** The carrier was asked and gave no news within two business days, or within seven days after it said that it was working on it. */
  | "no_answer"
  /** Found in the account; we never asked. */
  | "seen";

export interface VerificationRecord {
  shop: string;
  connectionId: string;
  templateId: string;
  carrier: string;
  outcome: VerificationOutcome;
  /** The status in the service's own word. */
  status: string | null;
  updateState: string | null;
  verificationId: string | null;
  /** The carrier's entries at the moment of the question: only another entry is an answer. Null before the first question. */
  baseline: { status: string; updateState: string | null; verificationId: string | null }[] | null;
  /** When the carrier was last asked; while the question is `wanted`, only where it may still be at one about another address. */
  askedAtMs: number | null;
  /** When the outcome last changed. */
  changedAtMs: number;
  /** When the service was last read for this outcome. */
  checkedAtMs: number | null;
  /** How often the answer was looked for. While the question is `wanted`: how often it was sent, and nobody knows what became of it. */
  polls: number;
  nextPollAtMs: number | null;
  /** `canonicalAddress` of the address that the outcome is for; with another address the outcome is stale. Null where nobody knows. */
  addressKey: string | null;
  timeline: { atMs: number; outcome: VerificationOutcome; status: string | null }[];
  /** The open question: `wanted` was not sent yet, or with an unclear end (`polls`); `asked` was. The earlier outcome stands beside it. */
  question: "wanted" | "asked" | null;
  /** `canonicalAddress` of the address that the question is about. */
  questionKey: string | null;
  /** When an entry of the carrier was first seen to have changed since the question; null while none has. */
  movedAtMs: number | null;
}

// ---------------------------------------------------------------- work items, pending writes, receipts

export type WorkItemKind =
  /** key: location id. Keeps one location's template true. */
  | "location"
  /** key: draft id. A template made, edited or deleted by hand. */
  | "template"
  /** key: `connectionId:templateId`. Asks for and follows verification. */
  | "verification"
  /** key: `shop`. Reads all locations and the whole address book. */
  | "reconcile"
  /** key: job id. Does what a job of many origins asks for, some at a time; gone when that is done. */
  | "job"
  /** key: `shop`. Asks Shopify whether it lets us in, and so finds out whether the shop has really left. */
  | "uninstall"
  /** key: `shop`. Erases everything of a shop when Shopify has asked for it and the shop has left. */
  | "redact"
  /** key: what webhooks are about, a location's id or a word. Acts on those that came too soon after the last ones about the same. */
  | "told"
  /** key: location id. Makes the template of a coming address, and lets the link pass over to it. */
  | "move"
  /** key: `give`, which gives Shopify Flow the events that wait in the outbox, or `look`, which looks at all origins before the first. */
  | "flow";

export type BlockedReason =
  | "incomplete"
  | "unconfirmed"
  | "conflict"
  | "refused_by_service"
  | "missing_there"
  | "not_connected"
  | "template_taken"
  | "adoption_choice"
  | "account_unconfirmed"
  /** No key decrypts the stored client secret, so the owner has to enter it again. */
  | "secret_unreadable"
  /** Shopify announced that the app was uninstalled, and this is not confirmed yet. */
  | "uninstall_told";

/** What a work item waits for without anybody having to act. */
export type WaitReason =
  /** A write whose end is unclear, and which may still take effect. */
  | "quarantine"
  /**
   * Another work item's write to the same template has no clear end, again and again. The message, the request id and the time are that
   * other work item's.
   */
  | "held"
  /** The template's address, which a write has emptied in part. Its carriers are asked once it is whole again. */
  | "emptied"
  /** The template's own GET answered 404 once. It is sent again before anybody believes that the template is gone. */
  | "absence_unconfirmed"
  /** Shopify did not show the location once. It is asked again before anybody believes that the location is gone. */
  | "location_unconfirmed"
  /** Shopify has told of a newer state of the location than its answers show. It is asked again until they show that one. */
  | "location_behind"
  /** The first reading of the address book. Nothing is created in the book before it. */
  | "book_unread"
  /** The second reading of the address book. Nothing is created in the book before it. */
  | "book_unconfirmed"
  /** A readable address book. Nothing is created in the book while it cannot be read. */
  | "book_unreadable";

export interface WorkItemReason {
  code: BlockedReason | WaitReason | FaultKind;
  /** The service's own words; null when it gave none. */
  message: string | null;
  /** The service's messages by field, when a refusal is the reason. */
  fields: Record<string, string[]> | null;
  requestId: string | null;
  atMs: number;
  /** The operation of the interface that failed; absent where none did. */
  operation?: string | null;
  /** What the work item's own failures took in all since they began, where the reason is the last of them. */
  calls?: number;
}

export interface WorkItem {
  id: string;
  shop: string;
  kind: WorkItemKind;
  key: string;
  generation: number;
  observedGeneration: number;
  /** No run begins before this. */
  dueAtMs: number;
  leaseOwner: string | null;
  leaseUntilMs: number | null;
  /** Raised by each claim. Every later write of that run names it. */
  fence: number;
  /** Own failures in a row; a new request sets this to none. */
  failures: number;
  /**
   * When the work item first failed by itself since its last success. A new request does not clear it. Null while it does not fail by
   * itself.
   */
  failingSinceMs: number | null;
  /** Since when something is asked of the work item that no run has seen. A new request does not change it. Null while nothing is asked. */
  pendingSinceMs: number | null;
  /** In whose trace it was asked for last, in the form of the header of that name; null where nobody traces. Nothing is decided by it. */
  traceparent: string | null;
  state: "active" | "parked" | "blocked";
  reason: WorkItemReason | null;
  updatedAtMs: number;
}

export interface PendingWrite {
  id: string;
  shop: string;
  connectionId: string;
  workItemId: string;
  operation: "create" | "update" | "delete";
  templateId: string | null;
  locationId: string | null;
  /** The marker a create's alias carries; null for hand-made templates, known by their exact payload. */
  marker: string | null;
  payload: TemplateDraft | TemplatePatch | null;
  /** For a create by hand: templates with the same values that were known when it was announced. The create made none of them. */
  alike: string[];
  committedAtMs: number;
  /** Nobody writes to the same place before this. */
  quarantineUntilMs: number;
  /**
   * When a process last stored, every few seconds, that it is still counting this quarantine. After a restart only the time up to then
   * counts as elapsed. Null: not since the write was announced.
   */
  notedAtMs: number | null;
}

export interface ReceiptRecord {
  shop: string;
  webhookId: string;
  receivedAtMs: number;
}

/** A change by hand in the address book. Its id is made before the form is sent, so that a double press is one change. */
export interface DraftRecord {
  id: string;
  shop: string;
  connectionId: string;
  operation: "create" | "update" | "delete";
  templateId: string | null;
  draft: TemplateDraft | null;
  /** The template as the form showed it. Only fields that the person changed are sent. */
  base: AddressTemplate | null;
  createdAtMs: number;
  endedAtMs: number | null;
  outcome: {
    /**
     * `alike`: a create was not answered, and a template with the same values exists now, which the create may have made. `anothers`:
     * another shop's location has the template. `account_changed`: the shop uses another account than the one that the change was for.
     * `taken_back`: a deletion whose owner has since made the template's location an origin again, or linked the template. `unkept`: the
     * service says that an update is done, and shows fields of it as they were before.
     */
    kind: "done" | "refused" | "conflict" | "gone" | "alike" | "anothers" | "account_changed" | "taken_back" | "unkept";
    message: string | null;
    fields: Record<string, string[]> | null;
  } | null;
  /** Shopify's number of the person who sent the form; null where it is not known. */
  staffId: string | null;
}

// ---------------------------------------------------------------- activity and jobs

export interface ActivityRecord {
  id: string;
  shop: string;
  atMs: number;
  /** `owner`, `sync`, `shopify`, `service` or `app`. */
  actor: string;
  /** Shopify's number of the person who pressed, where `actor` is `owner`; null where nobody did, or where it is not known any more. */
  staffId: string | null;
  /** e.g. `template_created`, `template_updated`, `verified`, `drift`, `connected`; keys of the `activity` locale. */
  kind: string;
  locationId: string | null;
  /** The name, at that time, of the location or template that the line is about. The location may be gone since. */
  locationName: string | null;
  templateId: string | null;
  carrier: string | null;
  fields: { field: string; from: string | null; to: string | null }[];
  requestId: string | null;
  outcome: "done" | "failed" | "waiting" | "noted";
  detail: string | null;
  /** Of the account that was in use then: each environment has its own activity. Production's where there was none. */
  environment: Environment;
}

export interface JobRecord {
  id: string;
  shop: string;
  /** `import`: writes what a file says of each origin, and syncs it. */
  kind: "sync" | "verify" | "pause" | "resume" | "import";
  carriers: string[];
  state: "running" | "cancelled" | "done";
  createdAtMs: number;
  endedAtMs: number | null;
}

/** What a job's row said of a location. What an older release stored has only the link. */
export interface RowConfirmed {
  linkId: string | null;
  /** The details' revision that the row left: with another one, somebody has said something since. */
  revision?: number;
  /** Whether the location was confirmed before the row and lacked nothing, so that it would have been made without it. */
  stood?: boolean;
  /** What the row found there. */
  adoption?: DetailsRecord["adoption"];
}

export interface JobItemRecord {
  jobId: string;
  shop: string;
  locationId: string;
  workItemId: string | null;
  /**
   * The work item's generation before the job requested anything. Only the job requested the generations after that, up to `generation`.
   */
  since: number;
  /** The job's item ends when a run has answered this generation. */
  generation: number;
  /** Set where the job's row confirmed a location without a template, or linked it. A cancel undoes that. */
  confirmed: RowConfirmed | null;
  /** Of an import: what the file says of the location. Null once it is written or refused. */
  stated: StatedDetails | null;
  /** `skipped`: nothing was its to do, and `detail` says why. */
  state: "waiting" | "done" | "failed" | "cancelled" | "skipped";
  detail: string | null;
}

// ---------------------------------------------------------------- Shopify Flow

/** The handles of the triggers' extensions. */
export type FlowTrigger =
  "origin-refused" | "origin-ready" | "origin-needs-you" | "origin-changed" | "connection-refused";

/** What of an origin begins workflows. */
export interface OriginSeen {
  /** The chosen carriers that refuse the address as it is. */
  refused: string[];
  ready: boolean;
  /** The state in which it waits for its owner. */
  needs: string | null;
  /** Each field that somebody else changed, with when that was noticed. */
  changed: string[];
}

/** What was last seen of an origin of a shop whose workflows use a trigger: only what differs from it is an event. */
export interface FlowOriginRecord {
  shop: string;
  locationId: string;
  seen: OriginSeen;
}

/** An event for Shopify Flow, in the outbox until Flow has taken it or never will. */
export interface FlowEventRecord {
  /** Flow is told it, so that a workflow can tell a repetition. */
  id: string;
  shop: string;
  /** The shop's events are given to Flow in this order. */
  number: number;
  trigger: FlowTrigger;
  locationId: string | null;
  /** By the keys of the trigger's extension, without those that every event has. */
  fields: Record<string, string>;
  atMs: number;
}
