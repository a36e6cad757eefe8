import { setTimeout as sleep } from "node:timers/promises";
import { STEP_MS } from "../../patience.ts";

export interface UntilOptions<T> {
  /** What is waited for, in words that end "… did not come". */
  what: string;
  read: () => Promise<T> | T;
  holds: (value: T) => boolean;
  /** By default as long as any step of a test waits. */
  withinMs?: number;
}

/** Reads again and again until a condition holds. @throws with the last reading when it does not hold in time. */
export async function until<T>({ what, read, holds, withinMs = STEP_MS }: UntilOptions<T>): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > deadline)
      throw new Error(
        `${what} did not come within ${withinMs / 1000} s; last seen: ${JSON.stringify(value)?.slice(0, 600)}`,
      );
    await sleep(200);
  }
}
