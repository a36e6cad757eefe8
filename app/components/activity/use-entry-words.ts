import { useTranslation } from "react-i18next";
import { carrierName } from "../../domain/verification/carriers.ts";
import type { ActivityRecord } from "../../domain/records.ts";
import { wordsBeyondFields } from "../../views/refusal-words.ts";
import { useFormat } from "../hooks/use-format.ts";
import { PLAIN_KINDS } from "./group-entries.ts";

type Entry = Pick<ActivityRecord, "kind" | "carrier" | "actor" | "detail" | "fields">;

export interface EntryWords {
  title: string;
  /** The service's words about the entry, or a number of things. */
  detail: string | null;
}

/** An entry of the log as text; one line for several carriers' entries that say the same. */
export function useEntryWords(): (group: readonly Entry[]) => EntryWords {
  const { t } = useTranslation(["activity", "common", "origins"]);
  const format = useFormat();
  return (group) => {
    const entry = group[0]!;
    const { kind, actor, detail } = entry;
    // The newest entry comes first, but carriers read better in the order they were asked.
    const carriers = group.flatMap(({ carrier }) => (carrier ? carrierName(carrier) : [])).reverse();
    const title = [t(`activity:kind.${kind}`, { defaultValue: kind }), format.list(carriers)]
      .filter(Boolean)
      .join(" · ");
    if (detail === null || PLAIN_KINDS.includes(kind) || isToldByFields(entry)) return { title, detail: null };
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

function beyondFields({ detail, fields }: Entry): string | null {
  const told = Object.fromEntries(fields.map(({ field, to }) => [field, [to ?? ""]]));
  return wordsBeyondFields(detail, { fields: told, shown: Object.keys(told) });
}
