import { useEffect, useState } from "react";

/** The optional scopes of shopify.app.toml: what the order page's block reads with. */
const ORDER_SCOPES = [
  "read_orders",
  "read_merchant_managed_fulfillment_orders",
  "read_assigned_fulfillment_orders",
] as const;

export type Access = "unknown" | "granted" | "not_granted" | "asking" | "declined" | "unavailable";

/**
 * Whether Shopify gave the order scopes, by its own word, and a way to ask for them; installing asks for the locations only. The
 * session's stored scopes lag behind by as long as its token lives.
 */
export function useOrderAccess(): { access: Access; ask(): Promise<Access> } {
  const [access, setAccess] = useState<Access>("unknown");
  useEffect(() => {
    let left = false;
    void queryAccess().then((known) => !left && setAccess(known));
    return () => {
      left = true;
    };
  }, []);
  return {
    access,
    async ask() {
      setAccess("asking");
      const now = await requestAccess();
      setAccess(now);
      return now;
    },
  };
}

/** App Bridge answers at once, or the admin does not hear it. In milliseconds. */
const ANSWERS_WITHIN_MS = 10_000;

async function queryAccess(): Promise<Access> {
  try {
    const { granted } = await withinTime(window.shopify.scopes.query());
    return ORDER_SCOPES.every((scope) => (granted as string[]).includes(scope)) ? "granted" : "not_granted";
  } catch {
    return "unavailable";
  }
}

async function requestAccess(): Promise<Access> {
  try {
    const { result } = await window.shopify.scopes.request([...ORDER_SCOPES]);
    return result === "granted-all" ? "granted" : "declined";
  } catch {
    return "unavailable";
  }
}

/** A person may take as long as they like over a question; this is asked of no person. */
function withinTime<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer")), ANSWERS_WITHIN_MS);
  });
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer));
}
