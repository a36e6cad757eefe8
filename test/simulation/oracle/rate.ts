import type { Arrival } from "../../fakes/shipping/network.ts";

/** Arrivals that are the third within a second, of one shop or of one client id. */
export function secondsOver(arrivals: readonly Arrival[]): string[] {
  const byKey = new Map<string, number[]>();
  const note = (key: string, atMs: number) => {
    const times = byKey.get(key);
    if (times) times.push(atMs);
    else byKey.set(key, [atMs]);
  };
  for (const { environment, clientId, reader, atMs } of arrivals) {
    note(`the shop ${reader}`, atMs);
    note(`the client ${environment} ${clientId}`, atMs);
  }
  return [...byKey].flatMap(([key, times]) => {
    times.sort((a, b) => a - b);
    return times
      .filter((atMs, index) => index >= 2 && atMs - times[index - 2]! < 1_000)
      .map((atMs) => `a third request of ${key} within a second, at ${atMs}`);
  });
}
