import type { BenchRow } from "../run.ts";

/** Rows of a table that begin with one name. */
export function rowsNamed(name: string) {
  /** A figure without a goal. */
  const told = (what: string, figure: number, unit = ""): BenchRow => ({
    name: `${name}: ${what}`,
    figure,
    unit,
    goal: "told",
    met: true,
  });
  /** How many there were of what there must not be. */
  const none = (what: string, figure: number): BenchRow => ({ ...told(what, figure), goal: "0", met: figure === 0 });
  return { told, none };
}
