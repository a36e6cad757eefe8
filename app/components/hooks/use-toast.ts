import { useCallback } from "react";

/** Shopify's toast, for news that needs no answer. Errors belong beside their field or in a banner; a toast is never the only place. */
export function useToast(): (message: string) => void {
  return useCallback((message) => void window.shopify?.toast.show(message), []);
}
