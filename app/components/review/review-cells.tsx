import { Link, Text } from "../../polaris/polaris.ts";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { AddressField } from "../../domain/address/address.ts";
import type { RepeatedField, SplitField } from "../../domain/address/form-fields.ts";
import { REPEATED_FIELDS, REVIEW_ROWS, SPLIT_FIELDS } from "../../domain/address/form-fields.ts";
import { suggestionsFor } from "../../domain/mexico/postal/suggestions.ts";
import type { ReviewRowView } from "../../views/review.ts";
import { ReviewCell } from "./review-cell.tsx";
import type { RowEdits } from "./review-state.ts";
import { typedIn, valueOf, withBasis } from "./review-state.ts";
import { useCellNotes } from "./use-cell-notes.ts";

export interface ReviewCellsProps {
  row: ReviewRowView;
  edits: RowEdits | undefined;
  /** The shop's reference, used where the row has none. */
  reference: string | null;
  isAsked: boolean;
  /** How many other rows lack a field. */
  lacking: Record<RepeatedField, number> | null;
  /** Every cell; else those in which something is open, was guessed or typed. The postal code always: it settles the others. */
  isWhole: boolean;
  onEdit(edits: RowEdits): void;
  onCopy(field: RepeatedField): void;
}

/** The cells of one location: what its postal code settles in one line, the street in the next; then the text that they were read from. */
export function ReviewCells(props: ReviewCellsProps) {
  const { row, edits, reference, isAsked, lacking, isWhole, onEdit, onCopy } = props;
  const { t } = useTranslation(["review", "common"]);
  const { noteOf, inState } = useCellNotes(row, edits, isAsked);
  const label = (field: AddressField) => t(`common:fields.${field}`);
  const copyOf = (field: SplitField, value: string) => {
    if (!isRepeated(field) || value.trim() === "" || !lacking?.[field]) return null;
    const count = lacking[field];
    return {
      label: t("copy.press", { count }),
      name: t("copy.named", { count, field: label(field), value }),
      onCopy: () => onCopy(field),
    };
  };
  const fixed: Partial<Record<AddressField, string | null>> = { postal_code: row.postalCode, area_level1: row.state };
  const elsewhere = row.inShopify.map(({ field }) => field).filter((field) => !(field in fixed));
  const isShown = (field: AddressField) => {
    if (isWhole || field === "postal_code") return true;
    if (isSplit(field)) return noteOf(field) !== null || edits?.values?.[field] !== undefined;
    return (field === "area_level1" && inState !== null) || row.inShopify.some((one) => one.field === field);
  };
  return (
    <div className="review-cells">
      {[...REVIEW_ROWS.flat(), ...elsewhere].filter(isShown).map((field) => {
        if (!isSplit(field)) {
          return (
            <InShopify key={field} {...{ row, field, isAsked }} value={fixed[field] ?? null}>
              {field === "area_level1" && inState && (
                <Text as="span" tone="caution">
                  {inState}
                </Text>
              )}
            </InShopify>
          );
        }
        const value = valueOf(row, edits, field);
        return (
          <ReviewCell
            key={field}
            field={field}
            label={label(field)}
            name={t("cell", { field: label(field), location: row.name })}
            value={value}
            note={noteOf(field)}
            placeholder={field === "reference" ? reference : null}
            suggestions={suggestionsFor(field, { facts: row.postal, offers: row.cells[field].offers })}
            copy={copyOf(field, value)}
            onChange={(typed) => onEdit(withBasis(row, edits, typedIn(edits, field, typed)))}
          />
        );
      })}
      <div className="review-cell review-cell-text">
        <span className="review-label">{t("asInShopify")}</span>
        <span className="review-value">{row.shopifyLines.join(", ")}</span>
      </div>
    </div>
  );
}

/** A field that only Shopify's page of the location changes. */
function InShopify({
  row,
  field,
  value,
  isAsked,
  children,
}: Pick<ReviewCellsProps, "row" | "isAsked"> & { field: AddressField; value: string | null; children: ReactNode }) {
  const { t } = useTranslation(["review", "common", "problems"]);
  const problem = row.inShopify.find((one) => one.field === field)?.problem;
  const label = t(`common:fields.${field}`);
  return (
    <div
      className={`review-cell review-cell-${problem ? "elsewhere" : field}`}
      {...(problem ? { "data-open": "" } : {})}
    >
      <span className="review-label">{label}</span>
      {value && <span className="review-value">{value}</span>}
      {problem && (
        <Text as="span" tone={isAsked ? "critical" : "caution"}>
          {problem === "missing"
            ? t("inShopifyMissing", { field: label })
            : t("inShopify", { field: label, problem: t(`problems:${problem}`) })}
        </Text>
      )}
      {problem && (
        <Link
          url={`shopify://admin/settings/locations/${row.legacyId}`}
          target="_top"
          accessibilityLabel={t("mendInShopifyNamed", { location: row.name })}
        >
          {t("mendInShopify")}
        </Link>
      )}
      {children}
    </div>
  );
}

const isSplit = (field: AddressField): field is SplitField => (SPLIT_FIELDS as readonly string[]).includes(field);
const isRepeated = (field: SplitField): field is RepeatedField =>
  (REPEATED_FIELDS as readonly string[]).includes(field);
