import { useNavigation, useSearchParams } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";

/** Sets what is named, drops what is null, and goes to the first page unless a page is named. */
export type ChangeQuery = (patch: Record<string, string | null>) => void;

/** The list's filter lives in the address, so that it can be kept, shared and gone back to. */
export function useListQuery(): ChangeQuery {
  const [params, setParams] = useSearchParams();
  const { state } = useNavigation();
  // Of two changes in a row the second builds on the first, though that one's page has not come yet.
  const wanted = useRef(params);
  useEffect(() => {
    if (state === "idle") wanted.current = params;
  }, [params, state]);
  return useCallback(
    (patch) => {
      const next = new URLSearchParams(wanted.current);
      next.delete("page");
      for (const [name, value] of Object.entries(patch)) {
        if (value === null || value === "") next.delete(name);
        else next.set(name, value);
      }
      wanted.current = next;
      setParams(next, { replace: true, preventScrollReset: true });
    },
    [setParams],
  );
}
