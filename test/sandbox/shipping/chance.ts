/** Chance that a seed decides: each stream of draws depends on the seed, its own name and nothing else. */
export interface Chance {
  /** From 0 up to, not including, 1. */
  real(stream: string): number;
  /** Whole number, both ends included. */
  whole(stream: string, range: readonly [number, number]): number;
  pick<T>(stream: string, items: readonly T[]): T;
  uuid(stream: string): string;
  /** How often each stream was drawn from, to be kept across a restart. */
  state(): Record<string, number>;
  restore(state: Record<string, number>): void;
}

export function createChance(seed: number): Chance {
  const drawn = new Map<string, number>();

  function bits(stream: string): number {
    const count = (drawn.get(stream) ?? 0) + 1;
    drawn.set(stream, count);
    let hash = (seed ^ 0x811c9dc5) >>> 0;
    for (let i = 0; i < stream.length; i++) hash = Math.imul(hash ^ stream.charCodeAt(i), 0x01000193);
    return mix(mix(hash >>> 0) + Math.imul(count, 0x9e3779b9));
  }

  const real = (stream: string) => bits(stream) / 2 ** 32;
  return {
    real,
    whole: (stream, [low, high]) => low + Math.floor(real(stream) * (high - low + 1)),
    pick(stream, items) {
      if (items.length === 0) throw new Error(`nothing to pick from for ${stream}`);
      return items[Math.floor(real(stream) * items.length)]!;
    },
    uuid(stream) {
      const hex = Array.from({ length: 4 }, () => bits(stream).toString(16).padStart(8, "0")).join("");
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
    state: () => Object.fromEntries(drawn),
    restore(state) {
      drawn.clear();
      for (const [stream, count] of Object.entries(state)) drawn.set(stream, count);
    },
  };
}

function mix(value: number): number {
  let x = value >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}
