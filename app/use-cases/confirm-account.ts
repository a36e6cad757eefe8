import type { Services, Tables } from "../ports.ts";
import { keptLinks } from "./kept-links.ts";
import { raiseTarget } from "./raise-target.ts";
import { recordActivity } from "./record-activity.ts";

/**
 * Whether a new client id opens the account the shop had before. The same: its links, and what the carriers said, pass over. Another:
 * they stay aside with the old client id. False when nothing was asked (any more).
 */
export async function confirmAccount(services: Services, { shop, same }: { shop: string; same: boolean }): Promise<boolean> {
  const answered = await services.store.transaction(async (tables) => {
    const connection = await tables.connections.find({ shop, current: true, state: "unconfirmed" });
    if (!connection) return false;
    if (same) await takeOver(tables, connection);
    await tables.connections.update({ id: connection.id }, { state: "active", version: connection.version + 1 });
    const nowMs = services.clock.nowMs();
    await raiseTarget(tables, { shop, kind: "reconcile", key: "shop", nowMs, newId: () => services.random.id() });
    await recordActivity(services, tables, {
      shop,
      actor: "owner",
      kind: same ? "account_same" : "account_other",
      outcome: "done",
    });
    return true;
  });
  if (answered) services.wake();
  return answered;
}

async function takeOver(tables: Tables, { id, shop, environment }: { id: string; shop: string; environment: "test" | "production" }) {
  for (const link of await keptLinks(tables, { id, shop, environment })) {
    const { connectionId, locationId, templateId } = link;
    if (await tables.links.find({ connectionId: id, locationId })) continue;
    await tables.links.update({ id: link.id }, { connectionId: id });
    for (const verification of await tables.verifications.list({ shop, connectionId, templateId })) {
      await tables.verifications.insert({ ...verification, connectionId: id });
    }
    await tables.verifications.delete({ shop, connectionId, templateId });
  }
}
