import type { PendingWrite } from "../domain/records.ts";
import type { Tables } from "../ports.ts";
import { rememberCreate } from "./unseen-creates.ts";

/**
 * Writes that were unclear over one client id are so still over another one of the same account. A template has one unclear write on a
 * connection: where this one has one already, its quarantine covers both, and what the other one said stays with its link. In the caller's
 * transaction.
 */
export async function passWritesOver(
  tables: Pick<Tables, "links" | "pendingWrites" | "details">,
  { shop, from, to, templateId }: { shop: string; from: string; to: string; templateId?: string },
): Promise<void> {
  const which = { shop, connectionId: from, ...(templateId !== undefined && { templateId }) };
  for (const pendingWrite of await tables.pendingWrites.list(which)) {
    const { id, templateId: place, quarantineUntilMs } = pendingWrite;
    const there = place === null ? null : await tables.pendingWrites.find({ connectionId: to, templateId: place });
    if (!there) {
      await tables.pendingWrites.update({ id }, { connectionId: to });
      continue;
    }
    await tables.pendingWrites.update(
      { id: there.id, quarantineUntilMs: { lt: quarantineUntilMs } },
      { quarantineUntilMs },
    );
    await setUnclearAside(tables, pendingWrite);
  }
}

/**
 * Nobody waits for an unclear write any more. What it said is kept with its link, which may come into use again, or pass over; what a create
 * said, with its location; a change by hand is read and planned anew. In the caller's transaction.
 */
export async function setUnclearAside(
  tables: Pick<Tables, "links" | "pendingWrites" | "details">,
  pendingWrite: PendingWrite,
): Promise<void> {
  const { id, shop, connectionId, locationId, templateId, operation, payload } = pendingWrite;
  await tables.pendingWrites.delete({ id });
  if (operation === "create") return rememberCreate(tables, pendingWrite, { leftOver: connectionId });
  if (locationId === null || templateId === null) return;
  await tables.links.update({ shop, connectionId, locationId, templateId }, { unclear: { operation, payload } });
}
