import type { ConnectionRef, Services, Tables } from "../ports.ts";

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
