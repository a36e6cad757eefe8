import type { AddressAttributes, ComposedOrigin } from "../address/address.ts";
import { closedReason } from "../closed-reason.ts";
import { aliasWithMarker, markerIn, markerNow, shortenedTo } from "../marker.ts";
import { exclusionOf } from "../origin-state.ts";
import { departureOf, isDeparted } from "./departed.ts";
import { putBack } from "./emptied.ts";
import { proposalsFor } from "./proposals.ts";
import type { Proposal } from "./proposals.ts";
import type {
  AddressTemplate,
  BlockedReason,
  ConnectionRecord,
  ConnectionState,
  DetailsRecord,
  LinkRecord,
  LocationRecord,
  Policies,
  TemplateDraft,
  TemplatePatch,
  TemplateRecord,
  UnreadableRow,
} from "../records.ts";
import type { Secret } from "../secret.ts";
import type { TemplateIndex } from "../template-index.ts";
import { compare, differs, patchOf, valuesOfDraft, valuesOfTemplate } from "./three-way.ts";
import type { Comparison, Field } from "./three-way.ts";

/** What is to be done for one location, decided from what is known. Pure. A run carries out the plan, or reads more and plans again. */

export interface PlanInput {
  policies: Policies;
  location: LocationRecord;
  details: DetailsRecord | null;
  composed: ComposedOrigin;
  connection: {
    id: string;
    state: ConnectionState;
    clientSecret?: Secret | null;
    aliasLimit?: number | null;
    unnamed?: ConnectionRecord["unnamed"];
  } | null;
  /** Whether an update sends the whole address (`book/unnamed-fields.ts`). */
  sendWhole: boolean;
  link: LinkRecord | null;
  /** The link that another client id of the shop left, if its template is in this book: both client ids then open one account. */
  kept: LinkRecord | null;
  /** The linked template as last read; null when it is not known. */
  theirs: AddressTemplate | null;
  /** The values of fields that were emptied since (`TemplateRecord.emptied`). */
  emptied: TemplateRecord["emptied"];
  /** Whether `theirs` was read in this run: only then may something be sent. */
  fresh: boolean;
  /**
   * Some reading contradicts what is stored of the linked template, or an unclear write may have changed it. It is read before anything is
   * decided by what is stored.
   */
  doubted: boolean;
  /** The account's templates without a link; null while the whole book was never read. */
  free: TemplateIndex | null;
  /** Markers of this shop's other existing locations: their templates are not up for adoption. */
  otherMarkers: ReadonlySet<string>;
  /** Rows that the last reading of the book could not read. */
  unreadable: readonly UnreadableRow[];
  nowMs: number;
}

export type Plan =
  | { step: "leave" }
  | { step: "blocked"; reason: BlockedReason | "invalid_client"; proposals?: Proposal[] }
  /** `kept`: the rule is to delete, but somebody else has changed the template. It stays, and stands for no location. */
  | { step: "unlink"; kept: boolean }
  | { step: "delete"; templateId: string }
  | { step: "read_book" }
  | { step: "read_template"; templateId: string }
  /** A row that cannot be read carries this location's marker. If the row has an id, the template is read by its own GET. */
  | { step: "read_row"; row: UnreadableRow }
  /** The link that another client id left for the location belongs to this account. */
  | { step: "take_over"; kept: LinkRecord }
  | { step: "create"; draft: TemplateDraft }
  | { step: "adopt"; template: AddressTemplate; draft: TemplateDraft }
  | { step: "update"; templateId: string; patch: TemplatePatch; draft: TemplateDraft; comparison: Comparison }
  /** Nothing to send: remember what the comparison found. */
  | { step: "record"; draft: TemplateDraft; comparison: Comparison };

export function planOrigin(facts: PlanInput): Plan {
  const plan = planWrites(facts);
  return plan.step === "leave" ? planLeft(facts) : plan;
}

