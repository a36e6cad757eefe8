import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";

const FIRST_MS = 1_000;
const LONGEST_MS = 20_000;
const GROWTH = 1.4;

/** Reads the page's data again while something is under way: often at first, then less and less, and not in a hidden tab. */
export function usePoll(active: boolean): void {
  const { revalidate, state } = useRevalidator();
  const waitMs = useRef(FIRST_MS);
  useEffect(() => {
    if (!active) waitMs.current = FIRST_MS;
    if (!active || state !== "idle") return;
    const timer = setTimeout(() => {
      waitMs.current = Math.min(LONGEST_MS, waitMs.current * GROWTH);
      if (document.visibilityState === "visible") revalidate();
    }, waitMs.current);
    return () => clearTimeout(timer);
  }, [active, state, revalidate]);
}
