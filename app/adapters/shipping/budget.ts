import Bottleneck from "bottleneck";
import { PRIORITIES, type Priority } from "../../ports.ts";
import type { Line } from "./budget-core.ts";
import { createPrioritySemaphore } from "./priority-semaphore.ts";

/**
 * The line in which calls wait: a Bottleneck group by shop, then a priority semaphore by client. Bottleneck keeps the order and the two
 * places; the budget's core decides when a place is free again, by ending the job. Bottleneck's reservoir, `expiration`, `failed` retry and
 * clustering are not used, because none of them keeps the rate. A second Bottleneck in place of the semaphore would do the same at five
 * times the work and three more turns of the event loop for every call.
 */

const PLACES = 2;

/**
 * Bottleneck's clean-up would drop a limiter that still has jobs queued, so it is put off as long as a timer can be. `release` below drops
 * a limiter at once when its key is idle.
 */
const NEVER_MS = 20 * 24 * 3_600_000;

/** `places` is only for a bench, whose calls must not wait. */
export function createBottleneckLine({ places = PLACES } = {}): Line {
  const shops = createLimiters(places);
  const clients = createPrioritySemaphore({ places });
  return {
    enter({ shop, client, priority }, hold) {
      clients.urge(shop, priority);
      return shops.run(shop, priority, () => clients.run({ key: client, owner: shop, priority }, hold));
    },
  };
}

function createLimiters(places: number) {
  const group = new Bottleneck.Group({ maxConcurrent: places, timeout: NEVER_MS });
  const jobs = new Map<string, number>();

  function release(key: string): void {
    const left = (jobs.get(key) ?? 1) - 1;
    if (left > 0) return void jobs.set(key, left);
    // Without a job both places are free, so dropping the limiter frees no place too early.
    jobs.delete(key);
    group.deleteKey(key).catch(() => undefined);
  }

  return {
    async run(key: string, priority: Priority, job: () => Promise<void>): Promise<void> {
      jobs.set(key, (jobs.get(key) ?? 0) + 1);
      try {
        await group.key(key).schedule({ priority: PRIORITIES.indexOf(priority) }, job);
      } finally {
        release(key);
      }
    },
  };
}
