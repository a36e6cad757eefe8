import type { SplitField } from "../../domain/address/form-fields.ts";
import { SHORT_FIELDS } from "../../domain/address/form-fields.ts";
import { useId } from "react";

export interface ReviewCellProps {
  field: SplitField;
  /** The label of the field, and the full label of this cell for screen readers. */
  label: string;
  name: string;
  value: string;
  /** The note below the field: what is wrong, or that a guess is to be checked. */
  note: { kind: "missing" | "guess"; text: string } | null;
  placeholder: string | null;
  onChange(value: string): void;
}

function widthOf(field: SplitField): string | undefined {
  if (field === "street1") return "review-wide";
  return SHORT_FIELDS.includes(field) ? "review-short" : undefined;
}

/** One field of one location, edited in place, with its note below. A plain input, because sixty rows must stay fast. */
export function ReviewCell({ field, label, name, value, note, placeholder, onChange }: ReviewCellProps) {
  const id = useId();
  return (
    <td className={widthOf(field)}>
      <span className="review-label" aria-hidden="true">
        {label}
      </span>
      <input
        className={note?.kind === "guess" ? "review-input review-guess" : "review-input"}
        aria-label={name}
        aria-invalid={note?.kind === "missing" ? true : undefined}
        aria-describedby={note ? id : undefined}
        autoComplete="off"
        value={value}
        title={value || undefined}
        placeholder={placeholder ?? undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {note && (
        <span id={id} className={`review-note review-note-${note.kind}`}>
          {note.text}
        </span>
      )}
    </td>
  );
}
