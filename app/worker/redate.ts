import {
  CONNECTION_LONGEST_MS,
  COSTLY_FROM,
  longestDelayMs,
  NEVER_MS,
  READS_BOOK,
  WORK_ITEM_KINDS,
} from "../domain/backoff.ts";
import type { WorkItemKind, WorkItem, VerificationRecord } from "../domain/records.ts";
import { lastUntil } from "../runs/quarantines.ts";
import { LONGEST_POLL_MS } from "../domain/verification/verification.ts";
import type { Services, Tables, Where } from "../ports.ts";

/**
 * Corrects due times and guards that a process with a wrong clock wrote: those further ahead than they ever are, or in rows written later
 * than now. Such work is due now. A guard (a quarantine, a lease, a connection's rest) lasts its full length from now, because nobody knows
 * how much of it has passed.
 */

/** Rows in one statement, so that nobody waits long for it. */
const AT_ONCE = 500;
/** A time ahead by less than this is normal: two processes' times of day differ by what the wall clock was corrected in between. */
const SLACK_MS = 60_000;

/** Resolves to how many were corrected. */
export async function redate(services: Pick<Services, "store" | "clock" | "settings">): Promise<number> {
  return (await redateGuards(services)) + (await redateWork(services));
}

async function redateWork({ store, clock }: Pick<Services, "store" | "clock">): Promise<number> {
  const nowMs = clock.nowMs();
  let found = 0;
  const later = (kind: WorkItemKind, failures: number) => ({ gt: nowMs + longestDelayMs(kind, failures) + SLACK_MS });
  for (const kind of WORK_ITEM_KINDS) {
    const few = READS_BOOK.includes(kind) ? { failures: { lt: COSTLY_FROM } } : {};
    found += await dueNow(store, nowMs, { kind, ...few, dueAtMs: later(kind, 0) });
  }
  found += await dueNow(store, nowMs, { kind: { in: READS_BOOK }, dueAtMs: later("reconcile", COSTLY_FROM) });
  const ahead = { gt: nowMs + SLACK_MS };
  // A clock that was an hour ahead writes due times that many kinds may have. The time at which the row was written gives the clock away.
  found += await dueNow(store, nowMs, { updatedAtMs: ahead, dueAtMs: { gt: nowMs } });
  found += await lookNow(store, nowMs, { nextPollAtMs: { gt: nowMs + LONGEST_POLL_MS + SLACK_MS } });
  for (const written of [{ askedAtMs: ahead }, { checkedAtMs: ahead }])
    found += await lookNow(store, nowMs, { ...written, nextPollAtMs: { gt: nowMs } });
  return found;
}

async function dueNow(
  { workItems }: Pick<Tables, "workItems">,
  nowMs: number,
  which: Where<WorkItem>,
): Promise<number> {
  const waiting = { ...which, state: "active", leaseUntilMs: null } as const;
  let found = 0;
  for (;;) {
    const rows = await workItems.list(waiting, { orderBy: { dueAtMs: "asc" }, limit: AT_ONCE });
    const ids = rows.filter(({ dueAtMs }) => dueAtMs < NEVER_MS).map(({ id }) => id);
    if (ids.length > 0) found += await workItems.update({ ...waiting, id: { in: ids } }, { dueAtMs: nowMs });
    // Rows that are due at `NEVER_MS` come last, so a list that holds one, or is not full, is the last list.
    if (ids.length < AT_ONCE) return found;
  }
}

async function lookNow(
  { verifications }: Pick<Tables, "verifications">,
  nowMs: number,
  which: Where<VerificationRecord>,
): Promise<number> {
  return verifications.update({ ...which, question: "asked" }, { nextPollAtMs: nowMs });
}

async function redateGuards({
  store,
  clock,
  settings,
}: Pick<Services, "store" | "clock" | "settings">): Promise<number> {
  const nowMs = clock.nowMs();
  const [leaseEndsMs, quarantineEndsMs, restEndsMs] = [
    nowMs + settings.leaseMs,
    nowMs + settings.quarantineMs,
    nowMs + CONNECTION_LONGEST_MS,
  ];
  let found = 0;
  const leased = { state: "active", dueAtMs: { gt: leaseEndsMs }, leaseUntilMs: { gt: leaseEndsMs } } as const;
  for (const { id, shop } of await store.workItems.list(leased, { orderBy: { dueAtMs: "asc" }, limit: AT_ONCE }))
    found += await store.workItems.update({ id, shop, ...leased }, { dueAtMs: leaseEndsMs, leaseUntilMs: leaseEndsMs });
  const unclear = { quarantineUntilMs: { gt: quarantineEndsMs } };
  for (const { id, shop } of await store.pendingWrites.list(unclear))
    found += await store.transaction(shop, async (tables) => {
      const pendingWrite = await tables.pendingWrites.find({ id, ...unclear });
      if (pendingWrite) await lastUntil(tables, pendingWrite, { untilMs: quarantineEndsMs, nowMs });
      return pendingWrite ? 1 : 0;
    });
  const resting = { backoffUntilMs: { gt: restEndsMs } };
  // Counts rows and reads none, because a row whose secret does not decrypt must not stop the others.
  if ((await store.connections.count(resting)) > 0)
    found += await store.connections.update(resting, { backoffUntilMs: restEndsMs });
  return found;
}