/** Nothing is written. The location's pages still show its template and the carriers' answers, so one reading ends a doubt. */
function planLeft({ link, theirs, doubted, fresh, connection }: PlanInput): Plan {
  const isReadable = link !== null && theirs !== null && closedReason(connection) === null;
  return isReadable && doubted && !fresh ? { step: "read_template", templateId: link.templateId } : { step: "leave" };
}

function planWrites(facts: PlanInput): Plan {
  const { details, link, connection } = facts;
  if (isDeparted(facts)) return planDeparted(facts);
  if (exclusionOf(facts) !== null || details?.paused || !facts.policies.syncOn) return { step: "leave" };
  if (!details || details.confirmedAtMs === null) return { step: "blocked", reason: "unconfirmed" };
  if (facts.composed.attributes === null) return { step: "blocked", reason: "incomplete" };
  const closed = closedReason(connection);
  if (closed) return { step: "blocked", reason: closed };
  const draft = draftFor(facts, facts.composed.attributes);
  return link ? planLinked(facts, link, draft) : planUnlinked(facts, draft);
}

function planDeparted(facts: PlanInput): Plan {
  const { link, connection, doubted, fresh } = facts;
  const departure = departureOf(facts);
  if (!link || departure === "keep") return { step: "leave" };
  if (departure === "unlink") return { step: "unlink", kept: false };
  const closed = closedReason(connection);
  if (doubted && !fresh && !closed) return { step: "read_template", templateId: link.templateId };
  if (departure === "stays") return { step: "unlink", kept: true };
  return closed ? { step: "blocked", reason: closed } : { step: "delete", templateId: link.templateId };
}

export type DraftFacts = Pick<PlanInput, "location" | "policies" | "link"> & {
  details: Pick<DetailsRecord, "marker"> | null;
  connection?: { aliasLimit?: number | null } | null;
  theirs?: AddressTemplate | null;
};

/** The template that we want the service to hold for a location. */
export function draftFor(facts: DraftFacts, attributes: AddressAttributes): TemplateDraft {
  const { location, policies, link } = facts;
  const draft: TemplateDraft = {
    alias_name: aliasFor(facts),
    address_type: "from",
    address_attributes: attributes,
  };
  const isDefault = policies.defaultLocationId === location.locationId;
  if (isDefault || link?.sent?.default !== undefined) draft.default = isDefault;
  return draft;
}

/** The alias within the length that the service keeps. A longer one that the service once stored whole stays as it is. */
function aliasFor({ location, details, policies, link, connection, theirs }: DraftFacts): string {
  const marker = markerNow(location, details);
  const within = (limit: number | null) => aliasWithMarker(policies.aliasPattern, location.name, marker, limit);
  if (theirs && !differs("alias_name", theirs.alias_name, within(null))) return theirs.alias_name;
  const accepted = link?.accepted.some(({ field }) => field === "alias_name");
  const kept =
    !accepted && link?.sent && link.answered ? shortenedTo(link.sent.alias_name, link.answered.alias_name) : null;
  const limits = [connection?.aliasLimit ?? null, kept].filter((limit) => limit !== null);
  return within(limits.length > 0 ? Math.min(...limits) : null);
}

/** The body of a create: fields without a value are left out. */
export function createBody(draft: TemplateDraft): TemplateDraft {
  const entries = Object.entries(draft.address_attributes).filter(([, value]) => value !== null);
  return { ...draft, address_attributes: Object.fromEntries(entries) };
}

type Known = Pick<
  PlanInput,
  "connection" | "sendWhole" | "theirs" | "emptied" | "fresh" | "doubted" | "unreadable" | "nowMs"
>;

