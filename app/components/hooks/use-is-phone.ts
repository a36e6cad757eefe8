import { useEffect, useState } from "react";

/** Polaris' own border between a phone and all else, as in shell.css. */
const PHONE = "(max-width: 30.6225em)";

/** False until React has taken the page over: only what stands outside the page's layout may follow it. */
export function useIsPhone(): boolean {
  const [isPhone, setIsPhone] = useState(false);
  useEffect(() => {
    const query = window.matchMedia(PHONE);
    const follow = () => setIsPhone(query.matches);
    follow();
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return isPhone;
}
