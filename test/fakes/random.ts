import type { Random } from "../../app/ports.ts";

/** Random numbers and ids from a seed. The same seed gives the same ones. */
export interface SeededRandom extends Random {
  chance(probability: number): boolean;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  pick<T>(items: readonly T[]): T;
  /** Another stream, independent of how much of this one is used. */
  fork(name: string): SeededRandom;
}

export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  let ids = 0;
  const prefix = (seed >>> 0).toString(16).padStart(8, "0");

  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };

  const random: SeededRandom = {
    next,
    id: () => `${prefix}-0000-4000-8000-${(ids += 1).toString(16).padStart(12, "0")}`,
    chance: (probability) => next() < probability,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (items) => items[Math.floor(next() * items.length)]!,
    fork: (name) => createSeededRandom(hash(`${seed}/${name}`)),
  };
  return random;
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  return (value ^ (value >>> 15)) >>> 0;
}
