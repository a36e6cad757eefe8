import type {
  AddressAttributes,
  AddressField,
  Confidence,
  FieldSource,
  HeldPlace,
  ProblemCode,
} from "../domain/address/address.ts";
import type { FormContactField, SplitField } from "../domain/address/form-fields.ts";
import type { CarrierStanding } from "../domain/verification/carrier-standing.ts";
import type { ExclusionReason, OriginState } from "../domain/origin-state.ts";
import type { Outlook, ReadinessItem } from "../domain/readiness.ts";
import type { CarrierWords } from "../domain/verification/field-words.ts";
import type { AdoptedField } from "../domain/plan/adoption-choices.ts";
import type { FieldFate } from "../domain/plan/field-fates.ts";
import type { MoveNews } from "../domain/plan/move-news.ts";
import type {
  ActivityRecord,
  DetailsRecord,
  Difference,
  LinkRecord,
  MoveRecord,
  WorkItemReason,
} from "../domain/records.ts";
import type { UnreadableView } from "./address-book.ts";
import type { FailureView } from "./failure.ts";
import type { ConnectionSummary } from "./origins.ts";
import type { SyncPreview } from "./sync-preview.ts";
import type { TimelineEntry } from "./timeline.ts";

/** What the page of one origin shows; everything from the database. */

/** One field of the address: what holds here, what the account has, and what becomes of it. */
export interface FieldView {
  field: AddressField;
  /** The value that holds here, from Shopify, the owner or the shop. */
  value: string | null;
  source: FieldSource;
  confidence: Confidence;
  /** What may be chosen instead, see `FieldReading`. */
  offers: readonly string[];
  problem: ProblemCode | null;
  severity: "error" | "warning" | null;
  /** The service's own words about it, from its last refusal. */
  serviceMessages: string[];
  /** What carriers answered about it, see `CarrierWords`. */
  carrierWords: Omit<CarrierWords, "field">[];
  /** The template's value as last read; null when it has none, or where no template is known. */
  there: string | null;
  fate: FieldFate;
}

export interface OriginForm {
  revision: number;
  /** The location's text that the form was filled from (`addressText`). */
  readFrom: string;
  /** It is the shop's only origin: its contact is the shop's. */
  forShop: boolean;
  /** The location's own contact; empty means "as for the whole shop". */
  contact: Record<FormContactField, string>;
  /** What holds where the location has nothing of its own: the shop's contact, then Shopify's phone. */
  defaults: Record<FormContactField | "reference", string | null>;
  split: Record<SplitField, string>;
}

export interface HistoryEntry extends Pick<
  ActivityRecord,
  "id" | "atMs" | "actor" | "kind" | "carrier" | "fields" | "outcome" | "detail" | "staffId"
> {
  requestId: string | null;
  /** Whether it was whoever reads this. */
  isYours: boolean;
}

/** What a person is shown of a template before it is linked to a location. */
export interface LinkPreview {
  templateId: string;
  /** Which content of the template this shows; sent back when it is linked. */
  version: string;
  /** Which values of the location's own stand beside it (`ownVersion`); sent back, too. */
  ownVersion: string;
  /** Without our marker. */
  alias: string;
  address: string;
  /** The template's values. */
  there: AddressAttributes;
  /** What linking would change in its place and its name. */
  differences: { field: Difference["field"]; ours: string | null; theirs: string | null }[];
  /** Where its contact differs from ours, and whose value stays unless the owner chooses otherwise. */
  contact: AdoptedField[];
}

/** A template of the account that is likely this location already. */
export interface ProposalView extends LinkPreview {
  how: "marker" | "equal" | "likely";
}

export interface OriginView {
  locationId: string;
  legacyId: string;
  name: string;
  isDefault: boolean;
  state: OriginState;
  exclusion: ExclusionReason | null;
  canInclude: boolean;
  inclusion: DetailsRecord["inclusion"];
  paused: boolean;
  confirmed: boolean;
  /** Shopify's text of the address, in lines. */
  shopifyLines: string[];
  locationReadAtMs: number;
  /** The location moves, or has moved: another place than Shopify's is its address. */
  isPlaceHeld: boolean;
  fields: FieldView[];
  splitLapsed: boolean;
  form: OriginForm;
  readiness: ReadinessItem[];
  outlook: Outlook;
  /** The service's last refusal, in its own words. */
  refusal: { message: string | null; requestId: string | null; atMs: number } | null;
  /** Why the run stopped or waits. */
  reasonCode: WorkItemReason["code"] | null;
  /** What keeps failing here, or what this waits for that does. */
  failure: FailureView | null;
  /** The same of asking its carriers and following their answers. */
  verificationFailure: FailureView | null;
  template: {
    templateId: string;
    aliasName: string | null;
    how: LinkRecord["how"];
    readAtMs: number | null;
  } | null;
  missingSinceMs: number | null;
  /** The template's row in the address book cannot be read. */
  unreadable: Pick<UnreadableView, "what" | "requestId" | "sinceMs"> | null;
  differences: Difference[];
  standings: CarrierStanding[];
  timeline: TimelineEntry[];
  /** Before the first write: what the next run would do. */
  preview: Pick<SyncPreview, "action" | "reason"> | null;
  proposals: ProposalView[];
  history: HistoryEntry[];
  /** Something waits to be saved in the account, or is being saved. */
  pending: boolean;
  /** It waits, for a connection or for the service. */
  held: boolean;
  syncedAtMs: number | null;
  checkedAtMs: number | null;
  connection: ConnectionSummary | null;
  /** Carriers to offer beside the shop's own. */
  otherCarriers: string[];
  nowMs: number;
  timeZone: string;
  /** Where the location moves: the one sentence on it. */
  move: MoveNews | null;
}

/** What the page of a move shows. */
export interface MoveView {
  legacyId: string;
  name: string;
  /** The one sentence; null where the location does not move. */
  news: MoveNews | null;
  /** Whether a move can be planned: the location is an origin with an address in an open account. */
  canPlan: boolean;
  /** The test account is in use: a move is planned in production's alone. */
  isTest: boolean;
  /** The address that holds now. */
  now: string[];
  coming: {
    templateId: string | null;
    lines: string[];
    hour: string | null;
    keepFormer: boolean;
    asks: MoveRecord["asks"];
    refusal: MoveRecord["refusal"];
    /** Whether its account is in use, and open: the link can pass over at a press. */
    canPass: boolean;
    /** Its owner has pressed, and the service has not answered since. */
    isPressed: boolean;
    standings: CarrierStanding[];
  } | null;
  /** The place that stands for Shopify's address, and what Shopify shows. */
  held: {
    why: HeldPlace["why"];
    isElsewhere: boolean;
    shopifyLines: string[];
    revision: number;
    readFrom: string;
  } | null;
}
