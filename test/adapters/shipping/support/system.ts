import { randomUUID } from "node:crypto";
import { AppError } from "../../../../app/domain/errors.ts";
import type { Clock, Log, Random } from "../../../../app/ports.ts";

/** True time and true chance, for tests in real time. */
export const clock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => reject(new AppError({ kind: "cancelled", message: "stopped", effect: "none" }));
      if (signal?.aborted) return stop();
      const onAbort = () => {
        clearTimeout(timer);
        stop();
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      }, ms);
      signal?.addEventListener("abort", onAbort, { once: true });
    }),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export const random: Random = { next: Math.random, id: randomUUID };

/** A log that keeps its lines. */
export function keptLog(): Log & { lines: { level: string; fields: Record<string, unknown>; message: string }[] } {
  const lines: { level: string; fields: Record<string, unknown>; message: string }[] = [];
  const at = (level: string) => (fields: Record<string, unknown>, message: string) =>
    void lines.push({ level, fields, message });
  return { lines, info: at("info"), warn: at("warn"), error: at("error") };
}
