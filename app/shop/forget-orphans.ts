import { idsOfVerification, verificationKey } from "../domain/verification/verification-key.ts";
import type { Services } from "../ports.ts";

/** How many rows one statement deletes. */
const AT_ONCE = 200;

/** Of which shop, and how long. */
export interface Forgetting {
  shop: string;
  /** Whether to leave the rest for another time. */
  stopped: () => boolean;
}

interface Of {
  connectionId: string;
  templateId: string;
}

/**
 * Drops what was kept of the verification of templates that are gone, or whose connection is: work items that have nothing left to do, and
 * verdicts, each unchanged since `changedAtMs`. Gives how many rows went.
 */
export async function forgetOrphans(
  { store }: Pick<Services, "store">,
  { shop, stopped, changedAtMs }: Forgetting & { changedAtMs: { lt: number } },
): Promise<number> {
  let gone = 0;
  let after = "";
  while (!stopped()) {
    const idle = { shop, kind: "verification", leaseOwner: null, key: { gt: after } } as const;
    const workItems = await store.workItems.list(idle, { orderBy: { key: "asc" }, limit: AT_ONCE });
    if (workItems.length === 0) break;
    after = workItems.at(-1)!.key;
    const old = workItems.filter(({ updatedAtMs }) => updatedAtMs < changedAtMs.lt);
    const orphans = await withoutTemplate(store, {
      shop,
      rows: old.map((item) => ({ ...idsOfVerification(item.key), workItem: item })),
    });
    for (const { workItem: item, ...of } of orphans) {
      gone += await store.transaction(shop, async (tables) => {
        const connected = (await tables.connections.count({ shop, id: of.connectionId })) > 0;
        if (connected && (await tables.templates.count({ shop, ...of })) > 0) return 0;
        await tables.verifications.delete({ shop, ...of, changedAtMs });
        const { id, fence, generation } = item;
        return tables.workItems.delete({ shop, id, fence, generation, leaseOwner: null });
      });
    }
  }
  return gone + (await forgetVerdicts(store, { shop, stopped, changedAtMs }));
}

/** Verdicts that no work item follows. */
async function forgetVerdicts(
  store: Services["store"],
  { shop, stopped, changedAtMs }: Forgetting & { changedAtMs: { lt: number } },
): Promise<number> {
  let gone = 0;
  for (let offset = 0; !stopped();) {
    const rows = await store.verifications.list({ shop, changedAtMs }, { limit: AT_ONCE, offset });
    if (rows.length === 0) break;
    const orphans = await withoutTemplate(store, { shop, rows });
    let dropped = 0;
    for (const { connectionId, templateId, carrier } of orphans)
      dropped += await store.verifications.delete({ shop, connectionId, templateId, carrier, changedAtMs });
    offset += rows.length - dropped;
    gone += dropped;
  }
  return gone;
}

async function withoutTemplate<R extends Of>(
  store: Services["store"],
  { shop, rows }: { shop: string; rows: R[] },
): Promise<R[]> {
  const ids = [...new Set(rows.map(({ templateId }) => templateId))];
  const known = await store.templates.list({ shop, templateId: { in: ids } });
  const connections = new Map<string, boolean>();
  for (const { connectionId } of rows)
    if (!connections.has(connectionId))
      connections.set(connectionId, (await store.connections.count({ shop, id: connectionId })) > 0);
  const there = new Set(
    known.flatMap(({ connectionId, templateId }) =>
      connections.get(connectionId) ? [verificationKey(connectionId, templateId)] : [],
    ),
  );
  return rows.filter(({ connectionId, templateId }) => !there.has(verificationKey(connectionId, templateId)));
}
