import type { Line } from "../../../../app/adapters/shipping/budget-core.ts";
import { createGates } from "../../../../app/adapters/shipping/gates.ts";

/** The line without Bottleneck: nothing in it reads a clock, so that virtual time may drive the budget. */
export function plainLine(): Line {
  const shops = createGates();
  const clients = createGates();
  return {
    enter({ shop, client, priority }, hold) {
      clients.urge(shop, priority);
      const owner = shop;
      return shops.run({ key: shop, owner, priority }, () => clients.run({ key: client, owner, priority }, hold));
    },
  };
}
