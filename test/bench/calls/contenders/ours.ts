import { createClock } from "../../../../app/adapters/machine/clock.ts";
import { createRandom } from "../../../../app/adapters/machine/random.ts";
import { createBottleneckLine } from "../../../../app/adapters/shipping/budget.ts";
import type { Line } from "../../../../app/adapters/shipping/budget-core.ts";
import { createNetwork, TIMEOUTS } from "../../../../app/adapters/shipping/network.ts";
import { assembleShippingService } from "../../../../app/adapters/shipping/service.ts";
import type { Log, StoredConnection } from "../../../../app/ports.ts";
import { ROWS, TEMPLATE_ID, type MakeContender } from "../contender.ts";

/** Our own line, with so many places that no call waits. */
export const manyPlaces = (places: number): Line => createBottleneckLine({ places });

/** No line at all: whoever comes may go. */
export const noLine: Line = { enter: (_place, hold) => hold() };

/** The true client, whole: slots that rest, token, deadlines, parsing field by field. Its log keeps nothing. */
export function makeWith(line: Line): MakeContender {
  return ({ url, what, shops }) => {
    const stored = new Map(Array.from({ length: shops }, (_, shop) => [`shop-${shop}`, storedFor(`shop-${shop}`)]));
    const service = assembleShippingService({
      userAgent: "Origen/bench",
      clock: createClock(),
      random: createRandom(),
      log: SILENT,
      network: createNetwork({ test: url, production: null }, TIMEOUTS),
      line,
      totalTimeoutMs: TIMEOUTS.totalMs,
      budget: { graceMs: 2_000, openAtOnce: true },
      tokens: {
        read: async (id) => ({ ...stored.get(id)! }),
        async save({ connectionId, token }) {
          stored.get(connectionId)!.token = token;
          return true;
        },
        markInvalid: async () => undefined,
      },
    });
    const accounts = [...stored.keys()].map((shop) =>
      service.account({ id: shop, version: 1, shop, environment: "test", clientId: shop }),
    );
    return {
      async call(shop) {
        const account = accounts[shop]!;
        if (what === "template") {
          const found = await account.get(TEMPLATE_ID, { priority: "reconcile" });
          if (found.kind !== "found" || found.value.id !== TEMPLATE_ID) throw new Error("another answer");
        } else {
          const page = await account.listPage({ priority: "reconcile", page: 1 });
          if (page.templates.length !== ROWS) throw new Error("another answer");
        }
      },
    };
  };
}

function storedFor(shop: string): StoredConnection {
  const credentials = { clientId: shop, clientSecret: "secret", scope: null, redirectUri: null };
  return { version: 1, state: "active", token: null, credentials: { shop, environment: "test", ...credentials } };
}

const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
