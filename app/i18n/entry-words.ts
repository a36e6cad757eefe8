import { ADDRESS_FIELDS } from "../domain/address/address.ts";
import type { ActivityRecord } from "../domain/records.ts";
import { DEFAULT_POLICIES } from "../domain/records.ts";
import { carrierName } from "../domain/verification/carriers.ts";
import { fieldIn } from "../domain/verification/field-words.ts";
import { lengthIn, serviceWordIn } from "../domain/verification/service-words.ts";
import { endsOf, PLAIN_KINDS } from "../views/group-entries.ts";
import type { Groupable } from "../views/group-entries.ts";
import { wordsBeyondFields } from "../views/refusal-words.ts";
import type { Words } from "./words.ts";

/** An entry of the activity log as text: in the page, in a report and in a file of it. */

type Entry = Pick<ActivityRecord, "kind" | "carrier" | "actor" | "detail" | "fields">;

export interface EntryWords {
  title: string;
  /** The service's words about the entry, or a number of things. */
  detail: string | null;
}

/** In entries of these kinds, each field holds the service's message about it. */
const REFUSALS: readonly string[] = ["template_refused", "draft_refused"];

/** One line for all of a verification, with how each carrier's part ended so far. */
export function entryWords(
  { t, list }: { t: Words; list: (items: string[]) => string },
  group: readonly (Entry & Groupable)[],
): EntryWords {
  const entry = group[0]!;
  const { kind, actor, detail } = entry;
  const titled = (known: string, entries: readonly Pick<Entry, "carrier">[]) =>
    [
      t(`activity:kind.${known}`, { defaultValue: t("activity:kind.other") }),
      list(entries.flatMap(({ carrier }) => (carrier ? carrierName(carrier) : []))),
    ]
      .filter(Boolean)
      .join(" · ");
  const ends = endsOf(group);
  const title = ends.map((end) => titled(end.kind, end.entries)).join("; ");
  // What was said at each step stands beside it.
  if (group.length > 1) return { title, detail: null };
  if (detail === null || PLAIN_KINDS.includes(kind) || isToldByFields(entry) || isCode(entry))
    return { title, detail: null };
  if (kind.startsWith("job_")) return { title, detail: t("activity:detail.job", { count: Number(detail) }) };
  if (kind.endsWith("_skipped")) return { title, detail: t(`origins:skip.${detail}`, { count: 1, defaultValue: "" }) };
  if (kind === "import_refused") return { title, detail: t(`origins:reason.${detail}`, { defaultValue: "" }) };
  const words = kind === "draft_refused" ? beyondFields(entry) : detail;
  const isSaid = words !== null && (actor === "service" || kind === "draft_refused");
  return { title, detail: isSaid ? saidByService(t, words) : words };
}

/**
 * Words of the service's as a quotation, in which the interface's name of a field ("phone is …") is the owner's own. Null for what is a code
 * and no words: the reference beside it is what support needs.
 */
export function saidByService(t: Words, words: string): string | null {
  if (/^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/.test(words)) return null;
  const named = words.replace(/^([a-z]+(?:_[a-z\d]+)*):? (?=\S)/, (all, name: string) =>
    ADDRESS_FIELDS.some((field) => field === name) ? `${fieldName(t, name)}: ` : all,
  );
  return t("common:serviceSaid", { words: named });
}

/** Whether the fields tell it all, because a refusal's message only sums up the messages of its fields. */
function isToldByFields({ kind, fields }: Entry): boolean {
  return kind === "template_refused" && fields.length > 0;
}

/** A carrier's word that nobody knows is a code of the service's: the title says what it means, and the history of verification quotes it. */
function isCode({ kind, detail }: Entry): boolean {
  return kind.startsWith("verification_") && /^\w+$/.test(detail ?? "");
}

function beyondFields({ detail, fields }: Entry): string | null {
  const told = Object.fromEntries(fields.map(({ field, to }) => [field, [to ?? ""]]));
  return wordsBeyondFields(detail, { fields: told, shown: Object.keys(told) });
}

/** What the app found at the service: somebody did it there, and who it was nobody tells. */
const FOUND: readonly string[] = ["drift", "conflict", "template_missing"];

/**
 * Null where nobody is to be named. Shopify tells an app the number of who pressed, and the name only apps with a right that this one does
 * not ask for. `forOthers`: whoever reads it is of no store, so that "your store" would be theirs.
 */
export function whoDidIt(
  t: Words,
  { kind, actor, staffId, isYours = false }: Pick<ActivityRecord, "kind" | "actor" | "staffId"> & { isYours?: boolean },
  { forOthers = false } = {},
): string | null {
  if (FOUND.includes(kind)) return null;
  if (isYours) return t("activity:actor.you");
  const key = forOthers && actor === "owner" ? "report:owner" : `activity:actor.${actor}`;
  const known = t(key, { defaultValue: t("activity:actor.app") });
  return staffId === null ? known : t("activity:actor.withNumber", { who: known, number: staffId });
}

/** The name of a field that changed. */
export function fieldName(t: Words, field: string): string {
  return t([`common:fields.${field}`, `activity:field.${field}`], { defaultValue: t("activity:field.other") });
}

/** A field's value as text: a person's words as they are, a value of a fixed set translated. */
export function fieldValue(t: Words, field: string, text: string | null): string {
  if (field === "default") return t(`common:${text === "true" ? "yes" : "no"}`);
  if (!text) return t("common:empty");
  return field === "address_type" ? t(`addressBook:type.${text}`, { defaultValue: t("addressBook:type.other") }) : text;
}

/** The service's message about a field: translated where its meaning is plain, quoted otherwise, and where it names the field itself. */
export function serviceWords(t: Words, message: string): string {
  // A sentence that names its field says more than our words would.
  const word = fieldIn(message) === null ? serviceWordIn(message) : null;
  if (!word) return saidByService(t, message) ?? t("common:serviceSaid", { words: message });
  return t(`origin:service.${word}`, { length: lengthIn(message) ?? 0 });
}

/** Fields whose values are the app's words, to be translated. */
const WORDS = new Set([
  "environment",
  "language",
  "locations",
  "onDeactivate",
  "onDelete",
  "default",
  ...Object.entries(DEFAULT_POLICIES).flatMap(([name, value]) => (typeof value === "boolean" ? [name] : [])),
]);

export interface ChangeWords {
  t: Words;
  /** The kind of the entry. For a refusal, each field holds the service's message about it. */
  kind: string;
  /** The name of a location's id; undefined where nobody knows it. */
  locationName: (locationId: string) => string | undefined;
}

/** One side of a change that an entry tells. */
export function changedValue({ t, kind, locationName }: ChangeWords, field: string, text: string | null): string {
  if (text && REFUSALS.includes(kind)) return serviceWords(t, text);
  if (text === null || text === "") return t("common:empty");
  if (field === "carriers") return text.split(", ").map(carrierName).join(", ");
  if (field === "defaultLocationId") return locationName(text) ?? text;
  if (field === "address_type") return fieldValue(t, field, text);
  return WORDS.has(field) ? t(`activity:value.${text}`, { defaultValue: t("activity:value.other") }) : text;
}
