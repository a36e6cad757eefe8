import type { Priority } from "../../../ports.ts";

/**
 * Where the budget's slots are kept: in this process, which is then the only one (`local-slots.ts`), or in a PostgreSQL database for all
 * processes that use it (`postgres-slots.ts`). The budget's line stands in front either way, so at most two calls of a shop and two of a
 * client id ask at a time, in their order.
 */

/** The service counts over a sliding second. A margin is added, because timers may fire a millisecond early. */
export const WINDOW_MS = 1_000;
export const SLOT_MS = 1_005;

/** Whose slots: one of the shop, and one of the client id in its environment. */
export interface Keys {
  shop: string;
  client: string;
}

export interface Ask extends Keys {
  priority: Priority;
  /** Since when the call stands before the slots, on the monotonic clock. */
  sinceMs: number;
  /** Whose credentials the call carries; a slot is refused as `superseded` when the store has another version of it. */
  connection?: { id: string; version: number } | undefined;
}

/** The right to have one request under way. */
export interface Permit {
  /** Whether a request's bytes may leave now. It is asked right before they do. */
  isFresh(): boolean;
  /** Keeps the right for another request, once it has rested. False: it is lost, and nothing may be sent. */
  renew(): Promise<boolean>;
  /** Gives the right back; nobody has it before that time of the monotonic clock. Resolves when the next call may ask. */
  give(freeAtMs: number): Promise<void>;
}

/** A permit, or after how many milliseconds to ask again. */
export type Taken = Permit | { waitMs: number };

export interface Slots {
  /** At once where this process keeps the slots itself. Rejects when nobody can tell whether a slot is free. */
  take(ask: Ask): Taken | Promise<Taken>;
  /** After a 429; see `Budget`. */
  pause(keys: Keys, said: { ms: number | null; sentAtMonotonicMs: number }): void;
  /** After any other answer. */
  flowing(keys: Keys): void;
  /** Until when nothing is sent, as far as this process knows; on the monotonic clock, `-Infinity` when something may be sent. */
  opensAtMs(keys: Partial<Keys>): number;
  /** What was given back is free for others when it resolves. */
  close(): Promise<void>;
}
