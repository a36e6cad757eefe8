import { setTimeout as pause } from "node:timers/promises";

/**
 * Calls `send` `perSecond` times a second for `forMs`, each when it is due, whatever the calls before it take. Resolves when all are over.
 * `send` is told its number and when it was due, by `performance.now()`.
 */
export async function atPace(
  { perSecond, forMs }: { perSecond: number; forMs: number },
  send: (number: number, dueMs: number) => Promise<void>,
): Promise<void> {
  const underWay: Promise<void>[] = [];
  const beganMs = performance.now();
  const all = Math.round((perSecond * forMs) / 1_000);
  while (underWay.length < all) {
    const due = Math.min(all, Math.floor(((performance.now() - beganMs) * perSecond) / 1_000));
    while (underWay.length < due) underWay.push(send(underWay.length, beganMs + (underWay.length * 1_000) / perSecond));
    await pause(1);
  }
  await Promise.all(underWay);
}
