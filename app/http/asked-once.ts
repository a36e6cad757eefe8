import type { Clock } from "../ports.ts";

const ANSWERS_WITHIN_MS = 2_000;

/** Asks, and answers `late` after two seconds. While one question hangs no second one is asked, because they would pile up. */
export function askedOnce<T>(clock: Pick<Clock, "after">, ask: () => Promise<T>): () => Promise<T | Error | "late"> {
  let asked: Promise<T | Error> | null = null;
  return async () => {
    asked ??= ask()
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
      .finally(() => (asked = null));
    let cancel = () => {};
    const late = new Promise<"late">((resolve) => {
      cancel = clock.after(ANSWERS_WITHIN_MS, () => resolve("late"));
    });
    return Promise.race([asked, late]).finally(cancel);
  };
}
