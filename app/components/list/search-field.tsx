import { TextField } from "../../polaris/polaris.ts";
import { useEffect, useRef, useState } from "react";

/** How long typing must pause before the search is sent, in milliseconds. */
const TYPING_MS = 250;

export interface SearchFieldProps {
  label: string;
  /** The search with which the list was opened. */
  search: string;
  onSearch(text: string): void;
}

/** Keeps the typed text in its own state, so that a letter renders this field again and not the list below it. */
export function SearchField({ label, search, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(search);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef(onSearch);
  useEffect(() => {
    latest.current = onSearch;
  }, [onSearch]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function type(text: string) {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current(text), TYPING_MS);
  }

  return (
    <TextField
      label={label}
      labelHidden
      placeholder={label}
      type="search"
      autoComplete="off"
      clearButton
      value={typed}
      onChange={type}
      onClearButtonClick={() => type("")}
    />
  );
}
