import { useEffect, useState } from "react";

/** The optional scopes of shopify.app.toml, which the order page's block needs. */
const ORDER_SCOPES = [
  "read_orders",
  "read_merchant_managed_fulfillment_orders",
  "read_assigned_fulfillment_orders",
] as const;

export type Access = "unknown" | "granted" | "not_granted" | "asking" | "declined" | "unavailable";

/**
 * Whether Shopify has granted the order scopes, as Shopify itself answers, and a function that asks for them. Installing asks for the
 * locations' scopes only. The scopes of the stored session would be out of date for as long as its token lives.
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

/** App Bridge answers at once, or the admin does not receive the question. In milliseconds. */
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

/** The limit is for App Bridge only. A person may take any time to answer a question. */
function withinTime<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer")), ANSWERS_WITHIN_MS);
  });
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer));
}
