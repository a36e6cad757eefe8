import { useMemo, useState } from "react";

export interface Touched<F extends string> {
  has(field: F): boolean;
  add(field: F): void;
  clear(): void;
}

/**
 * Fields that were typed in since the last answer; that answer's problems no longer apply to them. A new answer clears the set in the same
 * render, so that its first error can get the focus.
 */
export function useTouched<F extends string>(answer: unknown): Touched<F> {
  const [since, setSince] = useState<{ answer: unknown; fields: ReadonlySet<F> }>({ answer, fields: new Set() });
  return useMemo(
    () => ({
      has: (field) => since.answer === answer && since.fields.has(field),
      add: (field) =>
        setSince((before) => ({ answer, fields: new Set(before.answer === answer ? before.fields : []).add(field) })),
      clear: () => setSince({ answer, fields: new Set() }),
    }),
    [since, answer],
  );
}
