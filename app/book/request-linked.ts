import type { ConnectionRef, Services, Tables } from "../ports.ts";
import { requestWork } from "../runs/request-work.ts";

/** Somebody changed or deleted templates that stand for a location: its own run looks at it. */
export async function requestLinked(
  services: Services,
  tables: Tables,
  { ref, templateIds }: { ref: ConnectionRef; templateIds: string[] },
): Promise<void> {
  if (templateIds.length === 0) return;
  const { shop, id: connectionId } = ref;
  for (const { locationId } of await tables.links.list({ shop, connectionId, templateId: { in: templateIds } }))
    await requestWork(services, tables, { shop, kind: "location", key: locationId });
}
