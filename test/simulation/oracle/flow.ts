import type { FlowEventRecord } from "../../../app/domain/records.ts";
import type { MemoryDatabase, StoredChange } from "../../fakes/memory-store.ts";
import type { TakenEvent } from "../../fakes/shopify.ts";

/**
 * What Flow is told: each event until Flow has taken it, of a trigger that a workflow of the shop uses, and to no other shop. One that Flow
 * never takes, or that is too old, is told in Activity. Who turns a trigger off, or leaves, is told no more.
 */
export interface FlowWatch {
  committed(changes: readonly StoredChange[]): string[];
  /** What was told to a shop of which it is not. */
  misled(): string[];
}

const IN_ACTIVITY = ["flow_late", "flow_refused"];

export function createFlowWatch({
  database,
  taken,
}: {
  database: () => Pick<MemoryDatabase, "rows">;
  taken: () => readonly TakenEvent[];
}): FlowWatch {
  /** By event id. */
  const shops = new Map<string, string>();
  const waitsFor = ({ shop, trigger }: Readonly<FlowEventRecord>) => {
    const row = [...database().rows("shops")].find((each) => each.shop === shop);
    return row !== undefined && row.uninstalledAtMs === null && row.flow[trigger]?.isUsed === true;
  };
  return {
    committed(changes) {
      const isInActivity = ({ shop }: Readonly<FlowEventRecord>) =>
        changes.some(
          ({ table, after }) => table === "activity" && after?.shop === shop && IN_ACTIVITY.includes(after.kind),
        );
      return changes.flatMap(({ table, before, after }) => {
        if (table !== "flowEvents") return [];
        if (after && !before) {
          shops.set(after.id, after.shop);
          return waitsFor(after) ? [] : [`no workflow of ${after.shop} waits for ${after.trigger}, and it is noted`];
        }
        if (!before || after || !waitsFor(before) || isInActivity(before)) return [];
        const isTaken = taken().some(({ id, shop }) => id === before.id && shop === before.shop);
        return isTaken ? [] : [`${before.trigger} of ${before.shop} is forgotten, and Flow has not taken it`];
      });
    },
    misled: () =>
      taken()
        .filter(({ id, shop }) => shops.get(id) !== shop)
        .map(({ id, shop, trigger }) => `${trigger} of ${shops.get(id) ?? "nobody"} was told to ${shop}`),
  };
}
