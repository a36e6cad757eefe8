import { AppError } from "../../domain/errors.ts";

/** The faults that more than one file here throws. None of them was ever sent. */

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

/** Ends as `work` does, or rejects with `cancelled` as soon as the signal fires; `work` itself goes on, its end unheard. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  if (signal.aborted) {
    // A rejection that nobody handles would end the process.
    work.catch(() => undefined);
    return Promise.reject(cancelled());
  }
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(cancelled());
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
