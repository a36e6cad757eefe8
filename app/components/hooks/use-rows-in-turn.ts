import { startTransition, useEffect, useMemo, useState } from "react";

/** More rows than the tallest screens show. */
const FIRST_ROWS = 20;

/**
 * The first rows of a long list, and all rows after the first render. Rows below the screen delay neither the server's answer nor the first
 * interaction, and are there for whoever scrolls or searches the page.
 */
export function useRowsInTurn<T>(rows: readonly T[], first = FIRST_ROWS): readonly T[] {
  const [stands, setStands] = useState(false);
  useEffect(() => startTransition(() => setStands(true)), []);
  return useMemo(() => (stands ? rows : rows.slice(0, first)), [stands, rows, first]);
}
