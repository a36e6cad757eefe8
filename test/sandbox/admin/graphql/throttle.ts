/** The leaky bucket of points that each store has for an app, on Shopify's standard plan. */
export class Throttle {
  maximum = 2_000;
  restorePerSecond = 100;
  private readonly buckets = new Map<string, { available: number; atMs: number }>();

  /** Takes points; false, and nothing taken, when they are not there. */
  take(shop: string, points: number): boolean {
    const bucket = this.filled(shop);
    if (bucket.available < points) return false;
    bucket.available -= points;
    return true;
  }

  giveBack(shop: string, points: number): void {
    const bucket = this.filled(shop);
    bucket.available = Math.min(this.maximum, bucket.available + points);
  }

  /** `extensions.cost` of an answer. */
  describe(shop: string, requested: number, actual: number | null): Record<string, unknown> {
    return {
      requestedQueryCost: requested,
      actualQueryCost: actual,
      throttleStatus: {
        maximumAvailable: this.maximum,
        currentlyAvailable: Math.floor(this.filled(shop).available),
        restoreRate: this.restorePerSecond,
      },
    };
  }

  private filled(shop: string): { available: number; atMs: number } {
    const now = performance.now();
    const bucket = this.buckets.get(shop) ?? { available: this.maximum, atMs: now };
    bucket.available = Math.min(this.maximum, bucket.available + ((now - bucket.atMs) / 1000) * this.restorePerSecond);
    bucket.atMs = now;
    this.buckets.set(shop, bucket);
    return bucket;
  }
}
