import type { Clock } from "../../../ports.ts";

/** Resolves at that time of the monotonic clock. Timers may fire early, so the clock is asked again. */
export async function restUntil(clock: Clock, atMs: number): Promise<void> {
  for (let leftMs = atMs - clock.monotonicMs(); leftMs > 0; leftMs = atMs - clock.monotonicMs()) {
    await clock.sleep(Math.ceil(leftMs));
  }
}
