import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Runs the work and gives what was rejected meanwhile with nobody to hear it. Node ends a process for one such promise, so a test
 * expects none: `expect(await unhandledIn(work)).toEqual([])`.
 */
export async function unhandledIn(work: () => Promise<unknown>): Promise<string[]> {
  const unheard: string[] = [];
  const hear = (reason: unknown) => void unheard.push(String(reason));
  process.on("unhandledRejection", hear);
  try {
    await work();
    // Node tells once the microtasks are done, so the turn after the next one knows.
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  } finally {
    process.off("unhandledRejection", hear);
  }
  return unheard;
}
