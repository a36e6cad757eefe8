interface Waiting {
  taken: number;
  go: () => void;
}

/** Every so many turns whoever waits longest goes on, so that short works without end do not keep a long one from its own. */
const OLDEST_EVERY = 4;

/**
 * Gives one part of one long work each turn of the event loop. Node runs everything that waits for its next turn together, which would
 * make one long stretch of work.
 *
 * @param onNextTurn calls back once in the next turn, as Node's `setImmediate` does.
 * @returns what a work awaits before its next part. It says how many turns it has taken already: who has taken the fewest goes on first,
 *   so that a page of a small shop does not wait behind the long works of a large one.
 */
export function createLoopTurns(onNextTurn: (call: () => void) => unknown): (taken: number) => Promise<void> {
  const waiting: Waiting[] = [];
  let turns = 0;

  const serve = (): void => {
    turns += 1;
    const [next] = waiting.splice(turns % OLDEST_EVERY === 0 ? 0 : fewestTaken(waiting), 1);
    next?.go();
    if (waiting.length > 0) onNextTurn(serve);
  };

  return (taken) =>
    new Promise((resolve) => {
      waiting.push({ taken, go: resolve });
      if (waiting.length === 1) onNextTurn(serve);
    });
}

/** The first of those that have taken the fewest turns. */
function fewestTaken(waiting: readonly Waiting[]): number {
  let fewest = 0;
  for (let index = 1; index < waiting.length; index += 1)
    if (waiting[index]!.taken < waiting[fewest]!.taken) fewest = index;
  return fewest;
}
