import { NEVER_MS } from "../domain/backoff.ts";
import { isPending } from "../domain/origin-state.ts";
import { skipReason } from "../domain/plan/skip-reason.ts";
import type { WorkItem } from "../domain/records.ts";
import type { Tables } from "../ports.ts";

/**
 * Whether a run that may write the template is still to come or under way: its location's, or that of a change by hand. A run of a location
 * that is closed, excluded or paused writes nothing, however often a reading requests it; but what it sent before and is unclear may put
 * the address back yet.
 */
export async function isToBeWritten(
  tables: Pick<Tables, "details" | "drafts" | "links" | "locations" | "pendingWrites" | "shops" | "workItems">,
  { shop, connectionId, templateId }: { shop: string; connectionId: string; templateId: string },
): Promise<boolean> {
  const { drafts, links, workItems } = tables;
  const key = { shop, connectionId, templateId };
  const link = await links.find(key);
  const item = link && (await workItems.find({ shop, kind: "location", key: link.locationId }));
  if (link && item && isComing(item)) {
    if ((await tables.pendingWrites.count({ shop, workItemId: item.id })) > 0) return true;
    if (!(await isSkipped(tables, link))) return true;
  }
  const open = await drafts.list({ ...key, operation: "update", endedAtMs: null });
  const items = await Promise.all(open.map(({ id }) => workItems.find({ shop, kind: "template", key: id })));
  return items.some(isComing);
}

async function isSkipped(
  { details, locations, shops }: Pick<Tables, "details" | "locations" | "shops">,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<boolean> {
  const location = await locations.find({ shop, locationId });
  const known = await shops.find({ shop });
  if (!location || !known) return true;
  const { policies } = known;
  return skipReason({ location, details: await details.find({ shop, locationId }), policies }) !== null;
}

/** What a cancelled job left is pending and due never: it comes with the next change, whenever that is. */
function isComing(item: WorkItem | null): boolean {
  return isPending(item) && (item!.leaseOwner !== null || item!.dueAtMs < NEVER_MS);
}