/** The plan for a location that has a link, is included, and has a complete address. */
export function planLinked(facts: Known, link: LinkRecord, draft: TemplateDraft): Plan {
  const { connection, theirs, emptied, fresh, nowMs } = facts;
  if (!theirs && link.missingSinceMs !== null && !fresh) return { step: "blocked", reason: "missing_there" };
  const doubted = facts.doubted || facts.unreadable.some(({ id }) => id === link.templateId);
  if (!theirs || (doubted && !fresh)) return { step: "read_template", templateId: link.templateId };
  const comparison = compareLinked({ connection, link, draft, theirs, emptied, nowMs });
  if (comparison.send.length === 0 && emptied === null) return { step: "record", draft, comparison };
  if (!fresh) return { step: "read_template", templateId: link.templateId };
  const sides = { ours: valuesOfDraft(draft), theirs: valuesOfTemplate(theirs), send: comparison.send };
  const disputed = [...link.differences, ...link.accepted];
  const patch = patchOf({ ...sides, whole: facts.sendWhole, disputed, emptied });
  return { step: "update", templateId: link.templateId, patch, draft, comparison };
}

/** Compares with the template as it was before fields were emptied. */
export function compareLinked(
  input: Pick<PlanInput, "connection" | "emptied" | "nowMs"> & {
    link: LinkRecord;
    draft: TemplateDraft;
    theirs: AddressTemplate;
  },
): Comparison {
  const { link, draft, nowMs } = input;
  const theirs = putBack(input.theirs, input.emptied);
  return compare({
    ours: valuesOfDraft(draft),
    theirs: valuesOfTemplate(theirs),
    link: {
      choices: link.choices,
      accepted: link.accepted,
      differences: link.differences,
      sent: link.sent && valuesOfDraft(link.sent),
      base: valuesOfTemplate(link.answered ?? theirs),
    },
    wipes: input.connection?.unnamed === "emptied" || input.connection?.unnamed === "perhaps",
    nowMs,
  });
}

function planUnlinked(facts: PlanInput, draft: TemplateDraft): Plan {
  if (facts.kept) return { step: "take_over", kept: facts.kept };
  if (facts.free === null) return { step: "read_book" };
  const marker = markerNow(facts.location, facts.details);
  const marked = facts.free.marked(marker).map(({ template }) => template);
  const ours = oursAmong(marked, marker, draft);
  if (ours) return { step: "adopt", template: ours, draft };
  const row = facts.unreadable.find(({ name }) => name !== null && markerIn(name) === marker);
  if (row) return { step: "read_row", row };
  const proposals = proposalsFor(facts, draft);
  if (proposals.length > 0 && facts.details?.adoption !== "create") {
    return { step: "blocked", reason: "adoption_choice", proposals };
  }
  return { step: "create", draft };
}

/** The template with our marker that holds the payload, else the one with the lowest id. Any others are shown as left over. */
export function oursAmong(
  templates: AddressTemplate[],
  marker: string,
  payload: TemplateDraft,
): AddressTemplate | null {
  const marked = templates
    .filter((template) => markerIn(template.alias_name) === marker)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  return marked.find((template) => holds(template, payload)) ?? marked[0] ?? null;
}

/** Whether a template holds every value of a payload. */
export function holds(template: AddressTemplate, payload: TemplateDraft | TemplatePatch): boolean {
  return notHeld(template, payload).length === 0;
}

/** The payload with its name as the service shortened it; unchanged when the service kept the whole name. */
export function asShortened<D extends TemplateDraft | TemplatePatch>(said: D, kept: AddressTemplate): D {
  const shortened = said.alias_name !== undefined && shortenedTo(said.alias_name, kept.alias_name) !== null;
  return shortened ? { ...said, alias_name: kept.alias_name } : said;
}

/** The fields of a payload whose values a template does not hold. */
export function notHeld(template: AddressTemplate, payload: TemplateDraft | TemplatePatch): Field[] {
  const theirs = valuesOfTemplate(template);
  const said = Object.entries(valuesOfDraft(payload)) as [Field, string | null][];
  return said
    .filter(([field, value]) => theirs[field] !== undefined && differs(field, value, theirs[field]))
    .map(([field]) => field);
}
