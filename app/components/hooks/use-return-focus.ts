import { useEffect, useState } from "react";

/**
 * Returns the focus to where it was before a dialog opened, once the dialog is closed. If that element is gone, as a menu's entry is, the
 * page's heading gets the focus, so that a keyboard user does not start again at the top.
 */
export function useReturnFocus(): void {
  // Read while rendering, because the dialog has the focus once effects run.
  const [before] = useState(() => document.activeElement);
  useEffect(() => () => void setTimeout(() => giveBack(before)), [before]);
}

function giveBack(before: Element | null): void {
  if (before instanceof HTMLElement && before.isConnected && before !== document.body) return before.focus();
  const heading = document.querySelector<HTMLElement>("main h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus();
}
