import { TextField } from "../../polaris/polaris.ts";
import { useState } from "react";

export interface DateFieldProps {
  label: string;
  /** As `2026-11-20`; null for none. */
  day: string | null;
  /** An empty text for none. */
  onDay(day: string): void;
  error?: string | undefined;
}

/** A year that is being typed is a year already, by the browser's field. */
const IS_WHOLE = /^[2-9]\d{3}-\d{2}-\d{2}$/;

/** A day of the browser's own calendar. Keeps what is typed until it is a whole day. */
export function DateField({ label, day, onDay, error }: DateFieldProps) {
  const [held, setHeld] = useState({ day, typed: day ?? "" });
  // The filter was changed elsewhere, as by a button that clears them all.
  if (held.day !== day) setHeld({ day, typed: day ?? "" });
  return (
    <TextField
      label={label}
      type="date"
      autoComplete="off"
      value={held.typed}
      error={error}
      onChange={(text) => {
        setHeld({ day, typed: text });
        if (text === "" || IS_WHOLE.test(text)) onDay(text);
      }}
    />
  );
}
