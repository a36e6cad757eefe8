import type { Store, Tables } from "../ports.ts";

interface Reading {
  revision: number;
  value: Promise<unknown>;
}

/** Readings kept of one kind; the one looked at longest ago makes room. Of a thousand locations all kinds together are some megabytes. */
const KEPT = 10;

const kept = new WeakMap<Store, Map<string, Map<string, Reading>>>();

export interface Remembered {
  store: Store;
  shop: string;
  /** Every table that is read. */
  of: readonly (keyof Tables)[];
  /** The kind of reading, a word of the caller's own. */
  what: string;
  /** Which of its kind, where a shop has several. */
  which?: string;
  /** How many of this kind are kept, where they are small. */
  keep?: number;
}

/**
 * What was read of a shop, until one of the tables is written; who asks meanwhile waits for the same reading. It is shared: whoever
 * gets it must not change it.
 */
export function rememberReading<T>(
  { store, shop, of, what, which = "", keep = KEPT }: Remembered,
  read: () => Promise<T>,
): Promise<T> {
  // Before the reading: what is written during it makes the next one anew.
  const revision = store.revision?.(shop, of);
  if (revision === undefined) return read();
  const readings = readingsOf(store, what);
  const key = `${shop} ${which}`;
  const known = readings.get(key);
  const reading = known?.revision === revision ? known : { revision, value: read() };
  // A map keeps its order: the first was looked at longest ago.
  readings.delete(key);
  readings.set(key, reading);
  if (readings.size > keep) readings.delete(readings.keys().next().value!);
  if (reading !== known) {
    reading.value.catch(() => {
      if (readings.get(key) === reading) readings.delete(key);
    });
  }
  return reading.value as Promise<T>;
}

function readingsOf(store: Store, what: string): Map<string, Reading> {
  const kinds = kept.get(store) ?? new Map<string, Map<string, Reading>>();
  kept.set(store, kinds);
  const readings = kinds.get(what) ?? new Map<string, Reading>();
  kinds.set(what, readings);
  return readings;
}
