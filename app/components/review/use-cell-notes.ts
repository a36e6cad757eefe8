import { useTranslation } from "react-i18next";
import type { SplitField } from "../../domain/address/form-fields.ts";
import type { ReviewRowView } from "../../views/review.ts";
import type { RowEdits } from "./review-state.ts";
import { fromTemplate, valueOf } from "./review-state.ts";
import { differsIn, faultOf } from "./row-facts.ts";

/** What is wrong with a cell, what is asked for and nobody has touched, or what is to be checked. */
export interface CellNote {
  kind: "missing" | "needed" | "guess";
  text: string;
}

/** What stands below each cell of a row, and what its postal code says of the state. */
export function useCellNotes(
  row: ReviewRowView,
  edits: RowEdits | undefined,
  isAsked: boolean,
): { noteOf(field: SplitField): CellNote | null; inState: string | null } {
  const { t } = useTranslation(["review", "common", "problems"]);
  const written = { area_level1: row.state ?? "", area_level2: valueOf(row, edits, "area_level2") };
  const differs = differsIn(row, edits);
  const otherwise = (field: keyof typeof differs) =>
    t("common:postalCodeSays", { code: row.postal!.code, says: differs[field]!, written: written[field] });
  const noteOf = (field: SplitField): CellNote | null => {
    const problem = faultOf(row, edits, field);
    const told = isAsked || edits?.values?.[field] !== undefined;
    if (problem) return { kind: told ? "missing" : "needed", text: t(`problems:${problem}`) } as const;
    if (field === "area_level2" && differs[field] !== undefined)
      return { kind: "guess", text: otherwise(field) } as const;
    if (fromTemplate(row, edits, field) !== null) return { kind: "guess", text: t("fromBook") } as const;
    const guess = row.cells[field].confidence === "unsure" && edits?.values?.[field] === undefined;
    return guess ? ({ kind: "guess", text: t("pleaseCheck") } as const) : null;
  };
  const inState = differs.area_level1 ? `${t("common:fields.area_level1")}: ${otherwise("area_level1")}` : null;
  return { noteOf, inState };
}
