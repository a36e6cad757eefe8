import { setTimeout as pause } from "node:timers/promises";
import type { SmallWork, Store } from "../../../ports.ts";
import type { Groups, Waiting } from "./group.ts";

/**
 * Small works of many shops as one transaction: most of what a webhook costs is its transaction and its statements, of which a group has as
 * many as one webhook. One group of a process is under way; what comes meanwhile is the next one's.
 */
export interface Together {
  run<T>(shop: string, small: SmallWork<T>): Promise<T>;
  /** Resolves when everything that has come so far is over. */
  idle(): Promise<void>;
}

/** Works in a group at most: as many as a few milliseconds of memory and arrays. */
const MOST = 64;
/** When others have had a shop's turn for so long, its works stand in line for it, together. */
const PASSED_OVER_MS = 200;

/**
 * @param apartMs from one group's beginning to the next: what comes together is worth a short wait, and a single one waits for nothing.
 * @param alone a transaction of the work's own.
 */
export function createTogether({
  groups: { runGroup, runOfShop, apartMs },
  alone,
}: {
  groups: Groups;
  alone: Store["transaction"];
}): Together {
  /** What waits, by shop; the shop that was served least lately comes first. */
  const lines = new Map<string, Waiting[]>();
  /** Runs of a shop by itself; what comes after them waits. */
  const apart = new Map<string, number>();
  let going: Promise<void> | null = null;
  let begunMs = -Infinity;
  const underWay = new Set<Promise<unknown>>();

  const runApart = (shop: string, work: () => Promise<unknown>) => {
    apart.set(shop, (apart.get(shop) ?? 0) + 1);
    const run = work().finally(() => {
      underWay.delete(run);
      const left = apart.get(shop)! - 1;
      if (left > 0) return void apart.set(shop, left);
      apart.delete(shop);
      go();
    });
    underWay.add(run);
  };

  const runAlone = ({ shop, small, resolve, reject }: Waiting) =>
    runApart(shop, () => alone(shop, small.work).then(resolve, reject));

  /** One transaction for all that waits of a shop. One each would take longer, when it is already late. */
  const runShops = (group: readonly Waiting[]) => {
    for (const [shop, own] of Map.groupBy(group, (waiting) => waiting.shop)) {
      const more = (lines.get(shop) ?? []).splice(0, MOST - own.length);
      if (lines.get(shop)?.length === 0) lines.delete(shop);
      const all = [...own, ...more];
      runApart(shop, () =>
        runOfShop(shop, all).then(
          (left) => left.alone.forEach(runAlone),
          () => all.forEach(runAlone),
        ),
      );
    }
  };

  const isWaiting = () => [...lines.keys()].some((shop) => !apart.has(shop));

  /** One of each shop, then one more of each: who has many waiting keeps nobody else. */
  const takeGroup = (): Waiting[] => {
    const group: Waiting[] = [];
    for (let before = -1; before < group.length;) {
      before = group.length;
      for (const [shop, line] of [...lines]) {
        if (group.length === MOST) return group;
        if (apart.has(shop)) continue;
        group.push(line.shift()!);
        lines.delete(shop);
        if (line.length > 0) lines.set(shop, line);
      }
    }
    return group;
  };

  const putBack = (busy: readonly Waiting[]) => {
    for (const waiting of busy.toReversed()) lines.set(waiting.shop, [waiting, ...(lines.get(waiting.shop) ?? [])]);
  };

  const runOnce = async (group: Waiting[]): Promise<void> => {
    if (group.length === 0) return;
    try {
      const left = await runGroup(group);
      left.alone.forEach(runAlone);
      const sinceMs = performance.now() - PASSED_OVER_MS;
      const tired = new Set(left.busy.filter((waiting) => waiting.sinceMs < sinceMs).map(({ shop }) => shop));
      runShops(left.busy.filter(({ shop }) => tired.has(shop)));
      putBack(left.busy.filter(({ shop }) => !tired.has(shop)));
    } catch {
      // Whether it was committed may be unknown, and one of them may be the reason.
      runShops(group);
    }
  };

  const go = (): void => {
    going ??= (async () => {
      do {
        const earlyMs = begunMs + apartMs - performance.now();
        if (earlyMs > 0) await pause(earlyMs);
        else await Promise.resolve();
        begunMs = performance.now();
        await runOnce(takeGroup());
      } while (isWaiting());
    })().finally(() => {
      going = null;
      if (isWaiting()) go();
    });
  };

  return {
    run: <T>(shop: string, small: SmallWork<T>) =>
      new Promise<T>((resolve, reject) => {
        const sinceMs = performance.now();
        const waiting = { shop, small, resolve: resolve as (result: unknown) => void, reject, sinceMs };
        lines.set(shop, [...(lines.get(shop) ?? []), waiting]);
        go();
      }),
    async idle() {
      while (going || underWay.size > 0 || lines.size > 0) await Promise.allSettled([going, ...underWay]);
    },
  };
}
