import { startTransition, useEffect, useMemo, useState } from "react";

/** More than the tallest screens show. */
const FIRST_ROWS = 20;

/**
 * The first rows of a long list, then all of it once the page stands. What lies below the screen holds up neither the server's answer nor
 * the first thing that a person does; whoever scrolls or searches the page finds it there.
 */
export function useRowsInTurn<T>(rows: readonly T[], first = FIRST_ROWS): readonly T[] {
  const [stands, setStands] = useState(false);
  useEffect(() => startTransition(() => setStands(true)), []);
  return useMemo(() => (stands ? rows : rows.slice(0, first)), [stands, rows, first]);
}
