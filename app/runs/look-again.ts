import type { LinkRecord, WorkItem } from "../domain/records.ts";
import { idsOfVerification } from "../domain/verification/verification-key.ts";
import type { Tables } from "../ports.ts";
import { requestWork } from "./request-work.ts";
import type { Run } from "./run.ts";

/**
 * A run that has lost its lease, or during which the date changed, keeps nothing of what the service told it, and whoever ran in its place
 * may have looked before that was so. Another look follows, as one does after the end of a process: the template it looked at, if it stands
 * for a location, is read anew, and so is the whole book after a run that read it, for it tells of every location.
 */
export async function requestLookAgain({ services, item, listCalls }: Run): Promise<void> {
  const { store, clock, log } = services;
  const { shop, id, kind } = item;
  try {
    await store.transaction(shop, async (tables) => {
      if (kind === "reconcile" || listCalls > 0)
        await requestWork(services, tables, { shop, kind: "reconcile", key: "shop", unchanged: true });
      const link = await linkOf(tables, item);
      if (!link) return;
      const { connectionId, templateId, locationId } = link;
      const known = { shop, connectionId, templateId, disputedSinceMs: null };
      await tables.templates.update(known, { disputedSinceMs: clock.nowMs() });
      await requestWork(services, tables, { shop, kind: "location", key: locationId, unchanged: true });
    });
    services.wake();
  } catch (error) {
    log.warn({ shop, workItemId: id, kind, error }, "another look could not be asked for");
  }
}

/** The link of the template that a work item's run looks at. */
async function linkOf(
  tables: Pick<Tables, "connections" | "drafts" | "links">,
  { shop, kind, key }: WorkItem,
): Promise<LinkRecord | null> {
  switch (kind) {
    case "location": {
      const connection = await tables.connections.find({ shop, current: true });
      return connection && tables.links.find({ shop, connectionId: connection.id, locationId: key });
    }
    case "verification":
      return tables.links.find({ shop, ...idsOfVerification(key) });
    case "template": {
      const draft = await tables.drafts.find({ id: key, shop });
      if (!draft || draft.templateId === null) return null;
      return tables.links.find({ shop, connectionId: draft.connectionId, templateId: draft.templateId });
    }
    default:
      return null;
  }
}
