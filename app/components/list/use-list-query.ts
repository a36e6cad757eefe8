import { useNavigation, useSearchParams } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

/** How long typing may pause before the search goes, in milliseconds. */
const TYPING_MS = 250;

/** The list's filter lives in the address, so that it can be kept, shared and gone back to. */
export function useListQuery(search: string): {
  typed: string;
  type(text: string): void;
  /** Sets what is named, drops what is null, and goes to the first page unless a page is named. */
  change(patch: Record<string, string | null>): void;
} {
  const [params, setParams] = useSearchParams();
  const { state } = useNavigation();
  // Of two changes in a row the second builds on the first, though that one's page has not come yet.
  const wanted = useRef(params);
  useEffect(() => {
    if (state === "idle") wanted.current = params;
  }, [params, state]);
  const [typed, setTyped] = useState(search);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function change(patch: Record<string, string | null>) {
    const next = new URLSearchParams(wanted.current);
    next.delete("page");
    for (const [name, value] of Object.entries(patch)) {
      if (value === null || value === "") next.delete(name);
      else next.set(name, value);
    }
    wanted.current = next;
    setParams(next, { replace: true, preventScrollReset: true });
  }

  function type(text: string) {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => change({ q: text }), TYPING_MS);
  }

  return { typed, type, change };
}
