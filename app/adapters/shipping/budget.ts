import Bottleneck from "bottleneck";
import { PRIORITIES, type Priority } from "../../ports.ts";
import type { Line } from "./budget-core.ts";
import { createPrioritySemaphore } from "./priority-semaphore.ts";

/**
 * The line in which calls wait: a Bottleneck group by shop, then a gate by client. Bottleneck holds the order and the two
 * places; when a place is free again is the core's to say, by ending the job. Its reservoir, `expiration`, `failed` retry and
 * clustering are not used: none of them keeps the rate. A second Bottleneck in the chain would do what the gate does, at five
 * times the work and three more turns of the event loop for every call.
 */

const PLACES = 2;

/**
 * Only a key that has been idle loses its limiter, and `release` below does that at once. Bottleneck's own clean-up would throw
 * away a limiter with jobs still queued, so it is put off as far as its timer can count.
 */
const NEVER_MS = 20 * 24 * 3_600_000;

export function createBottleneckLine(): Line {
  const shops = createLimiters();
  const clients = createPrioritySemaphore();
  return {
    enter({ shop, client, priority }, hold) {
      clients.urge(shop, priority);
      return shops.run(shop, priority, () => clients.run({ key: client, owner: shop, priority }, hold));
    },
  };
}

function createLimiters() {
  const group = new Bottleneck.Group({ maxConcurrent: PLACES, timeout: NEVER_MS });
  const jobs = new Map<string, number>();

  function release(key: string): void {
    const left = (jobs.get(key) ?? 1) - 1;
    if (left > 0) return void jobs.set(key, left);
    // With no job left both places are free, so a new limiter under this key is no freer than this one.
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
