/** How long the event loop is held at a stretch, in processor time of this thread: what else runs on the machine does not count. */
export interface StretchWatch {
  /** Ends the watch; milliseconds. */
  longestMs(): Promise<number>;
}

/** A turn of the event loop follows another at once where nothing holds it, so what was spent between two is what was held. */
export function watchStretches(): StretchWatch {
  let lastMs = spentMs();
  let longestMs = 0;
  let over: (() => void) | null = null;
  const turn = (): void => {
    const nowMs = spentMs();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
    if (over) over();
    else setImmediate(turn);
  };
  setImmediate(turn);
  return {
    longestMs: () =>
      new Promise((resolve) => {
        over = () => resolve(longestMs);
      }),
  };
}

function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
