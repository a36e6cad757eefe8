import { Button } from "../../polaris/polaris.ts";
import type { SplitField } from "../../domain/address/form-fields.ts";
import { useId } from "react";
import type { CellNote } from "./use-cell-notes.ts";
import { SuggestedField } from "../postal/suggested-field.tsx";
import { isSuggested } from "../../domain/mexico/postal/suggestions.ts";

export interface ReviewInputProps {
  field: SplitField;
  /** The label of the field, and the full label of this cell for screen readers. */
  label: string;
  name: string;
  value: string;
  /** Stands below the field. What is asked for and nobody has touched is only marked. */
  note: CellNote | null;
  placeholder: string | null;
  /** What may be chosen instead of typing. */
  suggestions: readonly string[];
  onChange(value: string): void;
}

export interface ReviewCellProps extends ReviewInputProps {
  /** Copies the value into the rows that lack it; null where none does. */
  copy: { label: string; name: string; onCopy(): void } | null;
}

/** One field of one location, edited in place, with its note below. */
export function ReviewCell({ copy, ...props }: ReviewCellProps) {
  const { field, label, note } = props;
  const isOpen = note !== null && note.kind !== "guess";
  return (
    <div className={`review-cell review-cell-${field}`} {...(isOpen ? { "data-open": "" } : {})}>
      <span className="review-label" aria-hidden="true">
        {label}
      </span>
      <ReviewInput {...props} />
      {copy && (
        <Button variant="tertiary" size="slim" onClick={copy.onCopy} accessibilityLabel={copy.name}>
          {copy.label}
        </Button>
      )}
    </div>
  );
}

/** The cell's field alone. */
export function ReviewInput(props: ReviewInputProps) {
  return isSuggested(props.field) ? <Suggested {...props} /> : <Plain {...props} />;
}

/** A plain input, because sixty rows must stay fast. */
function Plain({ name, value, note, placeholder, onChange }: ReviewInputProps) {
  const id = useId();
  return (
    <>
      <input
        className={note?.kind === "guess" ? "review-input review-guess" : "review-input"}
        aria-label={name}
        aria-invalid={note?.kind === "missing" ? true : undefined}
        aria-required={note?.kind === "needed" ? true : undefined}
        aria-describedby={note && note.kind !== "needed" ? id : undefined}
        autoComplete="off"
        value={value}
        title={value || undefined}
        placeholder={placeholder ?? undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {note && note.kind !== "needed" && (
        <span id={id} className={`review-note review-note-${note.kind}`}>
          {note.text}
        </span>
      )}
    </>
  );
}

/** What it suggests came with the page, so that sixty rows ask for nothing. */
function Suggested({ field, name, value, note, suggestions, onChange }: ReviewInputProps) {
  const guess = note?.kind === "guess";
  return (
    <div className={guess ? "review-suggested review-guess" : "review-suggested"}>
      <SuggestedField
        name={field}
        label={name}
        labelHidden
        autoComplete="off"
        value={value}
        suggestions={suggestions}
        onChange={onChange}
        {...(note?.kind === "missing" ? { error: note.text } : {})}
        requiredIndicator={note?.kind === "needed"}
        {...(guess ? { helpText: <span className="review-note-guess">{note.text}</span> } : {})}
      />
    </div>
  );
}
