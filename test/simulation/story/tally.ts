/** How often each kind of fault and action was played. */
export interface Tally {
  count(kind: string): void;
  readonly counts: ReadonlyMap<string, number>;
}

export function createTally(): Tally {
  const counts = new Map<string, number>();
  return { counts, count: (kind) => void counts.set(kind, (counts.get(kind) ?? 0) + 1) };
}

/** Adds one story's counts to those of many. */
export function addCounts(total: Record<string, number>, counts: Iterable<[string, number]>): void {
  for (const [kind, count] of counts) total[kind] = (total[kind] ?? 0) + count;
}
