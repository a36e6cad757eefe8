import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { LARGEST_FILE, MOST_LINES, MOST_ROWS } from "../../views/import.ts";
import type { FileFault, ImportColumn, RowFault } from "../../views/import.ts";
import { useFormat } from "../hooks/use-format.ts";

/** Why a file or a row of it is refused, and what to do about it, in a person's words. */
export function useFaultWords(): {
  columnName(column: ImportColumn): string;
  ofFile(fault: FileFault): string;
  ofRow(fault: RowFault): string;
} {
  const { t } = useTranslation(["import", "spreadsheet", "common", "problems"]);
  const format = useFormat();
  const columnName = useCallback(
    (column: ImportColumn) =>
      column === "location_id" || column === "location_name" || column === "shopify_address"
        ? t(`spreadsheet:heading.${column}`)
        : t(`common:fields.${column}`),
    [t],
  );
  return {
    columnName,
    ofFile: (fault) =>
      t(`file.${fault.code}`, {
        row: "row" in fault ? fault.row : 0,
        most: MOST_ROWS,
        lines: MOST_LINES,
        megabytes: LARGEST_FILE / 1024 / 1024,
        headings: "headings" in fault ? format.list(fault.headings) : "",
      }),
    ofRow(fault) {
      const column = "column" in fault ? columnName(fault.column) : "";
      switch (fault.code) {
        case "doubled":
          return t("row.doubled", {
            rows: format.list(fault.rows.map((row) => String(row))),
            count: fault.rows.length,
          });
        case "spoilt":
          return t(`row.spoilt.${fault.by}`, { column, said: fault.said });
        case "problem":
          return fault.problem === "missing"
            ? t("row.missing", { column })
            : t(fault.said === null ? "row.problemOf" : "row.problem", {
                column,
                said: fault.said,
                why: t(`problems:${fault.problem}`),
              });
        default:
          return t(`row.${fault.code}`, {
            column,
            said: "said" in fault ? fault.said : "",
            now: "now" in fault && fault.now !== "" ? fault.now : t("common:empty"),
          });
      }
    },
  };
}
