import type { ConnectionRef, Services, Tables } from "../ports.ts";

/**
 * A list was not believed of these templates, for their own answers were younger. Their own GETs tell; where one of them fails, a list of
 * half a minute later does, so the next look at everything comes then. A reconcile that is under way sees to it at its end.
 */
export async function listAgain(
  { clock, settings }: Pick<Services, "clock" | "settings">,
  tables: Pick<Tables, "templates" | "workItems">,
  { ref, templateIds }: { ref: ConnectionRef; templateIds: string[] },
): Promise<void> {
  if (templateIds.length === 0) return;
  const { shop, id: connectionId } = ref;
  const nowMs = clock.nowMs();
  await tables.templates.update({ shop, connectionId, templateId: { in: templateIds } }, { disputedSinceMs: nowMs });
  const dueAtMs = nowMs + settings.listingsApartMs;
  const look = { shop, kind: "reconcile", key: "shop", state: "active", leaseUntilMs: null } as const;
  await tables.workItems.update({ ...look, dueAtMs: { gt: dueAtMs } }, { dueAtMs });
}
