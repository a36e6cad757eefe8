import { useEffect, useRef } from "react";

/** Calls `changed` when a value is not what it was at the last render; not for the first one. */
export function useChange<T>(value: T, changed: (change: { from: T; to: T }) => void): void {
  const last = useRef(value);
  useEffect(() => {
    const from = last.current;
    if (from === value) return;
    last.current = value;
    changed({ from, to: value });
  }, [value, changed]);
}
