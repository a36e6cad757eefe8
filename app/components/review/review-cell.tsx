import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { ProblemCode } from "../../domain/address.ts";
import type { ReviewField } from "../../use-cases/views/review.ts";

export interface ReviewCellProps {
  field: ReviewField;
  location: string;
  value: string;
  /** Read from Shopify's text and not sure, and nobody typed here yet. */
  guess: boolean;
  problem: ProblemCode | null;
  placeholder: string | null;
  onChange(value: string): void;
}

const WIDTHS: Partial<Record<ReviewField, string>> = {
  street1: "review-wide",
  street_number: "review-short",
  apartment_number: "review-short",
};

/** One field of one location, edited in place; what is wrong or guessed is said below it. A plain input: sixty rows must stay quick. */
export function ReviewCell({ field, location, value, guess, problem, placeholder, onChange }: ReviewCellProps) {
  const { t } = useTranslation(["review", "common", "problems"]);
  const id = useId();
  const note = problem ? t(`problems:${problem}`) : guess ? t("pleaseCheck") : null;
  return (
    <td className={WIDTHS[field]}>
      <span className="review-label" aria-hidden="true">
        {t(`common:fields.${field}`)}
      </span>
      <input
        className={`review-input${guess && !problem ? " review-guess" : ""}`}
        aria-label={t("cell", { field: t(`common:fields.${field}`), location })}
        aria-invalid={problem ? true : undefined}
        aria-describedby={note ? id : undefined}
        autoComplete="off"
        value={value}
        title={value || undefined}
        placeholder={placeholder ?? undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {note && (
        <span id={id} className={`review-note ${problem ? "review-note-missing" : "review-note-guess"}`}>
          {note}
        </span>
      )}
    </td>
  );
}
