import type { FlowNews } from "../domain/flow/triggers.ts";
import type { FlowTrigger, ShopRecord } from "../domain/records.ts";
import type { Clock, Random, Tables } from "../ports.ts";
import { requestWork } from "../runs/request-work.ts";

/**
 * Whether news of the shop are for its workflows: labels are printed with production's account, and what happens in the test account is
 * nobody's news. What was last seen of the origins stays as it was then.
 */
export async function isOfProduction({ connections }: Pick<Tables, "connections">, shop: string): Promise<boolean> {
  return (await connections.count({ shop, current: true, environment: "test" })) === 0;
}

/** The triggers that workflows of a shop use, which has the app installed. */
export function triggersInUse({ flow, uninstalledAtMs }: Pick<ShopRecord, "flow" | "uninstalledAtMs">): FlowTrigger[] {
  if (uninstalledAtMs !== null) return [];
  return Object.entries(flow).flatMap(([trigger, { isUsed }]) => (isUsed ? [trigger as FlowTrigger] : []));
}

/** No workflow of the shop is on any more. When that was told stays, so that an older word of Flow's that comes again turns nothing on. */
export function turnedOff(flow: ShopRecord["flow"]): ShopRecord["flow"] {
  const entries = Object.entries(flow).map(([trigger, { toldMs }]) => [trigger, { isUsed: false, toldMs }]);
  return Object.fromEntries(entries) as ShopRecord["flow"];
}

/**
 * Puts events into the outbox, those that a workflow of the shop waits for, in the transaction of what they tell. Where it cannot be
 * committed, nothing is told of it.
 */
export async function noteEvents(
  services: { clock: Clock; random: Random },
  tables: Pick<Tables, "shops" | "connections" | "flowEvents" | "workItems">,
  { shop, locationId, news }: { shop: string; locationId: string | null; news: FlowNews[] },
): Promise<void> {
  const known = await tables.shops.find({ shop });
  const used = known ? triggersInUse(known) : [];
  const wanted = news.filter(({ trigger }) => used.includes(trigger));
  if (wanted.length === 0 || !(await isOfProduction(tables, shop))) return;
  const [last] = await tables.flowEvents.list({ shop }, { orderBy: { number: "desc" }, limit: 1 });
  const rows = wanted.map(({ trigger, fields }, index) => ({
    id: services.random.id(),
    shop,
    number: (last?.number ?? 0) + 1 + index,
    trigger,
    locationId,
    fields,
    atMs: services.clock.nowMs(),
  }));
  await tables.flowEvents.insertAll(rows);
  await requestWork(services, tables, { shop, kind: "flow", key: GIVE, unchanged: true });
}

/** Nobody waits for events of the shop any more: whoever does again begins anew. */
export async function forgetSeen(
  tables: Pick<Tables, "flowEvents" | "flowOrigins" | "workItems">,
  shop: string,
): Promise<void> {
  await tables.flowEvents.delete({ shop });
  await tables.flowOrigins.delete({ shop });
  await tables.workItems.delete({ shop, kind: "flow" });
}

/** The work items: one gives the shop's events to Flow, one looks at all its origins. Any other key is the id of an event set apart. */
export const GIVE = "give";
export const LOOK = "look";
