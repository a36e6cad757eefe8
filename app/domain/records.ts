import type {
  AddressAttributes,
  AddressField,
  ContactDetails,
  ConfirmedSplit,
  ShopifyAddress,
} from "./address/address.ts";
import type { FaultKind } from "./errors.ts";
import type { Secret } from "./secret.ts";

/**
 * The records the app keeps, as the domain sees them. Times are milliseconds since the epoch, ending in `Ms`.
 *
 * Long, because one place to read the whole vocabulary beats two halves.
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

/** What a template says beside its address, and a person can set; its id and the carriers' words are the service's. */
export type OwnField = Exclude<keyof AddressTemplate, "id" | "address" | "verified_carriers">;

/** What a row of a list lacks, so that it cannot be read as a template. */
export type RowFault = "no_object" | "no_id" | "no_address";

/** A row of a list that cannot be read. It is there all the same: nobody may take its template for gone. */
export interface UnreadableRow {
  /** Null when that cannot be read either. */
  id: string | null;
  /** `alias_name` as the service sent it, its first 200 characters; null when it is no text. */
  name: string | null;
  what: RowFault;
  /** Of the answer that it stood in. */
  requestId: string;
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
  /** `{name}` is the location's name; the marker is always appended. */
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

/** What Shopify last said of our token; `open` also while it only could not be reached. */
export type ShopAccess = "open" | "refused" | "frozen" | "no_session";

export interface ShopRecord {
  shop: string;
  timeZone: string;
  /** Null: follow Shopify's locale. */
  language: Language | null;
  policies: Policies;
  contact: ContactDetails;
  /** Raised by each save of settings; a save with an older one is told. */
  revision: number;
  guideDismissedAtMs: number | null;
  /** The end of the last whole look at everything. */
  reconciledAtMs: number | null;
  installedAtMs: number;
  /** When the uninstall was confirmed; null once the shop is back. */
  uninstalledAtMs: number | null;
  /** What Shopify last said when it was asked whether it lets us in. */
  access: ShopAccess;
  /** Since when it does not. */
  accessSinceMs: number | null;
  /** The first of the refusals that nothing has contradicted since. */
  refusedAtMs: number | null;
  /** When a validly signed `app/uninstalled` came that Shopify has neither confirmed nor contradicted. */
  uninstallToldAtMs: number | null;
  /** When that was first seen to be 30 days old. */
  forgetDueAtMs: number | null;
  /** When Shopify asked to erase the shop (`shop/redact`), and nobody knows yet whether it is really gone. */
  redactToldAtMs: number | null;
  /** What a person said of that, by `npm run redactions`. */
  redactDecision: "erase" | "keep" | null;
}

export type ConnectionState =
  /** In use. */
  | "active"
  /** The service refuses its credentials: no request until the owner gives new ones. */
  | "invalid"
  /** Replaced by another client id or environment; its links are kept. */
  | "aside"
  /** The owner disconnected; secret and tokens are forgotten. */
  | "disconnected"
  /** A new client id whose account could not be told: the owner is asked whether old links hold. */
  | "unconfirmed";

/** A work item whose call met a failure that may be the connection's or its own. */
export interface Suspect {
  /** The work item's id. The row on disk holds JSON with this name and the next one. */
  targetId: string;
  /** The generation that its run answered: a work item that was requested again since begins anew and is not charged. */
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
  /** The one the shop works with; at most one a shop. */
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
  lastFaultMessage: string | null;
  /** Who met connection-wide failures since the circuit breaker opened, oldest first; empty while it is closed. */
  suspects: Suspect[];
  /** When the service last answered a run, to within a few seconds. */
  lastSuccessAtMs: number | null;
  /** When the whole address book was last read. */
  bookReadAtMs: number | null;
  /** When the first of two listings that agree began: what was there by then is known. Null: nothing is created in the book. */
  bookConfirmedAtMs: number | null;
  /** Rows that this reading could not read; the first 200, those of linked templates before others. */
  bookUnreadable: (UnreadableRow & { sinceMs: number })[];
  /** How many times its templates were read: the number of the last reading. */
  readings: number;
  /** How many characters of an alias the service keeps, as its answers showed; null while none was shortened. */
  aliasLimit: number | null;
  createdAtMs: number;
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
}

export interface LocationRecord extends ShopifyLocation {
  shop: string;
  deletedAtMs: number | null;
  readAtMs: number;
}

/** What the owner keeps of one location; outlives its link and a reinstall, until the shop is redacted. */
export interface DetailsRecord {
  shop: string;
  locationId: string;
  contact: ContactDetails;
  split: ConfirmedSplit | null;
  /** `policy`: as the shop's policy says; `always`/`never`: by hand. Unlinking says `never`. */
  inclusion: "policy" | "always" | "never";
  paused: boolean;
  /** What to do when a template of the account is likely this location already: ask the owner, or create all the same. */
  adoption: "ask" | "create";
  /** When the owner first let this origin be written; until then nothing is created or linked. */
  confirmedAtMs: number | null;
  /** Raised by each save; a save with an older one is told that somebody else was faster. */
  revision: number;
  updatedAtMs: number;
}

export type DifferenceKind =
  /** Only they changed it. */
  | "drift"
  /** Both changed it. */
  | "conflict"
  /** We sent it and the answer did not keep it. */
  | "unkept";

export interface Difference {
  field: AddressField | OwnField;
  kind: DifferenceKind;
  ours: string | null;
  theirs: string | null;
  /** The value both had before. */
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
  /** What we last meant, whole, as acknowledged by the service; null before our first write. */
  sent: TemplateDraft | null;
  /** The service's answer to our last write, or the template as it was when linked: the base of the three-way compare. */
  answered: AddressTemplate | null;
  differences: Difference[];
  /** The owner's answers to differences, consumed by the next run. */
  choices: { field: Difference["field"]; choice: "ours" | "theirs"; theirs: string | null }[];
  /** Fields where the owner accepted the service's value; they hold until the field changes on our side. */
  accepted: { field: Difference["field"]; ours: string | null; theirs: string | null }[];
  /** A partial update once altered fields that were not sent: always send the whole address. */
  sendWhole: boolean;
  /** The template was deleted there by somebody else; the owner chooses: make again or unlink. */
  missingSinceMs: number | null;
  syncedAtMs: number | null;
  checkedAtMs: number | null;
}

/** A template as last seen in the account, so that pages render from the database. */
export interface TemplateRecord {
  shop: string;
  connectionId: string;
  templateId: string;
  template: AddressTemplate;
  readAtMs: number;
  /** Which reading of the account that was. The higher number is the newer reading, whatever the time of day was taken for. */
  reading: number;
  /** When its own GET first answered 404; null as soon as an answer shows it. Nothing is written there while it is set. */
  absentSinceMs: number | null;
  /** Since when listings lack it; null while they hold it. */
  unlistedSinceMs: number | null;
  /** When it was last shown by its own GET or in the answer to a write; null where only lists showed it. */
  aloneAtMs: number | null;
  /**
   * Since when a list shows it otherwise than that, which may be news or a list that is behind; or since when its owner asked for a look
   * that was not answered in time, or a run lost its lease before it could keep the answer. Its own GET tells.
   */
  disputedSinceMs: number | null;
  /** What it said in fields that were emptied, though some of them are never null: a write of ours may have. The next write puts it back. */
  emptied: Partial<Record<AddressField, string>> | null;
}

// ---------------------------------------------------------------- verification

export type VerificationOutcome =
  /** The owner or the policy asked, and nothing is known yet; not sent yet. */
  | "wanted"
  /** Asked, and nothing is known yet, or the carrier says that it is at it. */
  | "pending"
  | "accepted"
  | "refused"
  /** A word that no table knows: quoted, never taken for ready. */
  | "unknown"
  /** This carrier does not verify. */
  | "not_offered"
  /** Asked, and told nothing new within two business days; or within seven days by a carrier that said it was at it. */
  | "no_answer"
  /** Seen in the account, never asked by us. */
  | "seen";

export interface VerificationRecord {
  shop: string;
  connectionId: string;
  templateId: string;
  carrier: string;
  outcome: VerificationOutcome;
  /** The service's own word. */
  status: string | null;
  updateState: string | null;
  verificationId: string | null;
  /** What the carrier's entries said when we asked: only another one is an answer. Null before we ever asked. */
  baseline: { status: string; updateState: string | null; verificationId: string | null }[] | null;
  /** When it was last asked. */
  askedAtMs: number | null;
  /** When the outcome last changed. */
  changedAtMs: number;
  /** When the service was last read for it. */
  checkedAtMs: number | null;
  polls: number;
  nextPollAtMs: number | null;
  /** `canonicalAddress` of the address that the outcome is for; another one makes it stale. Null where nobody knows. */
  addressKey: string | null;
  timeline: { atMs: number; outcome: VerificationOutcome; status: string | null }[];
  /** What is asked and has no answer yet: `wanted` is not sent yet. An older outcome stands beside it. */
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
  /** key: `shop`. Asks Shopify whether it lets us in, and finds out whether the shop is really gone. */
  | "uninstall"
  /** key: `shop`. Erases everything of a shop that Shopify asked to erase and that is gone. */
  | "redact";

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
  /** No key opens the stored client secret: its owner enters it anew. */
  | "secret_unreadable"
  /** Shopify told us that the app was uninstalled, and that is not confirmed yet. */
  | "uninstall_told";

/** What a work item waits for that no person need mend. */
export type WaitReason =
  /** A write whose end is unclear may still take effect. */
  | "quarantine"
  /**
   * Another work item's write to the same template has no clear end, again and again. The words, the request and the time are that one's.
   */
  | "held"
  /** The template's own GET answered 404 once; it is asked for again before anybody believes it gone. */
  | "absence_unconfirmed"
  /** The address book was not read yet; nothing is made in it before. */
  | "book_unread"
  /** The address book was read once; it is read a second time before anything is made in it. */
  | "book_unconfirmed"
  /** The address book cannot be read, so nothing is made in it. */
  | "book_unreadable";

export interface WorkItemReason {
  code: BlockedReason | WaitReason | FaultKind;
  /** The service's own words; null when it said none. */
  message: string | null;
  /** The service's refusal by field, when that is the reason. */
  fields: Record<string, string[]> | null;
  requestId: string | null;
  atMs: number;
}

export interface WorkItem {
  id: string;
  shop: string;
  kind: WorkItemKind;
  key: string;
  generation: number;
  observedGeneration: number;
  /** Not before. */
  dueAtMs: number;
  leaseOwner: string | null;
  leaseUntilMs: number | null;
  /** Raised by each claim: every later write of that run names it. */
  fence: number;
  /** Own failures in a row; a new request begins at none. */
  failures: number;
  /** Its first own failure since it last came through; outlives a new request. Null: it does not fail by itself. */
  failingSinceMs: number | null;
  /** Since when something is asked of it that no run has seen; outlives a new request. Null: nothing is. */
  pendingSinceMs: number | null;
  state: "active" | "parked" | "blocked";
  reason: WorkItemReason | null;
  createdAtMs: number;
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
  /** Of a create by hand: templates with its words that were known when it was announced. None of them is what it made. */
  alike: string[];
  committedAtMs: number;
  /** Nobody writes there before. */
  quarantineUntilMs: number;
  /**
   * When a process last counted on it, every few seconds: a restart takes only what was counted for elapsed. Null: not since it was made.
   */
  notedAtMs: number | null;
}

export interface ReceiptRecord {
  shop: string;
  webhookId: string;
  topic: string;
  receivedAtMs: number;
}

/** A change by hand in the address book, its id made before the form was sent so that a double press is one. */
export interface DraftRecord {
  id: string;
  shop: string;
  connectionId: string;
  operation: "create" | "update" | "delete";
  templateId: string | null;
  draft: TemplateDraft | null;
  /** The template as the form showed it: only what the person changed is sent. */
  base: AddressTemplate | null;
  createdAtMs: number;
  endedAtMs: number | null;
  outcome: {
    /**
     * `alike`: a create was not answered, and a template with its words is there now, which it may have made. `anothers`: another shop's
     * location has the template. `account_changed`: the account it was for is not the shop's any more.
     */
    kind: "done" | "refused" | "conflict" | "gone" | "alike" | "anothers" | "account_changed";
    message: string | null;
    fields: Record<string, string[]> | null;
  } | null;
}

// ---------------------------------------------------------------- activity and jobs

export interface ActivityRecord {
  id: string;
  shop: string;
  atMs: number;
  /** `owner`, `sync`, `shopify`, `service` or `app`. */
  actor: string;
  /** e.g. `template_created`, `template_updated`, `verified`, `drift`, `connected`; keys of the `activity` locale. */
  kind: string;
  locationId: string | null;
  /** What it was about, by its name then: a location that may be gone since, or a template that stands for none. */
  locationName: string | null;
  templateId: string | null;
  carrier: string | null;
  fields: { field: string; from: string | null; to: string | null }[];
  requestId: string | null;
  outcome: "done" | "failed" | "waiting" | "noted";
  detail: string | null;
}

export interface JobRecord {
  id: string;
  shop: string;
  kind: "sync" | "verify";
  carriers: string[];
  state: "running" | "cancelled" | "done";
  createdAtMs: number;
  endedAtMs: number | null;
}

export interface JobItemRecord {
  jobId: string;
  shop: string;
  locationId: string;
  workItemId: string | null;
  /** The work item's generation before the job asked for anything: what is newer, up to `generation`, the job alone asked for. */
  since: number;
  /** The generation whose end ends the item. */
  generation: number;
  /** Set where Review confirmed a location without a template together with this job, and perhaps linked it: a cancel takes that back. */
  confirmed: { linkId: string | null } | null;
  state: "waiting" | "done" | "failed" | "cancelled";
  detail: string | null;
}
