import { NEVER_MS } from "../domain/backoff.ts";
import type { JobItemRecord } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { recordActivity } from "../activity/record-activity.ts";

/**
 * The owner confirmed a location and takes it back: nothing is made or written there until it is confirmed again. What was typed
 * stays. False, and nothing changed, when it is too late: a write is under way or done. A run in between announces its write against
 * the revision of the details, which this raises.
 */
export async function withdrawConfirmation(
  services: Pick<Services, "clock" | "random">,
  tables: Tables,
  { item, linkId }: { item: JobItemRecord; linkId: string | null },
): Promise<boolean> {
  const { shop, locationId, since, generation } = item;
  const workItemId = item.workItemId!;
  const workItem = await tables.workItems.find({ id: workItemId, shop });
  const details = await tables.details.find({ shop, locationId });
  if (!workItem || !details || workItem.observedGeneration >= generation) return false;
  if ((await tables.pendingWrites.count({ shop, workItemId })) > 0) return false;
  const connection = await tables.connections.find({ shop, current: true });
  const linked = connection && (await tables.links.find({ shop, connectionId: connection.id, locationId }));
  if (linked && (linked.id !== linkId || linked.syncedAtMs !== null)) return false;

  if (linked) await tables.links.delete({ shop, id: linked.id });
  const said = { confirmedAtMs: null, adoption: "ask", revision: details.revision + 1 } as const;
  await tables.details.update({ shop, locationId, revision: details.revision }, said);
  // Where somebody else wants a look as well, it happens, and finds nothing that may be sent.
  const own = { id: workItemId, shop, generation, observedGeneration: since, leaseOwner: null };
  await tables.workItems.update(own, {
    observedGeneration: generation,
    pendingSinceMs: null,
    dueAtMs: NEVER_MS,
    failures: 0,
    reason: null,
  });
  const location = await tables.locations.find({ shop, locationId });
  await recordActivity(services, tables, {
    ...{ shop, actor: "owner", kind: "confirmation_withdrawn", outcome: "done", locationId },
    locationName: location?.name ?? null,
  });
  return true;
}
