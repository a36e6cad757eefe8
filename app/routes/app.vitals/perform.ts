import type { MeasuredVital } from "../../views/vitals.ts";

/** Counts a report; nothing where no metrics are served. */
export function perform(
  metrics: { vital(measured: MeasuredVital): void } | null,
  { measured }: { measured: MeasuredVital[] },
): void {
  for (const each of measured) metrics?.vital(each);
}
