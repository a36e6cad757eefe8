import type { ConnectionRef, Services, Tables } from "../ports.ts";
import { failsByItself } from "../runs/blame.ts";
import { listAgain } from "../runs/look-again.ts";
import { requestWork } from "../runs/request-work.ts";

/**
 * Somebody changed or deleted templates that stand for a location: its own run looks at it. `told`: templates of which the reading before
 * told the same. A work item that fails since is not asked for again by that: it would begin to count anew at each reading, and never rest.
 */
export async function requestLinked(
  services: Services,
  tables: Tables,
  { ref, templateIds, told }: { ref: ConnectionRef; templateIds: string[]; told?: ReadonlySet<string> },
): Promise<void> {
  if (templateIds.length === 0) return;
  const { shop, id: connectionId } = ref;
  for (const link of await tables.links.list({ shop, connectionId, templateId: { in: templateIds } })) {
    const key = { shop, kind: "location", key: link.locationId } as const;
    const known = await tables.workItems.find(key);
    const isPending = known !== null && known.generation > known.observedGeneration;
    if (isPending && failsByItself(known) && told?.has(link.templateId)) continue;
    await requestWork(services, tables, { ...key, known });
  }
}

/** A list that is well again shows few templates otherwise than they are known. One that shows more is an old one. */
const MOST_OTHERWISE = 25;

/** A listing that is not believed shows these templates otherwise than they are known. Those that stand for a location are read by themselves. */
export async function readLinkedAgain(
  services: Services,
  tables: Tables,
  { ref, templateIds }: { ref: ConnectionRef; templateIds: string[] },
): Promise<void> {
  if (templateIds.length > MOST_OTHERWISE) return;
  const links = await tables.links.list({ shop: ref.shop, connectionId: ref.id, templateId: { in: templateIds } });
  const linked = links.map(({ templateId }) => templateId);
  await listAgain(services, tables, { ref, templateIds: linked });
  await requestLinked(services, tables, { ref, templateIds: linked });
}
