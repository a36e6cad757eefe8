import type { Store } from "../ports.ts";

interface Flight<T> {
  ended: Promise<T>;
  /** The reading that begins when this one has ended. */
  next: Promise<T> | null;
}

const flights = new WeakMap<Store, Map<string, Flight<unknown>>>();

/** Whether a reading of the kind is under way. */
export function isBeingRead({ store, key }: { store: Store; key: string }): boolean {
  return flights.get(store)?.has(key) ?? false;
}

/**
 * One reading of a kind at a time, however many ask for it: who asks while one is under way waits for the same, or for the next where
 * somebody has asked for one. `anew`: only for one that begins after the asking, for the one under way may have begun before a write; all
 * who ask so meanwhile share the next.
 */
export function readOnce<T>(
  { store, key, anew }: { store: Store; key: string; anew: boolean },
  read: () => Promise<T>,
): Promise<T> {
  const ofStore = flights.get(store) ?? new Map<string, Flight<unknown>>();
  flights.set(store, ofStore);
  const underWay = ofStore.get(key) as Flight<T> | undefined;
  if (!underWay) return begin();
  if (!anew) return underWay.next ?? underWay.ended;
  return (underWay.next ??= underWay.ended.then(begin, begin));

  function begin(): Promise<T> {
    const flight: Flight<T> = { ended: read(), next: null };
    ofStore.set(key, flight);
    const over = () => {
      if (ofStore.get(key) === flight && flight.next === null) ofStore.delete(key);
    };
    flight.ended.then(over, over);
    return flight.ended;
  }
}
