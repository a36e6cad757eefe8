import { useCallback } from "react";

/** Shopify's toast, for news that needs no answer. Errors belong beside their field or in a banner; no news may be in a toast only. */
export function useToast(): (message: string) => void {
  return useCallback((message) => void window.shopify?.toast.show(message), []);
}
