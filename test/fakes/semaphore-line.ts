import type { Line } from "../../app/adapters/shipping/budget-core.ts";
import { createPrioritySemaphore } from "../../app/adapters/shipping/priority-semaphore.ts";

/**
 * The budget's line without Bottleneck, whose timers are the machine's. Nothing here reads a clock, so a virtual clock can drive the
 * budget. It passes the same battery as production's line (test/contracts/line.ts).
 */
export function createSemaphoreLine(): Line {
  const shops = createPrioritySemaphore();
  const clients = createPrioritySemaphore();
  return {
    enter({ shop, client, priority }, hold) {
      clients.urge(shop, priority);
      return shops.run({ key: shop, owner: shop, priority }, () =>
        clients.run({ key: client, owner: shop, priority }, hold),
      );
    },
  };
}
