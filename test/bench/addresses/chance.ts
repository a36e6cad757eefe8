/** Chance from a seed (mulberry32): the same seed draws the same styles on every machine. */
export interface Chance {
  /** A number in [0, 1). */
  next(): number;
  /** One of several, each with its weight. */
  pick<T>(weighted: readonly (readonly [value: T, weight: number])[]): T;
}

export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    pick(weighted) {
      let left = next() * weighted.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of weighted) if ((left -= weight) < 0) return value;
      return weighted.at(-1)![0];
    },
  };
}
