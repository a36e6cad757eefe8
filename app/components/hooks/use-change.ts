import { useEffect, useRef } from "react";

/** Calls `changed` when a value differs from the one of the last render; never at the first render. */
export function useChange<T>(value: T, changed: (change: { from: T; to: T }) => void): void {
  const last = useRef(value);
  useEffect(() => {
    const from = last.current;
    if (from === value) return;
    last.current = value;
    changed({ from, to: value });
  }, [value, changed]);
}
