import type { Log } from "../../ports.ts";

/** One process a database: what its lock is asked, and how it is taken. */

export interface DatabaseLock {
  /** Whether this process is still the one of its database. */
  isOurs(): Promise<boolean>;
  release(): Promise<void>;
}

export interface LockInput {
  url: string;
  /** How long a predecessor may take to end. */
  waitMs: number;
  log: Log;
  /** The lock is gone, and another process may have it. */
  onLost: () => void;
  /** PostgreSQL's server must have run for so long. */
  settledMs?: number;
}
