import { useFetcher } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";
import { isUnanswered } from "../../views/not-taken.ts";

type Fetcher<T> = ReturnType<typeof useFetcher<T>>;

/** After an answer that did not come it is asked again, in milliseconds. */
const ASK_AGAIN_MS = 2_000;

/** Reads a route's data aside from the page. An answer that did not come leaves the last one as it was, and is asked for again. */
export function useLoad<T>(): { load(href: string): void; state: Fetcher<T>["state"]; data: Fetcher<T>["data"] } {
  const { load: ask, state, data } = useFetcher<T>();
  const last = useRef<Fetcher<T>["data"]>(undefined);
  const asked = useRef<string | null>(null);
  const isOpen = state === "idle" && isUnanswered(data);
  if (!isUnanswered(data)) last.current = data;
  const load = useCallback(
    (href: string) => {
      asked.current = href;
      ask(href);
    },
    [ask],
  );
  useEffect(() => {
    if (!isOpen) return;
    const timer = setTimeout(() => asked.current !== null && ask(asked.current), ASK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isOpen, ask]);
  return { load, state, data: last.current };
}
