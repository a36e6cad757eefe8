import { useSearchParams } from "@remix-run/react";
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
  const [, setParams] = useSearchParams();
  const [typed, setTyped] = useState(search);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function change(patch: Record<string, string | null>) {
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete("page");
        for (const [name, value] of Object.entries(patch)) {
          if (value === null || value === "") next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  }

  function type(text: string) {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => change({ q: text }), TYPING_MS);
  }

  return { typed, type, change };
}
