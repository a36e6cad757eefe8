import { NEVER_MS } from "../domain/backoff.ts";
import type { JobItemRecord, RowConfirmed } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { requestWork } from "../runs/request-work.ts";
import { recordActivity } from "../activity/record-activity.ts";

/**
 * The owner confirmed a location and takes it back: nothing is made or written there until it is confirmed again. What was typed
 * stays. A location that would have been made without that word (`stood`) stays confirmed: only its link or the choice of a template goes,
 * and it is looked at as it was before. False, and nothing changed, when it is too late: a write is under way or done, or somebody has said
 * something of the location since. A run in between announces its write against the revision of the details, which this raises.
 */
export async function withdrawConfirmation(
  services: Pick<Services, "clock" | "random">,
  tables: Tables,
  { item, said }: { item: JobItemRecord; said: RowConfirmed },
): Promise<boolean> {
  const { shop, locationId, since, generation } = item;
  const workItemId = item.workItemId!;
  const workItem = await tables.workItems.find({ id: workItemId, shop });
  const details = await tables.details.find({ shop, locationId });
  if (!workItem || !details || workItem.observedGeneration >= generation) return false;
  if (said.revision !== undefined && said.revision !== details.revision) return false;
  if ((await tables.pendingWrites.count({ shop, workItemId })) > 0) return false;
  const connection = await tables.connections.find({ shop, current: true });
  const linked = connection && (await tables.links.find({ shop, connectionId: connection.id, locationId }));
  if (linked && (linked.id !== said.linkId || linked.syncedAtMs !== null)) return false;

  if (linked) await tables.links.delete({ shop, id: linked.id });
  const { stood = false, adoption = "ask" } = said;
  const after = { adoption, revision: details.revision + 1, ...(stood ? {} : { confirmedAtMs: null }) };
  await tables.details.update({ shop, locationId, revision: details.revision }, after);
  const location = await tables.locations.find({ shop, locationId });
  await recordActivity(services, tables, {
    ...{ shop, actor: "owner", outcome: "done", locationId },
    kind: stood && linked ? "unlinked" : "confirmation_withdrawn",
    locationName: location?.name ?? null,
    templateId: linked?.templateId ?? null,
  });
  if (stood) {
    await requestWork(services, tables, { shop, kind: "location", key: locationId });
    return true;
  }
  // Where somebody else wants a look as well, it happens, and finds nothing that may be sent.
  const own = { id: workItemId, shop, generation, observedGeneration: since, leaseOwner: null };
  await tables.workItems.update(own, {
    observedGeneration: generation,
    pendingSinceMs: null,
    dueAtMs: NEVER_MS,
    failures: 0,
    reason: null,
  });
  return true;
}
