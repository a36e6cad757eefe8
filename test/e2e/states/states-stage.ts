import { connect, mapShops, sayContact } from "../../sandbox/play/mapped-shops.ts";
import type { PlayedShop } from "../../sandbox/play/mapped-shops.ts";
import * as pages from "../../sandbox/play/pages.ts";
import { until } from "../../sandbox/play/until.ts";
import { createVisitor } from "../../sandbox/play/visitor.ts";
import { sandboxClient } from "../../sandbox/shipping/options.ts";
import { startSandbox } from "../../sandbox/start.ts";
import type { Sandbox } from "../../sandbox/start.ts";
import { stateStore } from "./state-store.ts";
import type { StateStore } from "./state-store.ts";
import { STATES } from "./states.ts";

/** A sandbox with a store for each state, whose owner has come as far as the table says. The states themselves are brought about later. */

const CARRIERS = ["fedex", "dhl", "estafeta"];
const PATIENCE_MS = 600_000;

export interface StatesStage {
  sandbox: Sandbox;
  store(name: string): StateStore;
}

/** @throws with nothing left running. */
export async function startStatesStage(names: readonly string[]): Promise<StatesStage> {
  const stores = names.map((name) => ({ handle: name, name: `Bodegas ${name}`, locations: STATES[name]!.locations }));
  const sandbox = await startSandbox({
    stores,
    locale: "es",
    shipping: {
      // Slow enough that no polling is doubled, quick enough that nobody waits.
      verification: { stepMs: [50, 100], verdicts: Object.fromEntries(CARRIERS.map((one) => [one, "verified"])) },
    },
  });
  try {
    const shops = new Map(names.map((name, index) => [name, playedShop(sandbox, { name, index })]));
    const from = (wanted: string) =>
      [...shops].filter(([name]) => STATES[name]!.from === wanted).map(([, shop]) => shop);
    for (const shop of from("installed")) await shop.visitor.open("/app");
    for (const shop of from("connected")) {
      await shop.visitor.open("/app");
      await connect(shop);
      await sayContact(shop);
    }
    await mapShops(from("saved"));
    for (const shop of from("saved"))
      await until({
        what: `What the carriers say of ${shop.name}`,
        read: () => pages.home(shop),
        holds: ({ origins }) => origins.ready === origins.total,
        withinMs: PATIENCE_MS,
      });
    for (const [name, { visitor }] of shops)
      if (STATES[name]!.from === "saved" && !STATES[name]!.isNew)
        await visitor.submit("/app?index", "routes/app._index", { intent: "dismiss_guide" });
    const made = new Map([...shops].map(([name, shop]) => [name, stateStore(sandbox, shop)]));
    return { sandbox, store: (name) => made.get(name)! };
  } catch (error) {
    await sandbox.stop();
    throw error;
  }
}

function playedShop(sandbox: Sandbox, { name, index }: { name: string; index: number }): PlayedShop {
  const { clientId, clientSecret } = sandboxClient("production", index + 1);
  return {
    name,
    state: sandbox.admin.state.shops.get(`${name}.myshopify.com`)!,
    visitor: createVisitor({ adminUrl: sandbox.adminUrl, store: name }),
    clientId,
    clientSecret,
    scope: null,
    carriers: CARRIERS,
    verifyAfterChange: true,
  };
}
