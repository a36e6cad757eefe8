import { useMemo, useState } from "react";

export interface Touched<F extends string> {
  has(field: F): boolean;
  add(field: F): void;
  clear(): void;
}

/**
 * Fields typed in since the last answer: what that answer said of them no longer holds. A new answer counts from nothing in the
 * same render that brings it, so that the first error is there to be focused.
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
