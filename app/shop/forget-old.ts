import type { Services } from "../ports.ts";
import { forgetOrphans } from "./forget-orphans.ts";
import type { Forgetting } from "./forget-orphans.ts";

/**
 * Drops what a shop no longer needs to remember, by age, some rows at a time so that nobody waits long behind it. Only for whoever is
 * sure of the date.
 */

const DAY_MS = 24 * 3_600_000;
const ACTIVITY_DAYS = 90;
/** Shopify repeats a delivery for two days; whoever caught a signed one may send it again at any time. */
const RECEIPT_DAYS = 30;
const DRAFT_DAYS = 30;
const JOB_DAYS = 30;
/** A verdict without a template may be of one that does not show yet. */
const ORPHAN_DAYS = 7;
/** How many rows one statement deletes. */
const AT_ONCE = 200;

type Needs = Pick<Services, "store" | "clock">;

/** Deletes what is older than it is kept. @returns how many rows went. */
export async function forgetOld(services: Needs, { shop, stopped }: Forgetting): Promise<number> {
  const { clock } = services;
  const before = (days: number) => ({ lt: clock.nowMs() - days * DAY_MS });
  let gone = 0;
  for (const drop of [
    () => forgetActivity(services, { shop, atMs: before(ACTIVITY_DAYS) }),
    () => forgetReceipts(services, { shop, receivedAtMs: before(RECEIPT_DAYS) }),
    () => forgetJob(services, { shop, createdAtMs: before(JOB_DAYS) }),
    () => forgetEndedDrafts(services, { shop, endedAtMs: before(DRAFT_DAYS) }),
    () => forgetLostDrafts(services, { shop, createdAtMs: before(DRAFT_DAYS), endedAtMs: null }),
  ])
    for (let dropped = -1; dropped !== 0 && !stopped(); gone += dropped) dropped = await drop();
  return gone + (await forgetOrphans(services, { shop, stopped, changedAtMs: before(ORPHAN_DAYS) }));
}

interface Before {
  lt: number;
}

async function forgetActivity({ store }: Needs, old: { shop: string; atMs: Before }): Promise<number> {
  const rows = await store.activity.list(old, { orderBy: { atMs: "asc" }, limit: AT_ONCE });
  return rows.length > 0 ? store.activity.delete({ ...old, id: { in: rows.map(({ id }) => id) } }) : 0;
}

async function forgetReceipts({ store }: Needs, old: { shop: string; receivedAtMs: Before }): Promise<number> {
  const rows = await store.receipts.list(old, { limit: AT_ONCE });
  return rows.length > 0
    ? store.receipts.delete({ ...old, webhookId: { in: rows.map(({ webhookId }) => webhookId) } })
    : 0;
}

/** Deletes the oldest job, its items first; also a job that never ended, for it would keep others from starting. */
async function forgetJob({ store }: Needs, old: { shop: string; createdAtMs: Before }): Promise<number> {
  const { shop } = old;
  const [job] = await store.jobs.list(old, { orderBy: { createdAtMs: "asc" }, limit: 1 });
  if (!job) return 0;
  const items = await store.jobItems.list({ shop, jobId: job.id }, { limit: AT_ONCE });
  if (items.length === 0) return store.jobs.delete({ shop, id: job.id });
  return store.jobItems.delete({ shop, jobId: job.id, locationId: { in: items.map(({ locationId }) => locationId) } });
}

/** Deletes old drafts with their work items. A draft with an unclear write stays until that is cleared up. */
async function forgetEndedDrafts({ store }: Needs, old: { shop: string; endedAtMs: Before }): Promise<number> {
  const { shop } = old;
  const drafts = await store.drafts.list(old, { orderBy: { endedAtMs: "asc" }, limit: AT_ONCE });
  if (drafts.length === 0) return 0;
  return store.transaction(shop, async (tables) => {
    const workItems = await tables.workItems.list({ shop, kind: "template", key: { in: drafts.map(({ id }) => id) } });
    const unclear = await tables.pendingWrites.list({ shop, workItemId: { in: workItems.map(({ id }) => id) } });
    const held = new Set(unclear.map(({ workItemId }) => workItemId));
    const idle = workItems.filter(({ id, leaseOwner }) => leaseOwner === null && !held.has(id));
    const busy = new Set(workItems.filter((item) => !idle.includes(item)).map(({ key }) => key));
    await tables.workItems.delete({ shop, id: { in: idle.map(({ id }) => id) } });
    const ids = drafts.map(({ id }) => id).filter((id) => !busy.has(id));
    return tables.drafts.delete({ ...old, id: { in: ids } });
  });
}

/** Deletes drafts that never ended and that no work item will end any more. */
async function forgetLostDrafts(
  { store }: Needs,
  old: { shop: string; createdAtMs: Before; endedAtMs: null },
): Promise<number> {
  const { shop } = old;
  // What has a work item is somebody's, however old; there are few of them.
  const drafts = await store.drafts.list(old, { orderBy: { createdAtMs: "asc" } });
  const keys = drafts.map(({ id }) => id);
  const kept = new Set(
    (await store.workItems.list({ shop, kind: "template", key: { in: keys } })).map(({ key }) => key),
  );
  const lost = keys.filter((id) => !kept.has(id)).slice(0, AT_ONCE);
  return lost.length > 0 ? store.drafts.delete({ ...old, id: { in: lost } }) : 0;
}
