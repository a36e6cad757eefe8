import { GET_BEHIND_MS } from "../domain/plan/replaced.ts";
import type { WorkItem } from "../domain/records.ts";
import { idsOfVerification } from "../domain/verification/verification-key.ts";
import type { ConnectionRef, Services, Tables } from "../ports.ts";
import { nextReading } from "./next-reading.ts";
import { requestWork } from "./request-work.ts";
import type { Run } from "./run.ts";

/**
 * A run that has lost its lease, or during which the date changed, keeps nothing of what the service told it, and whoever ran in its place
 * may have looked before that was so. Another look follows, as one does after the end of a process: the template it looked at is doubted, so
 * that whatever comes to rest on it reads it first; if it stands for a location, it is read anew at once, and a list of half a minute later
 * tells of it where that fails. The whole book is read at once after a run that read it, for it tells of every location.
 */
export async function requestLookAgain({ services, item, listCalls, lookedAt }: Run): Promise<void> {
  const { store, log } = services;
  const { shop, id, kind } = item;
  try {
    await store.transaction(shop, async (tables) => {
      if (kind === "reconcile" || listCalls > 0)
        await requestWork(services, tables, { shop, kind: "reconcile", key: "shop", unchanged: true });
      const own = await templateOf(tables, item);
      // What it asked for may stand for another location by now.
      const asked = new Map(
        [...lookedAt, ...(own ? [own] : [])].map((one) => [`${one.connectionId} ${one.templateId}`, one]),
      );
      for (const one of asked.values()) {
        const template = { shop, connectionId: one.connectionId, templateId: one.templateId };
        // Also where it is in doubt already: an answer that was asked for before this ends an earlier doubt only. Its reading is another
        // one from now on, so that no write goes that was planned on what this run may have been told otherwise.
        const reading = await nextReading(tables, { id: one.connectionId });
        await tables.templates.update(template, { reading });
        const ref = { shop, id: one.connectionId };
        await listAgain(services, tables, { ref, templateIds: [one.templateId] });
        const link = await tables.links.find(template);
        if (link)
          await requestWork(services, tables, { shop, kind: "location", key: link.locationId, unchanged: true });
      }
    });
    services.wake();
  } catch (error) {
    log.warn({ shop, workItemId: id, kind, error }, "another look could not be asked for");
  }
}

/**
 * Marks templates of which nobody knows what they are like: a list was not believed, for their own answers were younger, or what was read
 * of them could not be kept. Their own GETs tell; where one of them fails, a list of half a minute later does, so the next look at
 * everything comes then. A reconcile that is under way sees to it at its end.
 */
export async function listAgain(
  { clock, settings }: Pick<Services, "clock" | "settings">,
  tables: Pick<Tables, "templates" | "workItems">,
  { ref, templateIds }: { ref: Pick<ConnectionRef, "shop" | "id">; templateIds: string[] },
): Promise<void> {
  if (templateIds.length === 0) return;
  const { shop, id: connectionId } = ref;
  const nowMs = clock.nowMs();
  await tables.templates.update({ shop, connectionId, templateId: { in: templateIds } }, { disputedSinceMs: nowMs });
  const dueAtMs = nowMs + settings.listingsApartMs;
  const look = { shop, kind: "reconcile", key: "shop", state: "active", leaseUntilMs: null } as const;
  await tables.workItems.update({ ...look, dueAtMs: { gt: dueAtMs } }, { dueAtMs });
}

/**
 * Which of these templates we have deleted a moment ago, each with the time until when a list and a GET may still show it, by the time of day.
 * One that is linked again stands for its location until the next look at everything.
 */
export async function deletedLately(
  { clock }: Pick<Services, "clock">,
  tables: Pick<Tables, "activity">,
  { shop, templateIds }: { shop: string; templateIds: readonly string[] },
): Promise<Map<string, number>> {
  if (templateIds.length === 0) return new Map();
  const nowMs = clock.nowMs();
  const atMs = { gte: nowMs - GET_BEHIND_MS };
  const lately = { shop, templateId: { in: [...templateIds] }, kind: "template_deleted", atMs } as const;
  const deleted = await tables.activity.list(lately, { orderBy: { atMs: "asc" } });
  // What a wrong clock dated far ahead holds nobody up.
  const sure = deleted.filter((each) => each.atMs <= nowMs + GET_BEHIND_MS);
  return new Map(sure.map((each) => [each.templateId!, each.atMs + GET_BEHIND_MS]));
}

/** The template that a work item's run looks at. */
async function templateOf(
  tables: Pick<Tables, "connections" | "drafts" | "links" | "moves">,
  { shop, kind, key }: WorkItem,
): Promise<{ connectionId: string; templateId: string } | null> {
  switch (kind) {
    case "location": {
      const connection = await tables.connections.find({ shop, current: true });
      const link = connection && (await tables.links.find({ shop, connectionId: connection.id, locationId: key }));
      return link && { connectionId: link.connectionId, templateId: link.templateId };
    }
    case "move": {
      const move = await tables.moves.find({ shop, locationId: key });
      return move?.templateId ? { connectionId: move.connectionId, templateId: move.templateId } : null;
    }
    case "verification":
      return idsOfVerification(key);
    case "template": {
      const draft = await tables.drafts.find({ id: key, shop });
      if (!draft || draft.templateId === null) return null;
      return { connectionId: draft.connectionId, templateId: draft.templateId };
    }
    default:
      return null;
  }
}
