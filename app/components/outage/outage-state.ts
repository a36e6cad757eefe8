import { useSyncExternalStore } from "react";

/** What an open page knows of the app's absence, and of a newer release. */
export interface OutageState {
  /** The page that somebody went to and that could not be read; null when there is none. */
  unopened: string | null;
  /** It could not be read because the shop had no share left (`http/shop-shares.ts`), not because nobody answered. */
  isTooMany: boolean;
  /** The app has a newer release than the page, which is not loaded, because something typed would be lost. */
  isNewer: boolean;
}

const CALM: OutageState = { unopened: null, isTooMany: false, isNewer: false };

let state = CALM;
const listeners = new Set<() => void>();

export function setOutage(change: Partial<OutageState>): void {
  const next = { ...state, ...change };
  if ((Object.keys(next) as (keyof OutageState)[]).every((key) => next[key] === state[key])) return;
  state = next;
  for (const listener of listeners) listener();
}

export function useOutage(): OutageState {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    () => state,
    () => CALM,
  );
}
