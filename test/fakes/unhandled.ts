import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Runs the work and returns the rejections that nobody handled meanwhile. Each is a defect, so a test expects none: `expect(await
 * unhandledIn(work)).toEqual([])`.
 */
export async function unhandledIn(work: () => Promise<unknown>): Promise<string[]> {
  const unheard: string[] = [];
  const hear = (reason: unknown) => void unheard.push(String(reason));
  process.on("unhandledRejection", hear);
  try {
    await work();
    // Node reports such a rejection after the microtasks, so it is known one turn later.
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  } finally {
    process.off("unhandledRejection", hear);
  }
  return unheard;
}
