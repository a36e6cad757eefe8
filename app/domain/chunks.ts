/** The items in chunks of at most `size`. Many small transactions let other writers in between; one large transaction makes them wait. */
export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
