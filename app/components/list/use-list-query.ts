import { useNavigation, useSearchParams } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";

/** Sets the parameters given and drops those that are null. Goes to the first page unless a page is given. */
export type ChangeQuery = (patch: Record<string, string | null>) => void;

/** The list's filter is in the URL, so that it can be bookmarked and shared, and the browser can go back. */
export function useListQuery(): ChangeQuery {
  const [params, setParams] = useSearchParams();
  const { state } = useNavigation();
  // The second of two quick changes builds on the first, even if the page of the first has not come yet.
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
