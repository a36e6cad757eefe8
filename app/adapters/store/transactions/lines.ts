/** One after another, shop by shop. */
export interface Lines {
  /** Runs `work` in the shop's turn; null is every shop's: whatever came before is over then, and what comes later waits for it. */
  enter<T>(shop: string | null, work: () => Promise<T>): Promise<T>;
  /** Resolves when everything that has entered so far is over. */
  idle(): Promise<void>;
}

/** At most `most` work at once: the others wait here, and not for a connection, which they would be refused after a while. */
export function createLines(most: number): Lines {
  const ends = new Map<string, Promise<void>>();
  let everyShop: Promise<void> = Promise.resolve();
  let free = most;
  const waiting: (() => void)[] = [];

  const seat = async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };

  const idle = async () => void (await Promise.all([everyShop, ...ends.values()]));

  return {
    enter(shop, work) {
      const before = shop === null ? idle() : (ends.get(shop) ?? everyShop);
      const turn = before.then(() => seat(work));
      const end = turn.then(
        () => undefined,
        () => undefined,
      );
      if (shop === null) {
        everyShop = end;
        ends.clear();
      } else {
        ends.set(shop, end);
        void end.then(() => ends.get(shop) === end && ends.delete(shop));
      }
      return turn;
    },
    idle,
  };
}
