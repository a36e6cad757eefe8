import type { Log } from "../../ports.ts";

/** Who may use a database: what its lock is asked, and how it is taken. */

export interface DatabaseLock {
  /** No other process works on the database while this one has the lock. */
  alone: boolean;
  /** Whether this process still holds the lock. */
  isOurs(): Promise<boolean>;
  release(): Promise<void>;
}

export interface LockInput {
  url: string;
  /** How long a predecessor may take to end. */
  waitMs: number;
  /** Alone even where several processes may work beside each other: for what must find no app running. */
  alone?: boolean;
  log: Log;
}
