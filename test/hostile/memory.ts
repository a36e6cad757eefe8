import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** What a process of Node's holds, in megabytes: as the system counts it, and once its garbage is collected. */
export interface Memory {
  resident: number;
  live: number;
}

/**
 * Asks over Node's inspector, which the process opens on `port` (`--inspect-port`) when it gets the signal. V8 gives memory back when it needs
 * some, so that what the system counts tells how busy a process was, not what it keeps.
 */
export async function memoryOf({ pid, port }: { pid: number; port: number }): Promise<Memory> {
  const resident = residentMb(pid);
  process.kill(pid, "SIGUSR1");
  const inspector = new WebSocket(await inspectorUrl(port));
  await new Promise((open, failed) => {
    inspector.addEventListener("open", open, { once: true });
    inspector.addEventListener("error", failed, { once: true });
  });
  const answers = new Map<number, () => void>();
  inspector.addEventListener("message", ({ data }) => answers.get((JSON.parse(String(data)) as { id: number }).id)?.());
  const ask = (method: string) =>
    new Promise<void>((answered) => {
      const id = answers.size + 1;
      answers.set(id, answered);
      inspector.send(JSON.stringify({ id, method }));
    });
  // The second time finds what the first one let go of.
  for (const method of ["HeapProfiler.enable", "HeapProfiler.collectGarbage", "HeapProfiler.collectGarbage"])
    await ask(method);
  inspector.close();
  return { resident, live: residentMb(pid) };
}

/** Node opens it a moment after the signal. */
async function inspectorUrl(port: number): Promise<string> {
  for (let tries = 1; ; tries += 1)
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
      const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
      return target!.webSocketDebuggerUrl;
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(100);
    }
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) / 1_024;
}
