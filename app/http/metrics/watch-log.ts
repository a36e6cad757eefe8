import { ALARMS, type Log, type LogFields } from "../../ports.ts";
import type { Series } from "./series.ts";

/** The same log, of whose lines something is noted. */
export function noteLines(log: Log, note: (fields: LogFields) => void): Log {
  return {
    info: (fields, message) => (note(fields), log.info(fields, message)),
    warn: (fields, message) => (note(fields), log.warn(fields, message)),
    error: (fields, message) => (note(fields), log.error(fields, message)),
  };
}

/** Counts the lines with an alarm, also those that the log's level leaves out. */
export function watchAlarms(log: Log, { alarms }: Series): Log {
  // Prometheus sees no increase in a series that begins with 1, and most alarms come once.
  for (const alarm of ALARMS) alarms.inc({ alarm }, 0);
  return noteLines(log, ({ alarm }) => {
    if (alarm !== undefined) alarms.inc({ alarm });
  });
}
