import { useTranslation } from "react-i18next";
import { carrierName } from "../../domain/verification/carriers.ts";
import type { ActivityRecord } from "../../domain/records.ts";
import { wordsBeyondFields } from "../../views/refusal-words.ts";
import { useFormat } from "../hooks/use-format.ts";
import type { Groupable } from "./group-entries.ts";
import { endsOf, PLAIN_KINDS } from "./group-entries.ts";

type Entry = Pick<ActivityRecord, "kind" | "carrier" | "actor" | "detail" | "fields">;

export interface EntryWords {
  title: string;
  /** The service's words about the entry, or a number of things. */
  detail: string | null;
}

/** An entry of the log as text; one line for all of a verification, with how each carrier's part ended so far. */
export function useEntryWords(): (group: readonly (Entry & Groupable)[]) => EntryWords {
  const { t } = useTranslation(["activity", "common", "origins"]);
  const format = useFormat();
  return (group) => {
    const entry = group[0]!;
    const { kind, actor, detail } = entry;
    const titled = (known: string, entries: readonly Pick<Entry, "carrier">[]) =>
      [
        t(`activity:kind.${known}`, { defaultValue: t("activity:kind.other") }),
        format.list(entries.flatMap(({ carrier }) => (carrier ? carrierName(carrier) : []))),
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
    if (kind.endsWith("_skipped"))
      return { title, detail: t(`origins:skip.${detail}`, { count: 1, defaultValue: "" }) };
    const words = kind === "draft_refused" ? beyondFields(entry) : detail;
    const said = words !== null && (actor === "service" || kind === "draft_refused");
    return { title, detail: said ? t("common:serviceSaid", { words }) : words };
  };
}

/** In entries of these kinds, each field holds the service's message about it. */
export const REFUSALS: readonly string[] = ["template_refused", "draft_refused"];

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
