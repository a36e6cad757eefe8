import { AppError } from "../../domain/errors.ts";

/** The faults that more than one file here throws. In all of them nothing was sent. */

export function cancelled(): AppError {
  return new AppError({ kind: "cancelled", message: "the caller stopped waiting", effect: "none" });
}

export function superseded(connectionId: string): AppError {
  return new AppError({
    kind: "superseded",
    message: `connection ${connectionId} has changed meanwhile`,
    effect: "none",
  });
}

export function notConnected(reason: string): AppError {
  return new AppError({ kind: "not_connected", message: reason, effect: "none" });
}

/** Ends as `work` does, or rejects with `cancelled` as soon as the signal fires. Then `work` goes on, and its end is ignored. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  if (signal.aborted) {
    // A rejection without a handler is reported as a defect.
    work.catch(() => undefined);
    return Promise.reject(cancelled());
  }
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(cancelled());
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
