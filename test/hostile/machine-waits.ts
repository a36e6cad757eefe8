import { readFileSync } from "node:fs";

/**
 * How long the main thread of a process has waited for a processor since its start, in milliseconds; 0 where the system does not tell (Linux
 * does). An answer that came late because the machine had no processor to give says nothing of the app.
 */
export function machineWaitsMs(pid: number | "self" | null): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ");
    return Number(waitedNs) / 1e6;
  } catch {
    return 0;
  }
}
