import { useTranslation } from "react-i18next";
import { carrierName } from "../../domain/verification/carriers.ts";
import { DEFAULT_POLICIES } from "../../domain/records.ts";
import type { ActivityRecord } from "../../domain/records.ts";
import { useFieldValue } from "../hooks/use-field-value.ts";
import { REFUSALS } from "./use-entry-words.ts";
import { useServiceWords } from "../hooks/use-service-words.ts";

/** A diff with more fields than this is folded. */
const SHOWN_AT_ONCE = 4;

export interface FieldChangesProps {
  /** The kind of the entry. For a refusal, each field holds the service's message about it. */
  kind: string;
  changes: ActivityRecord["fields"];
  /** Names for the ids of locations. */
  locations: { locationId: string; name: string }[];
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

/** A diff: each field with its earlier and its new value. */
export function FieldChanges({ kind, changes, locations }: FieldChangesProps) {
  const { t } = useTranslation(["activity", "common"]);
  const name = (field: string) =>
    t([`common:fields.${field}`, `activity:field.${field}`], { defaultValue: t("activity:field.other") });
  const serviceWords = useServiceWords();
  const fieldValue = useFieldValue();
  const value = (field: string, text: string | null) => {
    if (text && REFUSALS.includes(kind)) return serviceWords(text);
    if (text === null || text === "") return t("common:empty");
    if (field === "carriers") return text.split(", ").map(carrierName).join(", ");
    if (field === "defaultLocationId") return locations.find((one) => one.locationId === text)?.name ?? text;
    if (field === "address_type") return fieldValue(field, text);
    return WORDS.has(field) ? t(`activity:value.${text}`, { defaultValue: t("activity:value.other") }) : text;
  };
  const diff = (
    <dl className="origen-diff">
      {changes.map(({ field, from, to }) => (
        <div key={field}>
          <dt>{name(field)}</dt>
          <dd>
            {from && (
              <>
                <span className="origen-visually-hidden">{t("activity:from")} </span>
                <s className="origen-from">{value(field, from)}</s>
                <span aria-hidden="true"> → </span>
                <span className="origen-visually-hidden"> {t("activity:to")} </span>
              </>
            )}
            <span>{value(field, to)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
  if (changes.length <= SHOWN_AT_ONCE) return diff;
  return (
    <details>
      <summary className="origen-diff-summary">{t("activity:changes", { count: changes.length })}</summary>
      {diff}
    </details>
  );
}
