import { useTranslation } from "react-i18next";
import type { ActivityRecord } from "../../domain/records.ts";
import { changedValue, fieldName } from "../../i18n/entry-words.ts";
import { useFormat } from "../hooks/use-format.ts";
import { useWords } from "../hooks/use-words.ts";

/** A diff with more fields than this is folded. */
const SHOWN_AT_ONCE = 4;

export interface FieldChangesProps {
  /** The kind of the entry. For a refusal, each field holds the service's message about it. */
  kind: string;
  changes: ActivityRecord["fields"];
  /** Names for the ids of locations. */
  locations: { locationId: string; name: string }[];
  /** On paper nothing can be unfolded. */
  unfolded?: boolean;
}

/** A diff: each field with its earlier and its new value. Of a conflict, neither of which is the newer one, with the value of each side. */
export function FieldChanges({ kind, changes, locations, unfolded = false }: FieldChangesProps) {
  const { t } = useTranslation("activity");
  const words = useWords();
  const isConflict = kind === "conflict";
  const locationName = (id: string) => locations.find(({ locationId }) => locationId === id)?.name;
  const { country } = useFormat();
  const value = (field: string, text: string | null) => {
    const said = changedValue({ t: words, kind, locationName }, field, text);
    return field === "country_code" && said === text ? country(text) : said;
  };
  const diff = (
    <dl className="origen-diff">
      {changes.map(({ field, from, to }) => (
        <div key={field}>
          <dt>{fieldName(words, field)}</dt>
          <dd>
            {from && !isConflict && (
              <>
                <span className="origen-visually-hidden">{t("activity:from")} </span>
                <s className="origen-from">{value(field, from)}</s>
                <span aria-hidden="true"> → </span>
                <span className="origen-visually-hidden"> {t("activity:to")} </span>
              </>
            )}
            <span>
              {isConflict
                ? t("activity:sides", { ours: value(field, from), theirs: value(field, to) })
                : value(field, to)}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
  if (unfolded || changes.length <= SHOWN_AT_ONCE) return diff;
  return (
    <details>
      <summary className="origen-diff-summary">{t("activity:changes", { count: changes.length })}</summary>
      {diff}
    </details>
  );
}
