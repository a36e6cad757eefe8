import type { Store } from "../ports.ts";

interface Reading {
  revision: number;
  value: Promise<unknown>;
}

/** Readings kept of one store; the one made longest ago makes room. */
const KEPT = 40;

const kept = new WeakMap<Store, Map<string, Reading>>();

/**
 * What was read of a shop, until something of the shop is written; who asks meanwhile waits for the same reading. It is shared: whoever
 * gets it must not change it. `what` names the reading.
 */
export function rememberReading<T>(
  { store, shop, what }: { store: Store; shop: string; what: string },
  read: () => Promise<T>,
): Promise<T> {
  // Before the reading: what is written during it makes the next one anew.
  const revision = store.revision?.(shop);
  if (revision === undefined) return read();
  const readings = kept.get(store) ?? new Map<string, Reading>();
  kept.set(store, readings);
  const key = `${what} ${shop}`;
  const known = readings.get(key);
  if (known?.revision === revision) return known.value as Promise<T>;
  const reading = { revision, value: read() };
  readings.delete(key);
  readings.set(key, reading);
  if (readings.size > KEPT) readings.delete(readings.keys().next().value!);
  reading.value.catch(() => {
    if (readings.get(key) === reading) readings.delete(key);
  });
  return reading.value;
}
