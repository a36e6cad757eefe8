import type { VerificationRecord } from "../domain/records.ts";
import type { Services, Store } from "../ports.ts";

type ByTemplate = Map<string, VerificationRecord[]>;

interface Kept {
  count: number;
  changedAtMs: number;
  byTemplate: ByTemplate;
}

const kept = new WeakMap<Store, Map<string, Kept>>();

/** Two changes within one millisecond have one time: what changed a moment ago is read again, in milliseconds. */
const SETTLED_AFTER_MS = 2_000;

/**
 * What all carriers say of a connection's templates, by template. Three rows a location are most of what a list of a thousand reads,
 * and they change seldom: while their number and the time of the last change are as they were, so are the rows. When somebody last
 * looked (`checkedAtMs`) is not told truly here.
 */
export async function knownVerifications(
  { store, clock }: Pick<Services, "store" | "clock">,
  where: { shop: string; connectionId: string },
): Promise<ByTemplate> {
  const count = await store.verifications.count(where);
  const [latest] = await store.verifications.list(where, { orderBy: { changedAtMs: "desc" }, limit: 1 });
  if (!latest) return new Map();
  const { changedAtMs } = latest;
  const mine = kept.get(store) ?? new Map<string, Kept>();
  const known = mine.get(where.connectionId);
  if (known?.count === count && known.changedAtMs === changedAtMs) return known.byTemplate;
  const byTemplate = Map.groupBy(await store.verifications.list(where), (record) => record.templateId);
  mine.delete(where.connectionId);
  if (changedAtMs < clock.nowMs() - SETTLED_AFTER_MS) mine.set(where.connectionId, { count, changedAtMs, byTemplate });
  kept.set(store, mine);
  return byTemplate;
}
