import { NEVER_MS } from "../domain/backoff.ts";
import { isPending } from "../domain/origin-state.ts";
import type { WorkItem } from "../domain/records.ts";
import type { Tables } from "../ports.ts";

/** Whether a run that may write the template is still to come or under way: its location's, or that of a change by hand. */
export async function isToBeWritten(
  { drafts, links, workItems }: Pick<Tables, "drafts" | "links" | "workItems">,
  { shop, connectionId, templateId }: { shop: string; connectionId: string; templateId: string },
): Promise<boolean> {
  const key = { shop, connectionId, templateId };
  const link = await links.find(key);
  if (link && isComing(await workItems.find({ shop, kind: "location", key: link.locationId }))) return true;
  const open = await drafts.list({ ...key, operation: "update", endedAtMs: null });
  const items = await Promise.all(open.map(({ id }) => workItems.find({ shop, kind: "template", key: id })));
  return items.some(isComing);
}

/** What a cancelled job left is pending and due never: it comes with the next change, whenever that is. */
function isComing(item: WorkItem | null): boolean {
  return isPending(item) && (item!.leaseOwner !== null || item!.dueAtMs < NEVER_MS);
}
