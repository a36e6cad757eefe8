import type { Store } from "../ports.ts";

interface Line {
  /** Ends when the reading that has begun does. */
  begun: Promise<unknown>;
  /** The reading that has not, which may still be asked for more. */
  next: Next | null;
}

interface Next {
  ids: Set<string>;
  answer: Promise<unknown>;
}

const lines = new WeakMap<Store, Map<string, Line>>();

/**
 * Answers questions about some of a shop's things with few readings: those that come while one is read wait, and are read together as
 * the next. `read` is given all the ids asked for, so its answer may hold more than one asked.
 */
export function readTogether<T>(
  { store, shop, ids }: { store: Store; shop: string; ids: readonly string[] },
  read: (ids: string[]) => Promise<T>,
): Promise<T> {
  const ofStore = lines.get(store) ?? new Map<string, Line>();
  lines.set(store, ofStore);
  const line: Line = ofStore.get(shop) ?? { begun: Promise.resolve(), next: null };
  ofStore.set(shop, line);
  const next = (line.next ??= addTo(line));
  for (const id of ids) next.ids.add(id);
  return next.answer as Promise<T>;

  function addTo({ begun }: Line): Next {
    const wanted = new Set<string>();
    return { ids: wanted, answer: begun.then(() => begin([...wanted])) };
  }

  function begin(wanted: string[]): Promise<T> {
    const answer = read(wanted);
    line.next = null;
    line.begun = answer
      .catch(() => undefined)
      .then(() => {
        if (!line.next) ofStore.delete(shop);
      });
    return answer;
  }
}
