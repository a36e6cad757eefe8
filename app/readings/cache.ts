import { LRUCache } from "lru-cache";

/**
 * The one cache of what can be had again: rows read of the store (remember-reading.ts) and what was worked out of them
 * (remember-work.ts). It belongs to the process, has one budget, and evicts what was used longest ago. It evicts only: when an entry is
 * out of date is decided by who put it there, and the key names whose it is.
 *
 * Not here: a memory that proves something, as when a book was listed (book/known-listings.ts). Pages must not push it out.
 */

/**
 * Rows, of 0.9 kB each as measured, so about a hundred megabytes. All readings of a shop with a thousand locations are some twelve
 * thousand rows: ten such shops fill the budget, or thousands of shops with three locations.
 */
export const BUDGET_ROWS = 120_000;

/** One entry counts for no more, so that a huge account is remembered too and leaves room for others. */
const MOST_ROWS = BUDGET_ROWS / 10;

const cache = new LRUCache<string, { value: unknown }>({ maxSize: BUDGET_ROWS });

/** Null when it is not there. Looking at an entry makes it the latest used. */
export function cached<T>(key: string): { value: T } | null {
  return (cache.get(key) as { value: T } | undefined) ?? null;
}

/** `rows`: what the value holds. */
export function keepCached(key: string, value: unknown, rows: number): void {
  cache.set(key, { value }, { size: Math.max(1, Math.min(rows, MOST_ROWS)) });
}

export function dropCached(key: string): void {
  cache.delete(key);
}
