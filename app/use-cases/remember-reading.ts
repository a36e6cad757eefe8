import type { Store, Tables } from "../ports.ts";

interface Reading {
  revision: number;
  value: Promise<unknown>;
}

/** Readings kept of one kind; the one made longest ago makes room. */
const KEPT = 40;

const kept = new WeakMap<Store, Map<string, Map<string, Reading>>>();

export interface Remembered {
  store: Store;
  shop: string;
  /** The kind of reading, a word of the caller's own. */
  what: string;
  /** Which of its kind, where a shop has several. */
  which?: string;
  /** The one table it is made from, where it is but one. */
  table?: keyof Tables;
  /** How many of this kind are kept, where they are small. */
  keep?: number;
}

/**
 * What was read of a shop, until something of the shop, or of that one table of it, is written; who asks meanwhile waits for the same reading. It is shared: whoever
 * gets it must not change it.
 */
export function rememberReading<T>(
  { store, shop, what, which = "", table, keep = KEPT }: Remembered,
  read: () => Promise<T>,
): Promise<T> {
  // Before the reading: what is written during it makes the next one anew.
  const revision = store.revision?.(shop, table);
  if (revision === undefined) return read();
  const readings = readingsOf(store, what);
  const key = `${shop} ${which}`;
  const known = readings.get(key);
  if (known?.revision === revision) return known.value as Promise<T>;
  const reading = { revision, value: read() };
  readings.delete(key);
  readings.set(key, reading);
  if (readings.size > keep) readings.delete(readings.keys().next().value!);
  reading.value.catch(() => {
    if (readings.get(key) === reading) readings.delete(key);
  });
  return reading.value;
}

function readingsOf(store: Store, what: string): Map<string, Reading> {
  const kinds = kept.get(store) ?? new Map<string, Map<string, Reading>>();
  kept.set(store, kinds);
  const readings = kinds.get(what) ?? new Map<string, Reading>();
  kinds.set(what, readings);
  return readings;
}
