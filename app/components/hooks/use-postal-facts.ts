import { useEffect, useState } from "react";
import type { PostalFacts } from "../../domain/mexico/postal-codes.ts";

/**
 * What the list of postal codes says of a code: null until it is known, for a code that is not whole or not on the list, and where no list is
 * in use. A look-up that fails changes nothing on the page.
 */
export function usePostalFacts(typed: string): PostalFacts | null {
  const code = typed.trim();
  const [facts, setFacts] = useState<PostalFacts | null>(null);
  useEffect(() => {
    if (!/^\d{5}$/.test(code)) return;
    const ended = new AbortController();
    void ask(code, ended.signal).then((found) => {
      if (found && !ended.signal.aborted) setFacts(found);
    });
    return () => ended.abort();
  }, [code]);
  return facts?.code === code ? facts : null;
}

/** Null when no answer came that tells something. */
async function ask(code: string, signal: AbortSignal): Promise<PostalFacts | null> {
  try {
    const response = await fetch(`/app/postal-codes/${code}`, { signal, headers: { Accept: "application/json" } });
    if (!response.ok) return null;
    return ((await response.json()) as { facts: PostalFacts | null }).facts;
  } catch {
    return null;
  }
}
