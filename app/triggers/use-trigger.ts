import type { FlowTrigger } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { requestWork } from "../runs/request-work.ts";
import { forgetSeen, LOOK, triggersInUse } from "./note-events.ts";

export interface TriggerUse {
  shop: string;
  trigger: FlowTrigger;
  isUsed: boolean;
  /** By Flow's clock: the newer word holds, in whatever order they come. */
  toldMs: number;
}

/** Flow tells whether a workflow of the shop uses a trigger. `unknown_shop`: the app is not installed there. */
export async function useTrigger(
  services: Services,
  { shop, trigger, isUsed, toldMs }: TriggerUse,
): Promise<"noted" | "unknown_shop"> {
  const outcome = await services.store.transaction(shop, async (tables): Promise<"noted" | "unknown_shop"> => {
    const known = await tables.shops.find({ shop, uninstalledAtMs: null });
    if (!known) return "unknown_shop";
    const before = known.flow[trigger];
    if (before && before.toldMs >= toldMs) return "noted";
    const flow = { ...known.flow, [trigger]: { isUsed, toldMs } };
    await tables.shops.update({ shop }, { flow });
    if (!isUsed) await tables.flowEvents.delete({ shop, trigger });
    const was = triggersInUse(known).length > 0;
    const is = triggersInUse({ ...known, flow }).length > 0;
    if (was && !is) await forgetSeen(tables, shop);
    if (is && !was) await requestWork(services, tables, { shop, kind: "flow", key: LOOK });
    return "noted";
  });
  services.wake();
  return outcome;
}
