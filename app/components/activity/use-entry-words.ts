import { useTranslation } from "react-i18next";
import { carrierName } from "../../domain/carriers.ts";
import type { ActivityRecord } from "../../domain/records.ts";

/** Kinds that say all there is to say: the carrier's own word would only repeat it in another language. */
const PLAIN: readonly string[] = ["verification_pending", "verification_accepted", "verification_refused"];

type Entry = Pick<ActivityRecord, "kind" | "carrier" | "actor" | "detail" | "fields">;

export interface EntryWords {
  title: string;
  /** What the service said of it, or how many it was about. */
  detail: string | null;
}

/** A line of the log in words. */
export function useEntryWords(): (entry: Entry) => EntryWords {
  const { t } = useTranslation(["activity", "common"]);
  return (entry) => {
    const { kind, carrier, actor, detail } = entry;
    const title = [t(`activity:kind.${kind}`, { defaultValue: kind }), carrier && carrierName(carrier)]
      .filter(Boolean)
      .join(" · ");
    if (detail === null || PLAIN.includes(kind) || isToldByFields(entry)) return { title, detail: null };
    if (kind.startsWith("job_")) return { title, detail: t("activity:detail.job", { count: Number(detail) }) };
    return { title, detail: actor === "service" ? t("common:serviceSaid", { words: detail }) : detail };
  };
}

/** A refusal's message sums up what stands at its fields. */
function isToldByFields({ kind, fields }: Entry): boolean {
  return kind === "template_refused" && fields.length > 0;
}
