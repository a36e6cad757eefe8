import { AppError } from "../domain/errors.ts";
import { gainedMs, isSameDay } from "../domain/moment.ts";
import type { Moment } from "../domain/moment.ts";
import type { BlockedReason, WorkItemKind, WorkItemReason, WorkItem } from "../domain/records.ts";
import type { ConnectionRef, Priority, Services, Tables, Transaction } from "../ports.ts";

/**
 * A run: one attempt at a work item, under its lease, and how it may end. What a run does is in the rooms above; how it is fenced,
 * gated and ended is in this one. Nothing here knows what a template is.
 */

export interface Run {
  services: Services;
  /** As claimed: `generation` is what this run answers, `fence` what every write of it names. */
  item: WorkItem;
  priority: Priority;
  signal: AbortSignal;
  /** When it was claimed: what was read before the machine slept is old, and times from before a change of the date are no times. */
  began: Moment & { nowMs: number };
  /** Set by the gate: what this run calls over, though another may be current by its end. */
  over: ConnectionRef | null;
  /** Set by the gate: this run is the one that finds out whether a resting connection is well again. */
  probing: boolean;
  /** Of that probe: until when it was to hold up the others, and when the connection's rest had ended. */
  probe: { connectionId: string; endsMs: number; restEndedMs: number } | null;
  /** The service has answered this run. */
  answered: boolean;
  /** When its last request left; what was answered long ago, and is read only now, says nothing of the connection as it is. */
  sentAt: Moment | null;
  /** How many calls its readings of the whole address book took. */
  listCalls: number;
  /** The templates that it asked for by themselves. */
  lookedAt: { connectionId: string; templateId: string }[];
  /** What this run has met may be the connection's: nothing that was asked since was answered. */
  suspected: boolean;
  /** The service answered a question in its place just before it began: what it meets is its own. */
  cleared: boolean;
}

export type RunEnd =
  /** `alongside`: what else is true once the run has ended, in the transaction that writes the end. */
  | { kind: "done"; againAtMs?: number | null; alongside?: (tables: Transaction) => Promise<void> }
  /** Only a person, or a change elsewhere, can mend it. */
  | { kind: "blocked"; reason: WorkItemReason }
  /**
   * Not a failure of the work item's, and never without a reason: a page tells it (`domain/reason-places.ts`). `behind`: the connection that rests;
   * should it be well by now, the run comes again at once. `isOver`: whether something else that it waits for is over by now, asked in the
   * transaction that writes the end. Whoever ended that woke only those that waited then.
   */
  | {
      kind: "waits";
      untilMs: number;
      reason: WorkItemReason;
      behind?: string;
      isOver?: (tables: Tables) => Promise<boolean>;
    }
  /** The work item's own. `metAtMs`: when; now when absent. What the service answers after that is news. */
  | { kind: "failed"; error: AppError; metAtMs?: number }
  /** The shop was erased, and the work item with it. */
  | { kind: "erased" };

const PRIORITY_OF: Record<WorkItemKind, Priority> = {
  location: "sync",
  template: "sync",
  verification: "verification",
  reconcile: "reconcile",
  job: "sync",
  uninstall: "sync",
  redact: "sync",
  told: "sync",
  move: "sync",
  flow: "sync",
};

export function priorityOf(kind: WorkItemKind): Priority {
  return PRIORITY_OF[kind];
}

/** What the wall clock may gain during a run; more is a sleep of the machine, or somebody set the clock. */
const MAY_GAIN_MS = 5_000;

/** A transaction of a run's that is awake and holds its lease; rejects with `superseded` otherwise, and nothing is written. */
export async function commit<T>(run: Run, work: (tables: Transaction) => Promise<T>): Promise<T> {
  const moved = clockMoved(run);
  if (moved !== null) throw superseded(moved);
  return commitFenced(run, work);
}

/** Why what the run was told is kept no more, where the machine slept or the date changed since it was claimed; null where neither is so. */
export function clockMoved({ services: { clock }, began }: Run): string | null {
  if (gainedMs(clock, began) > MAY_GAIN_MS) return "the machine slept during the run";
  return isSameDay(clock, began) ? null : "another date was taken over during the run";
}

/**
 * A transaction that begins by proving that the lease is still ours; rejects with `superseded` when it is not. One that ran out is
 * not, though nobody took it. For what holds whatever was read before: how a run ended.
 */
export function commitFenced<T>(run: Run, work: (tables: Transaction) => Promise<T>): Promise<T> {
  const { services, item } = run;
  return services.store.transaction(item.shop, async (tables) => {
    const nowMs = services.clock.nowMs();
    const held = { id: item.id, fence: item.fence, leaseOwner: item.leaseOwner, leaseUntilMs: { gt: nowMs } };
    if ((await tables.workItems.update(held, { updatedAtMs: nowMs })) === 0) {
      throw superseded("the lease passed to another run");
    }
    return work(tables);
  });
}

/** Nothing was sent: what the work was planned on has changed. */
export function superseded(message: string): AppError {
  return new AppError({ kind: "superseded", message, effect: "none" });
}

export function reasonOf(run: Run, code: WorkItemReason["code"], said: Partial<WorkItemReason> = {}): WorkItemReason {
  return { code, message: null, fields: null, requestId: null, ...said, atMs: run.services.clock.nowMs() };
}

type Blocked = Extract<RunEnd, { kind: "blocked" }>;

export function blocked(
  run: Run,
  code: BlockedReason | WorkItemReason["code"],
  said?: Partial<WorkItemReason>,
): Blocked {
  return { kind: "blocked", reason: reasonOf(run, code, said) };
}

/** An answer that the interface does not have for this operation. */
export function unexpected(operation: string, requestId: string): AppError {
  return new AppError({
    kind: "unexpected_status",
    message: `${operation}: the service found nothing there`,
    requestId,
    effect: "none",
    status: 404,
  });
}
