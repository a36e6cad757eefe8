import { useLocation, useNavigationType } from "@remix-run/react";
import { useEffect, useRef } from "react";

/**
 * Another page begins at its top, or at the part that its URL names. Remix's own restoring of scroll positions needs session storage, which
 * a cross-site frame may be refused, so going back is left to the browser.
 */
export function useScrollOnNavigation(): void {
  const { pathname, hash } = useLocation();
  const type = useNavigationType();
  const last = useRef(pathname);
  useEffect(() => {
    const moved = last.current !== pathname;
    last.current = pathname;
    const part = hash === "" ? null : document.getElementById(decodeURIComponent(hash.slice(1)));
    if (part) part.scrollIntoView();
    else if (moved && type !== "POP") window.scrollTo(0, 0);
  }, [pathname, hash, type]);
}
