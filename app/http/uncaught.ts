import type { Log } from "../ports.ts";

/** What the process says and does about errors that nobody caught. */

export interface UncaughtOptions {
  log: Log;
  /** The process itself, or a test's stand-in. */
  from?: Pick<NodeJS.Process, "on">;
  exit?: (code: number) => void;
}

/**
 * Takes over from Node, which would print errors whole, tokens included, and end the process for both kinds.
 *
 * An error that was thrown and not caught left code half-way, so the process exits. Work items, leases and pending writes in the database
 * tell the next process what was under way. A rejection that nobody handled left nothing half-way: every result that anything depends on is
 * awaited, and whoever awaits it deals with it. Ending the process for it would let one forgotten promise of one shop stop all shops, again
 * after each restart. It is a defect all the same: it is logged as an error with its number since the start.
 */
export function handleUncaught({ log, from = process, exit = process.exit }: UncaughtOptions): void {
  let rejections = 0;
  from.on("uncaughtException", (error) => {
    log.error({ error }, "the process cannot go on");
    exit(1);
  });
  from.on("unhandledRejection", (reason) => {
    rejections += 1;
    log.error({ error: reason, rejections }, "nobody handled a rejected promise");
  });
}
