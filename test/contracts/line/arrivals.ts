/** The most arrivals that any sliding second holds; two arrivals a whole second apart share none. */
export function mostInSecond(timesMs: readonly number[]): number {
  const inOrder = [...timesMs].sort((a, b) => a - b);
  let first = 0;
  return inOrder.reduce((most, atMs, index) => {
    while (inOrder[first]! <= atMs - 1_000) first += 1;
    return Math.max(most, index - first + 1);
  }, 0);
}
