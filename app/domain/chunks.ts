/** The items in chunks of at most `size`. Many small transactions let other writers in between; one large transaction makes them wait. */
export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** The items in chunks that weigh at most `most` each; an item that weighs more is a chunk by itself. */
export function chunksByWeight<T>(items: readonly T[], most: number, weightOf: (item: T) => number): T[][] {
  const chunks: T[][] = [];
  let left = 0;
  for (const item of items) {
    const weight = weightOf(item);
    if (chunks.length === 0 || weight > left) {
      chunks.push([]);
      left = most;
    }
    chunks.at(-1)!.push(item);
    left -= weight;
  }
  return chunks;
}
