import { useCallback } from "react";
import { useTranslation } from "react-i18next";

/**
 * Shopify's toast, for news that needs no answer. Errors belong beside their field or in a banner; no news may be in a toast only. With
 * `undo` it has the button that takes back what was done, which the page offers elsewhere, too.
 */
export function useToast(): (message: string, undo?: (() => void) | null) => void {
  const { t } = useTranslation("common");
  return useCallback(
    (message, undo = null) =>
      void window.shopify?.toast.show(
        message,
        undo ? { action: t("undo"), onAction: undo, duration: UNDO_SHOWN_MS } : undefined,
      ),
    [t],
  );
}

/** Long enough to read it, to think, and to reach the button. */
const UNDO_SHOWN_MS = 10_000;
