import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { isOfAnotherRelease, meetNewerRelease } from "../outage/release.ts";

const REVISION = "/app/revision";

/** How long to wait before the next question: by how long ago, in milliseconds, something changed last. */
const PACES = [
  { withinMs: 10_000, waitMs: 1_000 },
  { withinMs: 120_000, waitMs: 5_000 },
  { withinMs: Infinity, waitMs: 15_000 },
] as const;

/**
 * Keeps an open page true: asks every few seconds whether anything that pages show has changed, and if so has the page read its data
 * again. Often after a change, seldom while nothing happens, never in a hidden tab. A question that fails changes nothing on the page and
 * is asked again. `seen`: the revision that the page was made of; another one than before is news, too, as after a form of the page itself.
 */
export function useFollow(seen: string | null): void {
  const { revalidate } = useRevalidator();
  // What was asked before a reading is what that reading shows at least.
  const known = useRef(seen);
  const hurry = useRef(() => {});
  useEffect(() => hurry.current(), [seen]);
  useEffect(() => {
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let changedAtMs = Date.now();
    const wait = () => {
      clearTimeout(timer);
      const agoMs = Date.now() - changedAtMs;
      timer = setTimeout(() => void look(), PACES.find(({ withinMs }) => agoMs < withinMs)!.waitMs);
    };
    const look = async () => {
      if (document.visibilityState !== "visible") return;
      const revision = await ask(ended.signal);
      if (ended.signal.aborted) return;
      if (revision !== null && revision !== known.current) {
        known.current = revision;
        changedAtMs = Date.now();
        revalidate();
      }
      wait();
    };
    const onVisible = () => void look();
    document.addEventListener("visibilitychange", onVisible);
    wait();
    hurry.current = () => {
      changedAtMs = Date.now();
      wait();
    };
    return () => {
      ended.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [revalidate]);
}

/** Null when no answer came that says so. */
async function ask(signal: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch(REVISION, { signal, headers: { Accept: "application/json" } });
    if (isOfAnotherRelease(response)) {
      meetNewerRelease();
      return null;
    }
    if (!response.ok) return null;
    return ((await response.json()) as { revision: string | null }).revision;
  } catch {
    return null;
  }
}
