import { useEffect, useState } from "react";

/**
 * For what opens over the page: what had the focus before gets it again, once the dialog has let go of the page. Where that is gone,
 * as the entry of a menu is, the page's heading takes it, so that a keyboard does not begin anew at the top.
 */
export function useReturnFocus(): void {
  // Taken while rendering: once effects run, the dialog has the focus already.
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
